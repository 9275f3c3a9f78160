/** Which accounts may receive the secrets of a channel of the whole installation, such as pick-up numbers. */

import type { Db } from '../../db/database.ts'

interface Binding {
  readonly channelId: string
  readonly accountId: string
}

export async function bindAccount(db: Db, of: Binding & { readonly at: string }): Promise<void> {
  await db.query({
    name: 'channel_account_bind',
    text: `insert into channel_accounts (account_id, channel_id, bound_at) values ($1, $2, $3) on conflict do nothing`,
    values: [of.accountId, of.channelId, of.at],
  })
}

/** Returns false when it was not bound. */
export async function unbindAccount(db: Db, of: Binding): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'channel_account_unbind',
    text: `delete from channel_accounts where account_id = $1 and channel_id = $2`,
    values: [of.accountId, of.channelId],
  })
  return rowCount === 1
}

/** The ids of the channels to which the account is bound. */
export async function channelsBoundTo(db: Db, accountId: string): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'channels_bound_to',
    text: `select channel_id as id from channel_accounts where account_id = $1`,
    values: [accountId],
  })
  return new Set(rows.map(({ id }) => id))
}

export async function accountsBoundTo(db: Db, channelId: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'accounts_bound_to',
    text: `select account_id as id from channel_accounts where channel_id = $1 order by bound_at, account_id`,
    values: [channelId],
  })
  return rows.map(({ id }) => id)
}

/**
 * Lets the account ingest again what it ingested from this channel without the secrets. Returns how many shipments will
 * ingest it.
 */
export async function reingestChannel(db: Db, of: Binding & { readonly at: string }): Promise<number> {
  const { rowCount } = await db.query({
    name: 'channel_hear_again',
    text: `with gone as (
             delete from hearings h using mentions m
              where h.account_id = $1 and m.id = h.mention_id and m.channel_id = $2
             returning h.shipment_id
           )
           insert into joins (account_id, id, kind, noted_at)
           select distinct $1::uuid, shipment_id, 'shipment', $3::timestamptz from gone
           on conflict do nothing`,
    values: [of.accountId, of.channelId, of.at],
  })
  return rowCount ?? 0
}
