/**
 * An alert is mailed only to an address that was confirmed: by the link in a mail, or by the invitation with which its
 * member came to the account.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import type { Context } from '../../modules/access/context.ts'
import {
  type AlertAddress,
  confirmOrStopAlerts,
  listAlertAddresses,
  listInvitedMembers,
  putAlertAddress,
} from '../../modules/alerts/alert-addresses-sql.ts'
import { linkTo, sendsMail } from '../../modules/derived-settings.ts'
import { notFound, refusedAt, ServiceError } from '../../modules/errors.ts'
import { findUser } from '../../modules/members/users-sql.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { deriveToken, tokenHmac } from '../../modules/sessions/token.ts'
import { queueMail } from '../jobs/queue-mail.ts'

const hourMs = 3_600_000
const goodForMs = 7 * 24 * hourMs
/** Each costs a stranger one mail. */
const unconfirmedMax = 50

/** Sends the link to addresses that are not confirmed, to one address at most once an hour. */
export async function requestConfirmations(
  db: Db,
  service: Service,
  { account }: Context,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0) return
  const accountId = account.id
  const now = realNow(service)
  const known = await listAlertAddresses(db, accountId)
  const byKey = new Map(known.map((each) => [each.emailKey, each]))
  const open = emails.filter((email) => byKey.get(toEmailKey(email))?.isConfirmed !== true)
  const invited = await listInvitedMembers(db, { accountId, emailKeys: open.map(toEmailKey) })
  for (const [index, email] of emails.entries())
    if (byKey.get(toEmailKey(email))?.isStopped === true)
      throw refusedAt(`/data/attributes/emails/${index}`, 'The reader of this address has stopped these mails.')
  const strangers = open.filter((email) => !invited.includes(toEmailKey(email)))
  const waiting = known.filter(({ isConfirmed, isStopped }) => !isConfirmed && !isStopped).length
  if (waiting + strangers.filter((email) => !byKey.has(toEmailKey(email))).length > unconfirmedMax)
    throw refusedAt(
      '/data/attributes/emails',
      `More than ${unconfirmedMax} addresses of this account wait to be confirmed.`,
    )
  for (const email of open) {
    const isMember = invited.includes(toEmailKey(email))
    const last = byKey.get(toEmailKey(email))
    if (!isMember && last !== undefined && Date.parse(last.requestedAt) + hourMs > Date.parse(now)) continue
    const link = await putAddress(db, service, { accountId, email, isMember })
    if (isMember) continue
    await queueMail(db, service, {
      kind: 'alert_address',
      about: accountId,
      goodForMs,
      mail: {
        to: email,
        subject: 'Confirm that you want alerts about shipments',
        text: `${account.companyName} wants to send alerts about its shipments to this address.\n\nIf you want them, confirm here:\n\n  ${link}\n\nOtherwise do nothing. You will get no alerts.\n`,
      },
    })
  }
}

/** Stores the address with its link, which confirms it. */
async function putAddress(
  db: Db,
  service: Service,
  of: { readonly accountId: string; readonly email: string; readonly isMember: boolean },
): Promise<string> {
  const { accountId, email, isMember } = of
  const token = deriveAddressToken(service, accountId, email)
  const hmac = tokenHmac(service, 'alert_address', token)
  await putAlertAddress(db, {
    accountId,
    emailKey: toEmailKey(email),
    tokenHmac: hmac,
    now: realNow(service),
    isMember,
  })
  return linkTo(service.config, `/alerts/confirm?token=${token}`)
}

export type AddressState = 'confirmed' | 'stopped' | 'unconfirmed'

export async function findAddressState(
  service: Service,
  { accountId, email }: { readonly accountId: string; readonly email: string },
): Promise<AddressState> {
  const emailKey = toEmailKey(email)
  const known = (await listAlertAddresses(service.pool, accountId)).find((each) => each.emailKey === emailKey)
  if (known?.isStopped === true) return 'stopped'
  if (known?.isConfirmed === true) return 'confirmed'
  const invited = await listInvitedMembers(service.pool, { accountId, emailKeys: [emailKey] })
  return invited.length > 0 ? 'confirmed' : 'unconfirmed'
}

/** Sends the person who asks a mail with the link. */
export async function requestOwnConfirmation(service: Service, context: Context): Promise<void> {
  const { actor } = context
  const user = actor.kind === 'user' ? await findUser(service.pool, actor.id) : null
  if (user === null) throw notFound('person')
  if (!sendsMail(service.config)) throw new ServiceError('invalid', 'This installation sends no e-mail.')
  await inTransaction(service.pool, (db) => requestConfirmations(db, service, context, [user.email]))
}

/** A link that the operator gives to the reader of an address; null when the address is confirmed already. */
export async function makeConfirmationLink(
  service: Service,
  of: { readonly accountId: string; readonly email: string },
): Promise<string | null> {
  if ((await findAddressState(service, of)) === 'confirmed') return null
  return putAddress(service.pool, service, { ...of, isMember: false })
}

/** Of these addresses those that may get mail, each with the link that ends it. */
export async function findConfirmedAddresses(
  db: Db,
  service: Service,
  of: { readonly accountId: string; readonly emails: readonly string[] },
): Promise<readonly { readonly email: string; readonly stopLink: string }[]> {
  const known = new Set(
    (await listAlertAddresses(db, of.accountId)).filter(isConfirmedAddress).map(({ emailKey }) => emailKey),
  )
  return of.emails
    .filter((email) => known.has(toEmailKey(email)))
    .map((email) => {
      const token = deriveAddressToken(service, of.accountId, email)
      return { email, stopLink: linkTo(service.config, `/alerts/stop?token=${token}`) }
    })
}

/** The reader of an address follows the link: `wants` to get alerts, or no more. */
export async function setAddressConsent(
  service: Service,
  { token, wants }: { readonly token: string; readonly wants: boolean },
): Promise<{ readonly emailKey: string; readonly companyName: string }> {
  const hmac = tokenHmac(service, 'alert_address', token)
  const found = await confirmOrStopAlerts(service.pool, { tokenHmac: hmac, wants, now: realNow(service) })
  if (found === null) throw notFound('address')
  return found
}

function isConfirmedAddress({ isConfirmed }: AlertAddress): boolean {
  return isConfirmed
}

export function toEmailKey(email: string): string {
  return email.toLowerCase()
}

function deriveAddressToken(service: Service, accountId: string, email: string): string {
  return deriveToken(service, 'alert_address', `address ${accountId} ${toEmailKey(email)}`)
}
