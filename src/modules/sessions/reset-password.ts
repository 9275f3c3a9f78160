/**
 * A forgotten password: a link by mail that works once and for an hour, and a new password for the person who opens it.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { runAfterAnswer } from '../../pipeline/jobs/after-answer.ts'
import { type PasswordResetRequest, queueMail } from '../../pipeline/jobs/queue-mail.ts'
import { withdrawMails } from '../../pipeline/notifications/mails-sql.ts'
import { type Person, recordUserChange } from '../audit/record-user-change.ts'
import { linkTo, sendsMail } from '../derived-settings.ts'
import { ServiceError } from '../errors.ts'
import { findUser, findUserByEmail, putPassword, type User } from '../members/users-sql.ts'
import { realNow, type Service } from '../service.ts'
import { recordSuccess, useAttempt } from './attempts.ts'
import { checkPassword, hashPassword } from './password.ts'
import { revokeSessions } from './sessions-sql.ts'
import { consumePasswordReset, findPasswordReset, insertPasswordReset } from './sign-in-tokens-sql.ts'
import { makeToken, tokenHmac } from './token.ts'

const linkMs = 3_600_000

/** Answers the same, after the same time, whether there is somebody of this address or not. */
export async function requestPasswordReset(
  service: Service,
  input: { readonly email: string },
  by: Omit<Person, 'userId'>,
): Promise<void> {
  const emailKey = input.email.trim().normalize('NFC').toLowerCase().slice(0, 254)
  await useAttempt(service, { kind: 'mail_from', of: by.from.ip ?? 'none' })
  await useAttempt(service, { kind: 'mail_to', of: emailKey })
  if (sendsMail(service.config)) {
    const resetRequest = { emailKey, requestId: by.requestId, from: by.from }
    await queueMail(service.pool, service, { kind: 'password_reset_asked', resetRequest, goodForMs: linkMs })
    return
  }
  runAfterAnswer(service, 'password_reset_asked', async () => {
    const user = await findUserByEmail(service.pool, emailKey)
    if (user === null) return
    await recordUserChange(service.pool, service, { ...by, userId: user.id }, { action: 'user.reset_asked' })
    service.log.warn('mail.not_sent', { about: 'password_reset', because: 'LANDFALL_SMTP_URL is not set' })
  })
}

/** Replaces the request in the queue by the requested mail; by nothing when no person has the address. */
export async function writeResetMail(
  service: Service,
  { emailKey, ...by }: PasswordResetRequest,
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
  if (user === null) throw linkUsedError()
  checkPassword(input.password, { email: user.email, field: 'password' })
  const passwordHash = await hashPassword(input.password)
  await inTransaction(service.pool, async (db) => {
    const now = realNow(service)
    const hmac = tokenHmac(service, 'reset', input.token)
    if (!(await consumePasswordReset(db, { hmac, userId: user.id, now }))) throw linkUsedError()
    await withdrawMails(db, { kind: 'password_reset', about: [user.id] })
    await putPassword(db, { id: user.id, passwordHash, now })
    await revokeSessions(db, { userId: user.id, id: null, butId: null, now })
    await recordUserChange(db, service, { ...by, userId: user.id }, { action: 'user.password_reset' })
  })
  // Attempts that somebody made with the old password must not lock the person out of the new one.
  await recordSuccess(service, { forget: [{ kind: 'email', of: user.email.toLowerCase() }], giveBack: [] })
}

function linkUsedError(): ServiceError {
  return new ServiceError('not_found', 'This link was used already or has run out. Ask for a new one.')
}
