/** The bytes of deliveries, each stored once for all webhooks that get them. */

import type { Db } from '../../db/database.ts'
import { acquirePerAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'
import { compareText } from '../../domain/statements/statement.ts'
import { queueFloor } from './delivery-floor-sql.ts'
import { cardinalityLimitSql } from './webhook-notifications-sql.ts'

export interface PayloadKey {
  readonly accountId: string
  readonly eventId: string
  /** What the bytes depend on beside the event. */
  readonly variant: string
}

export interface Payload extends PayloadKey {
  readonly body: Buffer
}

/**
 * Stores an account's payloads. Returns which bytes are stored now under each key: those of another process where that
 * was first. Rows are inserted in the order of their keys, so that two processes never wait for each other.
 */
export async function storePayloads(
  db: Db,
  accountId: string,
  payloads: readonly Payload[],
  now: string,
): Promise<readonly Buffer[]> {
  const inOrder = payloads.toSorted((a, b) => compareText(a.eventId, b.eventId) || compareText(a.variant, b.variant))
  // One value for all bytes: the driver sends it as it is, but would write each element of an array in hex.
  let nextStart = 1
  const starts = inOrder.map(({ body }) => {
    const start = nextStart
    nextStart += body.length
    return start
  })
  const { rowCount } = await db.query({
    name: 'payloads_store',
    text: `insert into webhook_payloads (account_id, event_id, variant, body, stored_at)
           select $1::uuid, p.event_id, p.variant, substring($4::bytea from p.start for p.length), $7::timestamptz
             from unnest($2::uuid[], $3::text[], $5::integer[], $6::integer[]) as p (event_id, variant, start, length)
               on conflict do nothing`,
    values: [
      accountId,
      inOrder.map(({ eventId }) => eventId),
      inOrder.map(({ variant }) => variant),
      Buffer.concat(inOrder.map(({ body }) => body)),
      starts,
      inOrder.map(({ body }) => body.length),
      now,
    ],
  })
  const stored = rowCount === payloads.length ? [] : await readPayloads(db, accountId, payloads)
  return payloads.map(({ body }, place) => stored[place] ?? body)
}

/** Null where nothing is stored. */
export async function readPayloads(
  db: Db,
  accountId: string,
  keys: readonly PayloadKey[],
): Promise<readonly (Buffer | null)[]> {
  const { rows } = await db.query<{ eventId: string; variant: string; body: Buffer }>({
    name: 'payloads_read',
    text: `select p.event_id as "eventId", p.variant, p.body
             from (select * from unnest($2::uuid[], $3::text[]) as k (event_id, variant)
                     ${cardinalityLimitSql('$2::uuid[]')}) k
             join webhook_payloads p on p.account_id = $1 and p.event_id = k.event_id and p.variant = k.variant`,
    values: [accountId, keys.map(({ eventId }) => eventId), keys.map(({ variant }) => variant)],
  })
  const byKey = new Map(rows.map((row) => [keyText(row), row.body]))
  return keys.map((key) => byKey.get(keyText(key)) ?? null)
}

const keyText = ({ eventId, variant }: Pick<PayloadKey, 'eventId' | 'variant'>): string => `${eventId} ${variant}`

/** Those of an event that is still to be delivered stay. When one is sent after that, its document is written again. */
export async function deletePayloads(
  db: Db,
  aged: { readonly before: string; readonly limit: number },
): Promise<number> {
  const found = await db.query<RowOfAccount>({
    name: 'payloads_aged',
    text: `select account_id as "accountId", event_id as id from webhook_payloads p
            where stored_at < $1
              and not exists (select 1 from webhook_notifications n
                               where n.account_id = p.account_id and n.event_id = p.event_id
                                 and n.delivery_status = 'pending' and n.created_at >= ${queueFloor})
            order by stored_at limit $2`,
    values: [aged.before, aged.limit],
  })
  const deleted = await acquirePerAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query({
      name: 'payloads_delete',
      text: `with old as (
               select event_id, variant from webhook_payloads
                where account_id = $1 and event_id = any($2::uuid[]) and stored_at < $3
                order by event_id, variant for update skip locked
             )
             delete from webhook_payloads p using old
              where p.account_id = $1 and p.event_id = old.event_id and p.variant = old.variant
             returning p.event_id`,
      values: [accountId, ids, aged.before],
    })
    return rows
  })
  return deleted.length
}
