/**
 * An Idempotency-Key: the first request with it runs, and the same request again gets the same answer for 24 hours, at
 * whichever process it arrives. A request that failed is forgotten, so that it can be tried again under the same key.
 *
 * A process can be killed at any moment, and its request is then run again. So that nothing is done twice, what a
 * request changes and its answer are committed in one transaction. A request that does not fit into one (`isInSteps`)
 * makes its things under ids that follow from the key, and finds those that were made before. Why:
 * docs/decisions/0015-once-under-a-key.md.
 */

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type JoinedTransactions, joinTransactions } from '../db/database.ts'
import {
  deleteOldKeys,
  dropKey,
  findKey,
  type KeyName,
  type KeyReading,
  leaseKey,
  renewLease,
  storeKeyAnswer,
} from '../db/idempotency-keys.ts'
import { leaseToken } from '../pipeline/jobs/holder.ts'
import { namedUuidV7 } from '../platform/ids.ts'
import type { Context } from './access/context.ts'
import { ServiceError } from './errors.ts'
import type { Service } from './service.ts'

const retentionMs = 24 * 3_600_000
/** Renewed while the request runs: a killed process holds its keys no longer than this. */
const leaseMs = 10_000
const renewEveryMs = 3_000
const pollEveryMs = 50
const pollEveryMaxMs = 500

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The right to run the request. It ends with `keep` or `forget`. */
export interface IdempotentRun {
  readonly kind: 'run'
  /** The service that the request must use. Its pool belongs to the transaction, unless the request runs in steps. */
  readonly service: Service
  /**
   * The same whenever the request runs again under the key, and used by no other key. Things that are made under this
   * id are made once.
   */
  readonly id: string
  /**
   * To call after a success. It is the commit: when it rejects, either nothing was done, or the request was done and
   * its answer is found under the key. With `isInSteps` it never rejects: the request was carried out, even if its
   * answer cannot be stored.
   */
  readonly storeAnswer: (answer: StoredAnswer) => Promise<void>
  /**
   * To call after a refusal, or after a failure of ours. With `isInSteps` the request may have made something before it
   * failed, so its id stays.
   */
  readonly forget: (why: 'refused' | 'failed') => Promise<void>
}

export interface IdempotentRequest {
  /** Which operation: the same key may be used once for each. */
  readonly route: string
  readonly key: string
  /** Everything that the answer depends on: address, query, body. */
  readonly content: string
  /** True when the request does not fit into one transaction. */
  readonly isInSteps: boolean
}

/** Waits while another process runs the same request. Refuses a key that was used for another request (`invalid`). */
export async function runOnce(
  service: Service,
  context: Context,
  request: IdempotentRequest,
  patienceMs = 20_000,
): Promise<IdempotentRun | { readonly kind: 'replay'; readonly answer: StoredAnswer }> {
  const name: KeyName = { accountId: context.account.id, route: request.route, key: request.key }
  const fingerprint = createHash('sha256').update(request.content).digest()
  const startedAt = performance.now()
  for (let gapMs = pollEveryMs; ; gapMs = Math.min(gapMs * 1.5, pollEveryMaxMs)) {
    const nowMs = service.clock.now()
    const token = leaseToken(service)
    const since = await leaseKey(service.pool, name, {
      fingerprint,
      scopes: context.scopes,
      token,
      now: isoOf(nowMs),
      until: isoOf(nowMs + leaseMs),
      expired: isoOf(nowMs - retentionMs),
    })
    if (since !== null) return holdKey(service, context, { name, token, since, isInSteps: request.isInSteps })
    const found = await findKey(service.pool, name)
    // The key is gone: the first request failed and freed it, so this one tries again.
    if (found === null) continue
    checkSame(found, { fingerprint, context })
    const answer = readAnswer(service, found)
    if (answer !== null) return { kind: 'replay', answer }
    if (performance.now() - startedAt > patienceMs) throw stillRunning()
    await pause(gapMs)
  }
}

function checkSame(
  found: KeyReading,
  { fingerprint, context }: { readonly fingerprint: Buffer; readonly context: Context },
): void {
  if (!found.fingerprint.equals(fingerprint)) {
    throw new ServiceError(
      'invalid',
      'This Idempotency-Key was sent with another request in the last 24 hours. Use a new key for a new request.',
      { source: { header: 'Idempotency-Key' } },
    )
  }
  // The answer may contain what only a key with these scopes may see.
  if (found.scopes.some((scope) => !context.scopes.some((each) => each === scope))) {
    throw new ServiceError(
      'forbidden',
      'This Idempotency-Key was used by a caller with more rights. Use a new Idempotency-Key.',
      {
        source: { header: 'Idempotency-Key' },
      },
    )
  }
}

