/**
 * The stored answer of a source, as it came. An account gets it only when it ingested it, and only when it names
 * nothing that another account tracks and this one does not. Nothing is removed from an answer: a part would be no
 * proof.
 */

import { hash } from 'node:crypto'
import type { SourceKind } from '../../domain/statements/observation.ts'
import { refuseWhenUnavailable } from '../../pipeline/response-archive/file-store.ts'
import { openBodies } from '../../pipeline/response-archive/open-snapshots.ts'
import { decryptSecrets } from '../../platform/encryption.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  findIngestedSnapshot,
  findNumbersOfOthers,
  findOwnNumbers,
  type IngestedSnapshot,
  snapshotsOfClaim,
} from './get-snapshot-sql.ts'
import { extractMentionedNumbers } from './numbers-named.ts'

/**
 * Of an answer that can be returned. Lines are read up to 8 MB (`maxBytes` of a profile) unless a profile states
 * otherwise.
 */
const bytesMax = 16_777_216

export interface SnapshotReading {
  readonly type: 'snapshot'
  readonly id: string
  readonly recordedAt: string
  readonly status: number
  readonly contentType: string | null
  readonly source: { readonly kind: SourceKind; readonly code: string }
  readonly about: { readonly kind: string; readonly number: string }
  readonly isPolled: boolean
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

interface ReadableSnapshot {
  readonly reading: SnapshotReading
  readonly body: Buffer
}

export async function getSnapshot(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<SnapshotReading> {
  return (await openSnapshotForAccount(service, context, id)).reading
}

/** The bytes as they came. */
export function downloadSnapshot(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<ReadableSnapshot> {
  return openSnapshotForAccount(service, context, id)
}

/**
 * The first answer that contained a claim, and the first later one that did not. Answers that may not be shown are not
 * returned.
 */
export async function listSnapshotsOfClaim(
  service: Service,
  context: Context,
  { claimId }: { readonly claimId: string },
): Promise<readonly SnapshotReading[]> {
  requireScope(context, 'read')
  const found: SnapshotReading[] = []
  for (const id of await snapshotsOfClaim(service.pool, { accountId: context.account.id, claimId })) {
    try {
      found.push((await openSnapshotForAccount(service, context, id)).reading)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    }
  }
  return found.toSorted((a, b) => (a.recordedAt < b.recordedAt ? -1 : 1))
}

async function openSnapshotForAccount(service: Service, context: Context, id: string): Promise<ReadableSnapshot> {
  requireScope(context, 'read')
  const accountId = context.account.id
  const found = await findIngestedSnapshot(service.pool, { accountId, id, bytesMax })
  if (found === null) throw notFound('snapshot')
  // A paper has its own file and address, which withhold its pick-up number. Statements of people are no answer of a
  // source.
  if (found.sourceKind === 'document')
    throw withheldError('This was read from a document. `/v2/documents` has the file.')
  if (found.isPushed && found.isShared)
    throw withheldError('This came through a channel for several accounts. Such messages are not shown.')
  if (found.body === null) throw withheldError(`This answer has more than ${bytesMax} bytes, too many to be shown.`)
  const stored = { id, status: found.status, contentHash: found.contentHash, body: found.body }
  const [body = Buffer.alloc(0)] = await refuseWhenUnavailable(service, () =>
    openBodies(service, service.pool, [stored]),
  )
  if (found.isShared) await requireOwnNumbers(service, accountId, { found, body })
  requireNoSecret(service, { found, body })
  return { reading: readingOf(found, body), body }
}

interface DecryptedSnapshot {
  readonly found: IngestedSnapshot
  readonly body: Buffer
}

/** Refuses an answer that names a number of another account which is no number of this one. */
async function requireOwnNumbers(
  service: Service,
  accountId: string,
  { found, body }: DecryptedSnapshot,
): Promise<void> {
  const named = extractMentionedNumbers(body, found.sourceCode)
  if (named === null) throw withheldError('This answer names too many numbers to find out whose they are.')
  const numbers = named.spellings.flat()
  const others = new Set(
    await findNumbersOfOthers(service.pool, { accountId, numbers, containerNumbers: named.containerNumbers }),
  )
  if (others.size === 0) return
  const accountNumbers = new Set(await findOwnNumbers(service.pool, { accountId, numbers }))
  const isForeign = (spellings: readonly string[]): boolean =>
    spellings.some((each) => others.has(each)) && !spellings.some((each) => accountNumbers.has(each))
  if (named.spellings.some(isForeign))
    throw withheldError('This answer also names what another account tracks and yours does not. It is not shown.')
}

/** A line that repeats our key in its answer, for instance in a link to the next page. */
function requireNoSecret({ encryption }: Service, { found, body }: DecryptedSnapshot): void {
  const secrets = Object.values(decryptSecrets(encryption, found.encryptedSecret)).filter(({ length }) => length >= 4)
  const spellings = secrets.flatMap((each) => [
    each,
    encodeURIComponent(each),
    JSON.stringify(each).slice(1, -1),
    Buffer.from(each).toString('base64'),
  ])
  if (spellings.some((each) => body.includes(each)))
    throw withheldError('This answer contains the credentials of the request. It is not shown.')
}

function withheldError(detail: string): ServiceError {
  return new ServiceError('not_found', detail)
}

function readingOf(found: IngestedSnapshot, body: Buffer): SnapshotReading {
  return {
    type: 'snapshot',
    id: found.id,
    recordedAt: found.recordedAt,
    status: found.status,
    contentType: found.contentType,
    source: { kind: found.sourceKind, code: found.sourceCode },
    about: { kind: found.numberKind, number: found.number },
    isPolled: !found.isPushed,
    bytes: body.length,
    sha256: hash('sha256', body),
  }
}
