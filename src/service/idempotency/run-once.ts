/**
 * An Idempotency-Key: the first request of it runs, the same one again is given the same answer for 24 hours, wherever it
 * arrives. What fails is forgotten, so that it can be tried again under the same key.
 *
 * The key is leased before the request runs and its answer is written after it, in a statement of its own: a process that
 * is killed between the two leaves a request that was carried out and a key without an answer. Its lease runs out, and
 * the same request under the same key runs again: a tracking request is then refused as a duplicate that names the first,
 * other verbs are done once more. docs/integrating.md says so.
 */

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { uuidV7 } from '../../platform/ids.ts'
import {
  deleteOldKeys,
  dropKey,
  findKey,
  type KeyName,
  type KeyReading,
  keepKeyAnswer,
  leaseKey,
  renewLease,
} from '../../store/idempotency-keys.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'

const keptMs = 24 * 3_600_000
/** Renewed while the request runs: a killed process holds its keys no longer than this. */
const leaseMs = 10_000
const renewEveryMs = 3_000
const askEveryMs = 50
const askEveryMaxMs = 500

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The right to run, until one of its two ends. */
export interface Run {
  readonly kind: 'run'
  /** After a success. Never rejects: the request was carried out, whether or not its answer can be kept. */
  readonly keep: (answer: KeptAnswer) => Promise<void>
  /** After a failure. */
  readonly forget: () => Promise<void>
}

export interface Asked {
  /** Which operation: the same key may be used once for each. */
  readonly route: string
  readonly key: string
  /** Everything that the answer depends on: address, query, body. */
  readonly content: string
}

/** Waits while another runs the same; refuses a key that stands for another request (`invalid`). */
export async function runOnce(
  service: Service,
  context: Context,
  asked: Asked,
  patienceMs = 20_000,
): Promise<Run | { readonly kind: 'replay'; readonly answer: KeptAnswer }> {
  const name: KeyName = { accountId: context.account.id, route: asked.route, key: asked.key }
  const fingerprint = createHash('sha256').update(asked.content).digest()
  const startedAt = performance.now()
  for (let gapMs = askEveryMs; ; gapMs = Math.min(gapMs * 1.5, askEveryMaxMs)) {
    const nowMs = service.clock.now()
    const token = uuidV7(nowMs)
    const isOurs = await leaseKey(service.pool, name, {
      fingerprint,
      scopes: context.scopes,
      token,
      now: isoOf(nowMs),
      until: isoOf(nowMs + leaseMs),
      expired: isoOf(nowMs - keptMs),
    })
    if (isOurs) return holdKey(service, context, { name, token })
    const found = await findKey(service.pool, name)
    // Gone since: the first one failed, so this one runs.
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
  // The answer may hold what only a key of those scopes is shown.
  if (found.scopes.some((scope) => !context.scopes.some((each) => each === scope))) {
    throw new ServiceError('forbidden', 'This Idempotency-Key was used by a key that may do more.', {
      source: { header: 'Idempotency-Key' },
    })
  }
}

function readAnswer(service: Service, found: KeyReading): KeptAnswer | null {
  const { status, headers, bodySealed } = found
  if (status === null || bodySealed === null) return null
  return { status, headers: headers ?? {}, body: Buffer.from(service.vault.open(bodySealed), 'base64') }
}

function stillRunning(): ServiceError {
  return new ServiceError('conflict', 'The first request with this Idempotency-Key still runs.', {
    source: { header: 'Idempotency-Key' },
    retryAfterSeconds: 5,
  })
}

function holdKey(
  service: Service,
  context: Context,
  { name, token }: { readonly name: KeyName; readonly token: string },
): Run {
  const renewing = setInterval(() => {
    const until = isoOf(service.clock.now() + leaseMs)
    renewLease(service.pool, name, { token, until }).catch((error: unknown) =>
      service.log.warn('database.unreachable', { error }),
    )
  }, renewEveryMs).unref()
  const lost = (error: unknown): void =>
    service.log.warn('idempotency.answer_lost', { requestId: context.requestId, route: name.route, error })
  return {
    kind: 'run',
    keep: async ({ status, headers, body }) => {
      clearInterval(renewing)
      // As base64, because the vault seals text and an answer is bytes. Sealed: it may show a secret.
      const bodySealed = service.vault.seal(body.toString('base64'))
      const isKept = await keepKeyAnswer(service.pool, name, { token, status, headers, bodySealed }).catch(
        lost,
      )
      if (isKept === false) lost(undefined)
    },
    forget: async () => {
      clearInterval(renewing)
      await dropKey(service.pool, name, token).catch(lost)
    },
  }
}

const batchMax = 5_000

/** One batch; returns how much went. Any number of processes may do it at once. */
export function forgetOldKeys(service: Service): Promise<number> {
  const before = isoOf(service.clock.now() - keptMs)
  return deleteOldKeys(service.pool, { before, limit: batchMax })
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
