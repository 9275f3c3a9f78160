/**
 * How often a password, a code or a key may be tried. Counted for the address it comes from, and for whom it is tried;
 * a browser in which that person has signed in before is counted by itself, so nobody can lock them out from elsewhere.
 */

import { deleteOldAttempts, forgetAttempts, giveBackAttempt, takeAttempt } from '../../../store/attempts.ts'
import { ServiceError } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'
import { networkOf } from '../access/failed-keys.ts'

const windowMs = 900_000

/** What is counted apart, and how often in any 15 minutes. */
const limits = {
  /** Of one network: passwords, codes and keys that were wrong. */
  address: 50,
  /** Passwords for one e-mail address, from browsers that it is new to. */
  email: 10,
  /** Passwords for one person from one browser that knows them. */
  device: 10,
  /** One-time and recovery codes of one person. */
  code: 10,
  /** The password asked again of somebody who is signed in. */
  password: 10,
  /** Mails that anybody can have sent to one address, and from one network. */
  mail_to: 3,
  mail_from: 20,
  /** Apps that register themselves, and apps whose metadata is fetched, from one network. */
  client_registration: 30,
  client_document: 30,
} as const
export type AttemptKind = keyof typeof limits

export interface Tried {
  readonly kind: AttemptKind
  /** An address, an e-mail address, an id. */
  readonly of: string
}

/** Refuses when they are used up. It counts before the answer is known: a hundred at the same moment are no way around. */
export async function tryOnce(service: Service, tried: Tried): Promise<void> {
  const nowMs = service.clock.now()
  const { usedSince } = await takeAttempt(service.pool, {
    subject: subjectOf(service, tried),
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

/** It went well: what was tried before, for this person, counts no longer; of the address, this one does not count. */
export async function wentWell(
  service: Service,
  { forget, giveBack }: { readonly forget: readonly Tried[]; readonly giveBack: readonly Tried[] },
): Promise<void> {
  await forgetAttempts(
    service.pool,
    forget.map((each) => subjectOf(service, each)),
  )
  for (const each of giveBack) await giveBackAttempt(service.pool, subjectOf(service, each))
}

export async function dropOldAttempts(service: Service): Promise<void> {
  await deleteOldAttempts(service.pool, {
    before: new Date(service.clock.now() - windowMs).toISOString(),
  })
}

const byNetwork: readonly AttemptKind[] = ['address', 'mail_from', 'client_registration', 'client_document']

function subjectOf({ vault }: Service, { kind, of }: Tried): Buffer {
  return vault.hmac(`attempt ${kind} ${byNetwork.includes(kind) ? networkOf(of) : of}`)
}
