/** The senders whose e-mail an account accepts: addresses, and whole domains. */

import { domainToASCII } from 'node:url'
import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { deleteMailboxSender, insertMailboxSender, listMailboxSenders, type MailboxSender } from './mailboxes-sql.ts'

const sendersMax = 1_000

export async function getMailboxSenders(service: Service, context: Context): Promise<readonly MailboxSender[]> {
  requireScope(context, 'read')
  return listMailboxSenders(service.pool, context.account.id)
}

export async function createMailboxSender(
  service: Service,
  context: Context,
  input: { readonly sender: string },
): Promise<MailboxSender> {
  requireScope(context, 'write')
  const sender = normalizeSender(input.sender)
  if (sender === null)
    throw refusedAt(
      '/data/attributes/sender',
      'A sender must be an address such as ops@example.com, or @ and a domain such as @example.com.',
    )
  const row: MailboxSender = { id: uuidV7(service.clock.now()), sender, createdAt: realNow(service) }
  await inTransaction(service.pool, async (db) => {
    const made = await insertMailboxSender(db, { ...row, accountId: context.account.id, sendersMax })
    if (made === 'listed') throw refusedAt('/data/attributes/sender', 'This sender is on the list already.')
    if (made === 'full')
      throw new ServiceError('invalid', `A list has at most ${sendersMax} senders. Delete one first.`)
    await recordChange(db, service, context, {
      action: 'mailbox_sender.created',
      target: { type: 'mailbox_sender', id: row.id },
      diff: { sender: [null, sender] },
    })
  })
  return row
}

export async function removeMailboxSender(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const sender = await deleteMailboxSender(db, { accountId: context.account.id, id })
    if (sender === null) throw notFound('mailbox sender')
    await recordChange(db, service, context, {
      action: 'mailbox_sender.deleted',
      target: { type: 'mailbox_sender', id },
      diff: { sender: [sender, null] },
    })
  })
}

/** True when one entry is the address, or the domain after its `@`. A domain does not include its subdomains. */
export function isListed(senders: readonly string[], address: string): boolean {
  const tidied = normalizeSender(address)
  return tidied !== null && senders.some((each) => each === tidied || each === tidied.slice(tidied.indexOf('@')))
}

/** In lower case, its domain in the form of the DNS. Null when it is neither an address nor `@` and a domain. */
function normalizeSender(text: string): string | null {
  const [, local = '', domain = ''] = /^([^\s@<>",;:]{0,64})@([^\s@<>",;:]{1,253})$/u.exec(text.trim()) ?? []
  const ascii = domainToASCII(domain).toLowerCase()
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(ascii) ? `${local.toLowerCase()}@${ascii}` : null
}