function readAnswer(service: Service, found: KeyReading): StoredAnswer | null {
  const { status, headers, encryptedBody } = found
  if (status === null || encryptedBody === null) return null
  return {
    status,
    headers: headers ?? {},
    body: Buffer.from(service.encryption.decrypt(encryptedBody), 'base64'),
  }
}

function stillRunning(): ServiceError {
  return new ServiceError('conflict', 'The first request with this Idempotency-Key still runs.', {
    source: { header: 'Idempotency-Key' },
    retryAfterSeconds: 5,
  })
}

interface HeldKey {
  readonly name: KeyName
  readonly token: string
  readonly since: string
  readonly isInSteps: boolean
}

async function holdKey(service: Service, context: Context, held: HeldKey): Promise<IdempotentRun> {
  const { name, token, isInSteps } = held
  const drop = (): Promise<void> =>
    dropKey(service.pool, name, token).catch((error: unknown) => logLostAnswer(service, context, { name, error }))
  const release = async (): Promise<void> => {
    const lease = { token, until: isoOf(service.clock.now()) }
    await renewLease(service.pool, name, lease).catch((error: unknown) =>
      logLostAnswer(service, context, { name, error }),
    )
  }
  const joined = isInSteps ? null : await joinOrDrop(service, drop)
  const renewing = setInterval(() => {
    const until = isoOf(service.clock.now() + leaseMs)
    renewLease(service.pool, name, { token, until }).catch((error: unknown) =>
      service.log.warn('database.unreachable', { error }),
    )
  }, renewEveryMs).unref()
  return {
    kind: 'run',
    service: joined === null ? service : { ...service, pool: joined.pool },
    id: namedUuidV7(Date.parse(held.since), JSON.stringify([name.accountId, name.route, name.key])),
    storeAnswer: async ({ status, headers, body }) => {
      clearInterval(renewing)
      // As base64, because the encryption takes text and an answer is bytes. Encrypted: it may show a secret.
      const answer = {
        token,
        status,
        headers,
        encryptedBody: service.encryption.encrypt(body.toString('base64')),
      }
      if (joined !== null) return storeAndCommit(joined, { name, answer, drop })
      const isStored = await storeKeyAnswer(service.pool, name, answer).catch((error: unknown) =>
        logLostAnswer(service, context, { name, error }),
      )
      if (isStored === false) logLostAnswer(service, context, { name, error: undefined })
    },
    forget: async (why) => {
      clearInterval(renewing)
      await joined?.rollback()
      await (isInSteps && why === 'failed' ? release() : drop())
    },
  }
}

async function joinOrDrop(service: Service, drop: () => Promise<void>): Promise<JoinedTransactions> {
  try {
    return await joinTransactions(service.pool)
  } catch (error) {
    await drop()
    throw error
  }
}

/**
 * The update waits only for a renewal of the lease. A process that takes the key over waits for this update. So only
 * one of the two commits.
 */
async function storeAndCommit(
  joined: JoinedTransactions,
  of: {
    readonly name: KeyName
    readonly answer: Parameters<typeof storeKeyAnswer>[2]
    readonly drop: () => Promise<void>
  },
): Promise<void> {
  try {
    if (!(await storeKeyAnswer(joined.pool, of.name, of.answer))) throw stillRunning()
  } catch (error) {
    await joined.rollback()
    await of.drop()
    throw error
  }
  await joined.commit().catch(async (error: unknown) => {
    // Drops nothing when it was committed after all: the lease is gone then.
    await of.drop()
    throw error
  })
}

function logLostAnswer(
  service: Service,
  context: Context,
  { name, error }: { readonly name: KeyName; readonly error: unknown },
): void {
  service.log.warn('idempotency.answer_lost', { requestId: context.requestId, route: name.route, error })
}

const batchMax = 5_000

/** Deletes one batch; returns how many keys were deleted. Any number of processes may do it at once. */
export function forgetOldKeys(service: Service): Promise<number> {
  const before = isoOf(service.clock.now() - retentionMs)
  return deleteOldKeys(service.pool, { before, limit: batchMax })
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
