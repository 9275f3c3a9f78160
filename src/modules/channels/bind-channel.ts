/**
 * The operator decides which accounts receive releases, charges and pick-up numbers from a channel of the whole
 * installation.
 */

import { inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import type { Account, Context } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { refusedAt } from '../errors.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { accountsBoundTo, bindAccount, reingestChannel, unbindAccount } from './channel-accounts-sql.ts'
import { getChannel } from './channels.ts'

interface Binding {
  readonly name: string
  readonly account: Account
}

/**
 * What the account ingested without such facts is ingested once more, with them. If the account is bound already, this
 * is done again.
 */
export async function bindChannel(service: Service, { name, account }: Binding): Promise<void> {
  const channel = await getChannel(service, name)
  if (channel.accountId !== null)
    throw refusedAt('/channel', `${name} is the channel of one account, which already receives all of it.`)
  if (account.isSandbox) throw refusedAt('/account', 'An account of the sandbox cannot receive from a real channel.')
  const key = { channelId: channel.id, accountId: account.id }
  await inTransaction(service.pool, async (db) => {
    await bindAccount(db, { ...key, at: realNow(service) })
    await recordChange(db, service, contextOf(account), {
      action: 'account.channel_bound',
      target: { type: 'account', id: account.id },
      diff: { channel: [null, name] },
    })
  })
  // Done after the first commit, so that a message that is used in the meantime is already read for a bound account.
  await inTransaction(service.pool, async (db) => {
    await reingestChannel(db, { ...key, at: journeyNow(service, false) })
    wakeWorkers(db, 'mentions')
  })
}

/** The account does not see pick-up numbers of this channel any more. What was ingested stays on record. */
export async function unbindChannel(service: Service, { name, account }: Binding): Promise<void> {
  const channel = await getChannel(service, name)
  await inTransaction(service.pool, async (db) => {
    if (!(await unbindAccount(db, { channelId: channel.id, accountId: account.id })))
      throw refusedAt('/account', `${account.companyName} is not bound to ${name}.`)
    await recordChange(db, service, contextOf(account), {
      action: 'account.channel_unbound',
      target: { type: 'account', id: account.id },
      diff: { channel: [name, null] },
    })
  })
}

/** The ids of the accounts that are bound to the channel. */
export async function boundAccounts(service: Service, name: string): Promise<readonly string[]> {
  return accountsBoundTo(service.pool, (await getChannel(service, name)).id)
}

function contextOf(account: Account): Context {
  return { account, actor: { kind: 'system' }, scopes: ['read', 'write'], requestId: 'command line' }
}
