/** The addresses to which documents of an account are sent. A new one does not end the ones before it. */

import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { makeToken, writeAddress } from './mail-address.ts'
import { getMailServerSettings } from './mail-place.ts'
import { insertMailbox, listMailboxes, type MailboxRow, revokeMailbox } from './mailboxes-sql.ts'

export interface Mailbox {
  readonly id: string
  readonly address: string
  readonly createdAt: string
}

const openMax = 100

/** Whoever knows an address may send documents to it, so a key that may only read does not get to know it. */
export async function getMailboxes(service: Service, context: Context): Promise<readonly Mailbox[]> {
  requireScope(context, 'read')
  requireScope(context, 'write')
  const place = getMailServerSettings(service.config)
  const rows = await listMailboxes(service.pool, context.account.id)
  return place === null ? [] : rows.map((row) => toMailbox(service, row, place.domain))
}

export async function createMailbox(service: Service, context: Context): Promise<Mailbox> {
  requireScope(context, 'write')
  const place = getMailServerSettings(service.config)
  if (place === null)
    throw new ServiceError(
      'conflict',
      'This installation does not receive e-mail. Its operator must set LANDFALL_MAIL_IN_PORT and LANDFALL_MAIL_IN_DOMAIN.',
    )
  const token = makeToken()
  const row: MailboxRow = {
    id: uuidV7(service.clock.now()),
    encryptedToken: service.encryption.encrypt(token),
    createdAt: realNow(service),
  }
  await inTransaction(service.pool, async (db) => {
    const accountId = context.account.id
    if (!(await insertMailbox(db, { ...row, accountId, tokenHmac: service.encryption.hmac(token), openMax })))
      throw new ServiceError('invalid', `An account has at most ${openMax} mailboxes. Delete one first.`)
    await recordChange(db, service, context, {
      action: 'mailbox.created',
      target: { type: 'mailbox', id: row.id },
      diff: null,
    })
  })
  return toMailbox(service, row, place.domain)
}

/** From now on nothing that is sent to its address is accepted. Earlier e-mails stay. */
export async function deleteMailbox(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    if (!(await revokeMailbox(db, { accountId: context.account.id, id, at: realNow(service) })))
      throw notFound('mailbox')
    await recordChange(db, service, context, {
      action: 'mailbox.deleted',
      target: { type: 'mailbox', id },
      diff: null,
    })
  })
}

function toMailbox({ encryption }: Service, { id, encryptedToken, createdAt }: MailboxRow, domain: string): Mailbox {
  return { id, address: writeAddress(encryption.decrypt(encryptedToken), domain), createdAt }
}
