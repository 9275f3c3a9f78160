/**
 * How often a password, a code or a key may be tried. Attempts are counted for the address that they come from, and for
 * the person that they are for. A browser in which that person has signed in before is counted separately, so nobody
 * elsewhere can lock the person out.
 */

import { networkOf } from '../api-keys/failed-keys.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { consumeAttempt, deleteOldAttempts, forgetAttempts, releaseAttempt } from './sign-in-attempts-sql.ts'

const windowMs = 900_000

/** The kinds that are counted separately, and the maximum of each in any 15 minutes. */
const limits = {
  /** Wrong passwords, codes and keys from one network. */
  address: 50,
  /** Passwords for one e-mail address, from browsers in which the person has not signed in before. */
  email: 10,
  /** Passwords for one person from one browser in which they have signed in before. */
  device: 10,
  /** One-time and recovery codes of one person. */
  code: 10,
  /** The password that a signed-in person enters again to confirm a change. */
  password: 10,
  /** Mails to one address, and from one network, that anybody can request. */
  mail_to: 3,
  mail_from: 20,
  /** Apps that register themselves, and apps whose metadata is fetched, from one network. */
  client_registration: 30,
  client_document: 30,
} as const
export type AttemptKind = keyof typeof limits

export interface AttemptTarget {
  readonly kind: AttemptKind
  /** An IP address, an e-mail address or an id. */
  readonly of: string
}

/**
 * Refuses when the attempts are used up. Counts before the result is known, so that a hundred attempts at the same
 * moment are limited too.
 */
export async function useAttempt(service: Service, tried: AttemptTarget): Promise<void> {
  const nowMs = service.clock.now()
  const { usedSince } = await consumeAttempt(service.pool, {
    subject: attemptKeyOf(service, tried),
    now: realNow(service),
    since: new Date(nowMs - windowMs).toISOString(),
    max: limits[tried.kind],
  })
  if (usedSince === null) return
  const waitS = Math.max(1, Math.ceil((Date.parse(usedSince) + windowMs - nowMs) / 1_000))
  service.metrics.attemptsRefused({ kind: tried.kind })
  throw new ServiceError(
    'rate_limited',
    `Too many attempts. Try again in ${waitS < 90 ? `${waitS} seconds` : `${Math.ceil(waitS / 60)} minutes`}.`,
    { retryAfterSeconds: waitS },
  )
}

/**
 * Called when an attempt succeeded. `forget`: all attempts of these no longer count. `giveBack`: of these only the last
 * attempt no longer counts.
 */
export async function recordSuccess(
  service: Service,
  { forget, giveBack }: { readonly forget: readonly AttemptTarget[]; readonly giveBack: readonly AttemptTarget[] },
): Promise<void> {
  await forgetAttempts(
    service.pool,
    forget.map((each) => attemptKeyOf(service, each)),
  )
  for (const each of giveBack) await releaseAttempt(service.pool, attemptKeyOf(service, each))
}

export async function dropOldAttempts(service: Service): Promise<void> {
  await deleteOldAttempts(service.pool, {
    before: new Date(service.clock.now() - windowMs).toISOString(),
  })
}

const byNetwork: readonly AttemptKind[] = ['address', 'mail_from', 'client_registration', 'client_document']

function attemptKeyOf({ encryption }: Service, { kind, of }: AttemptTarget): Buffer {
  return encryption.hmac(`attempt ${kind} ${byNetwork.includes(kind) ? networkOf(of) : of}`)
}
