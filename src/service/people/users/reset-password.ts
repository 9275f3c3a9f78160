/**
 * A forgotten password: a link by mail that works once and for an hour, and a new password for the person who opens it.
 */

import { type Db, inTransaction } from '../../../store/database.ts'
import { revokeSessions } from '../../../store/people/sessions.ts'
import {
  findPasswordReset,
  insertPasswordReset,
  takePasswordReset,
} from '../../../store/people/sign-in-tokens.ts'
import { findUser, findUserByEmail, putPassword, type User } from '../../../store/people/users.ts'
import { withdrawMails } from '../../../store/telling/mails.ts'
import { ServiceError } from '../../errors.ts'
import { afterAnswer } from '../../ground/after-answer.ts'
import { linkTo, sendsMail } from '../../ground/choices.ts'
import { queueMail, type ResetAsked } from '../../ground/queue-mail.ts'
import { realNow, type Service } from '../../service.ts'
import { type Person, recordUserChange } from '../audit/record-user-change.ts'
import { tryOnce, wentWell } from '../sessions/attempts.ts'
import { checkPassword, hashPassword } from '../sessions/password.ts'
import { makeToken, tokenHmac } from '../sessions/token.ts'

const linkMs = 3_600_000

/** Answers the same, after the same time, whether there is somebody of this address or not. */
export async function requestPasswordReset(
  service: Service,
  input: { readonly email: string },
  by: Omit<Person, 'userId'>,
): Promise<void> {
  const emailKey = input.email.trim().normalize('NFC').toLowerCase().slice(0, 254)
  await tryOnce(service, { kind: 'mail_from', of: by.from.ip ?? 'none' })
  await tryOnce(service, { kind: 'mail_to', of: emailKey })
  if (sendsMail(service.config)) {
    const asked = { emailKey, requestId: by.requestId, from: by.from }
    await queueMail(service.pool, service, { kind: 'password_reset_asked', asked, goodForMs: linkMs })
    return
  }
  afterAnswer(service, 'password_reset_asked', async () => {
    const user = await findUserByEmail(service.pool, emailKey)
    if (user === null) return
    await recordUserChange(service.pool, service, { ...by, userId: user.id }, { action: 'user.reset_asked' })
    service.log.warn('mail.not_sent', { about: 'password_reset', because: 'LANDFALL_SMTP_URL is not set' })
  })
}

/** Replaces the request in the queue by the mail that was asked for; by nothing when no person has the address. */
export async function writeResetMail(
  service: Service,
  { emailKey, ...by }: ResetAsked,
  { replaces }: { readonly replaces: (db: Db) => Promise<boolean> },
): Promise<void> {
  const user = await findUserByEmail(service.pool, emailKey)
  await inTransaction(service.pool, async (db) => {
    if (!(await replaces(db)) || user === null) return
    await recordUserChange(db, service, { ...by, userId: user.id }, { action: 'user.reset_asked' })
    const link = await makeResetLink(db, service, user)
    await queueMail(db, service, {
      kind: 'password_reset',
      about: user.id,
      goodForMs: linkMs,
      mail: {
        to: user.email,
        subject: 'A new password for Landfall',
        text: `Hello ${user.name},\n\nsomebody, probably you, asked for a new password for Landfall. Choose it here within an hour:\n\n${link}\n\nIf it was not you, do nothing: your password stays as it is.\n`,
      },
    })
  })
}

/** For a mail, or for a link that the operator passes on. All earlier links stay valid until one of them is used. */
export async function makeResetLink(db: Db, service: Service, user: Pick<User, 'id'>): Promise<string> {
  const token = makeToken()
  await insertPasswordReset(db, {
    hmac: tokenHmac(service, 'reset', token),
    userId: user.id,
    now: realNow(service),
    expiresAt: new Date(service.clock.now() + linkMs).toISOString(),
  })
  return linkTo(service.config, `/reset-password?token=${token}`)
}

/** The person whose password the link resets; null when the link was used, has expired, or never existed. */
export async function findResetUser(service: Service, token: string): Promise<User | null> {
  const hmac = tokenHmac(service, 'reset', token)
  const found = await findPasswordReset(service.pool, { hmac, now: realNow(service) })
  return found === null ? null : findUser(service.pool, found.userId)
}

/** Ends all sessions of the person. They must sign in again, with a one-time code if they have set that up. */
export async function resetPassword(
  service: Service,
  input: { readonly token: string; readonly password: string },
  by: Omit<Person, 'userId'>,
): Promise<void> {
  const user = await findResetUser(service, input.token)
  if (user === null) throw used()
  checkPassword(input.password, { email: user.email, field: 'password' })
  const passwordHash = await hashPassword(input.password)
  await inTransaction(service.pool, async (db) => {
    const now = realNow(service)
    const hmac = tokenHmac(service, 'reset', input.token)
    if (!(await takePasswordReset(db, { hmac, userId: user.id, now }))) throw used()
    await withdrawMails(db, { kind: 'password_reset', about: [user.id] })
    await putPassword(db, { id: user.id, passwordHash, now })
    await revokeSessions(db, { userId: user.id, id: null, butId: null, now })
    await recordUserChange(db, service, { ...by, userId: user.id }, { action: 'user.password_reset' })
  })
  // Attempts that somebody made with the old password must not lock the person out of the new one.
  await wentWell(service, { forget: [{ kind: 'email', of: user.email.toLowerCase() }], giveBack: [] })
}

function used(): ServiceError {
  return new ServiceError('not_found', 'This link was used already or has run out. Ask for a new one.')
}
