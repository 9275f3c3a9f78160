/** For a recording: a stored answer about a number with its access, and the secrets that must not be in it. */

import type { NumberKind, PollRequest, RawSnapshot } from '../../connectors/source.ts'
import { openWithAccess } from '../../pipeline/response-archive/open-snapshots.ts'
import { decryptSecrets } from '../../platform/encryption.ts'
import { compactNumber, findShippingLine, normalizedNumber } from '../../reference/shipping-lines.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import type { PastedAccess } from './read-answer.ts'
import { findStoredAnswer, listEncryptedSecrets } from './recorded-answers-sql.ts'

export interface OpenedAnswer {
  readonly request: PollRequest
  readonly snapshot: RawSnapshot
  readonly access: PastedAccess
}

/** Null: there is none. `snapshotId` null: the newest. */
export async function openStoredAnswer(
  service: Service,
  context: Context,
  of: {
    readonly scac: string
    readonly number: string
    readonly kind: NumberKind | null
    readonly snapshotId: string | null
  },
): Promise<OpenedAnswer | null> {
  requireScope(context, 'read')
  const line = findShippingLine(of.scac)
  if (line === null) throw new ServiceError('unknown_scac', `${of.scac.slice(0, 10)} is not the SCAC of a known line.`)
  const { id: accountId, isSandbox } = context.account
  const found = await findStoredAnswer(service.pool, {
    accountId,
    isSandbox,
    scac: line.scac,
    numbers: [of.number, normalizedNumber(line, compactNumber(line, of.number))],
    kind: of.kind,
    snapshotId: of.snapshotId,
  })
  if (found === null) return null
  const { snapshotId, kind, number, fetchedAt } = found
  const opened = (await openWithAccess(service, service.pool, [snapshotId])).get(snapshotId)
  if (opened === undefined) return null
  const { status, contentType, body } = opened.snapshot
  const { source, profile } = opened.access
  return {
    request: { scac: line.scac, kind, number },
    snapshot: { status, contentType, body, fetchedAt: new Date(fetchedAt).toISOString() },
    access: { source, profile },
  }
}

/** The secrets of the channels to the line that the account uses. */
export async function listLineSecrets(service: Service, context: Context, scac: string): Promise<readonly string[]> {
  requireScope(context, 'write')
  const of = { accountId: context.account.id, scac: findShippingLine(scac)?.scac ?? scac }
  const encrypted = await listEncryptedSecrets(service.pool, of)
  return encrypted.flatMap((each) => Object.values(decryptSecrets(service.encryption, each)))
}
