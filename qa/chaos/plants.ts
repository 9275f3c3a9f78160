/**
 * More faults that are made on purpose: a notification that is never sent, one that is sent to another account, and two
 * events that swap places.
 */

import type { Pool } from '../../src/db/database.ts'
import { notificationId } from '../../src/modules/webhooks/notification-id.ts'
import { eventually } from '../../test/support/eventually.ts'
import { post } from '../kill/client.ts'
import type { Account, Webhook } from './customers.ts'

export const plants = ['loss', 'duplicate', 'leak', 'reorder'] as const
export type Plant = (typeof plants)[number]

/** Makes a webhook of the second account point at a receiver of the first, and has one notification sent again. */
export async function plantLeak(
  pool: Pool,
  accounts: readonly Account[],
  redelivered: Map<string, number>,
): Promise<string> {
  const [first, second] = accounts
  const webhook = second?.webhooks[0]
  const receiver = first?.webhooks[0]?.receiver
  if (second === undefined || webhook === undefined || receiver === undefined) throw new Error('too few accounts')
  const { rows } = await pool.query<{ readonly id: string; readonly event: string }>(
    `select id, event from webhook_notifications
      where account_id = $1 and webhook_id = $2 and delivery_status = 'succeeded' order by sequence limit 1`,
    [second.id, webhook.id],
  )
  const { id = '', event = '' } = rows[0] ?? {}
  await pool.query('update webhooks set url = $3 where account_id = $1 and id = $2', [
    second.id,
    webhook.id,
    receiver.url,
  ])
  redelivered.set(id, (redelivered.get(id) ?? 0) + 1)
  await post(second, `/v2/webhook_notifications/${id}/redeliver`, {})
  await eventually(async () => receiver.arrivals.find((arrival) => arrival.id === id) ?? null, {
    withinMs: 20_000,
    late: () => 'The planted leak was not sent.',
  })
  return `Planted: ${event} ${id} of ${second.name} was sent to a receiver of ${first?.name}.`
}

/** Marks a notification as delivered that was never sent, like a worker that writes before it sends. */
export async function plantUnsent(pool: Pool, account: Account, webhook: Webhook): Promise<string> {
  const { rows } = await pool.query<{ readonly id: string; readonly name: string }>(
    `select e.id, e.name from events e join webhooks w on w.account_id = e.account_id and w.id = $2 and e.name = any(w.events)
      where e.account_id = $1
        and not exists (select from webhook_notifications n where n.account_id = e.account_id and n.event_id = e.id and n.webhook_id = $2)
      order by e.sequence limit 1`,
    [account.id, webhook.id],
  )
  const [event] = rows
  if (event === undefined) throw new Error('the webhook that was off missed nothing')
  const createdAt = new Date().toISOString()
  const id = notificationId({ eventId: event.id, webhookId: webhook.id, createdAt })
  await pool.query(
    `insert into webhook_notifications (account_id, id, webhook_id, event_id, event, sequence, lane_id, delivery_status, attempts, created_at)
     select account_id, $3, $2, id, name, sequence, coalesce(shipment_id, tracking_request_id, id), 'succeeded', 1, $5
       from events where account_id = $1 and id = $4`,
    [account.id, webhook.id, id, event.id, createdAt],
  )
  return `Planted: ${event.name} ${id} to ${account.name} (${webhook.receiver.mode}) is called delivered and was never sent.`
}

/** Swaps the numbers of two numbered events of one shipment, like a sequencer that lost the order. */
export async function plantReorder(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{
    readonly account_id: string
    readonly one: string
    readonly other: string
    readonly low: number
    readonly high: number
  }>(
    `select account_id, id as one, next_id as other, sequence as low, next_sequence as high
       from (select account_id, id, sequence, lead(id) over lane as next_id, lead(sequence) over lane as next_sequence
               from events where shipment_id is not null
             window lane as (partition by account_id, shipment_id order by sequence)) pairs
      where next_id is not null order by sequence desc limit 1`,
  )
  const [swap] = rows
  if (swap === undefined) throw new Error('no shipment has two events')
  const number = 'update events set sequence = $3 where account_id = $1 and id = $2'
  await pool.query(number, [swap.account_id, swap.one, null])
  await pool.query(number, [swap.account_id, swap.other, swap.low])
  await pool.query(number, [swap.account_id, swap.one, swap.high])
  return `Planted: events ${swap.low} and ${swap.high} of one shipment have changed places.`
}
