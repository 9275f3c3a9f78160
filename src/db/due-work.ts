/**
 * Which queues may have work now: one statement for all of them. With nothing to do, a process sends only this
 * statement. The conditions are wider than those of the statements that lease work (they ignore leases and limits),
 * never narrower. Each is decided by the first rows of an index.
 */

import type { Db } from './database.ts'

/** On many nodes, each of them is queried for one row; without the limit, for all. */
const existsSql = (rows: string): string => `exists (select 1 from ${rows} limit 1)`

/** The journeys' clock that is further. */
const journeyNow = 'greatest($2::timestamptz, $3::timestamptz)'

const conditions = {
  looks: `${existsSql('channel_bells')} or ${existsSql(`channel_queue where lane = 'looks' and ready_at <= $1`)}`,
  askings: `${existsSql('channel_bells')} or ${existsSql(`channel_queue where lane = 'askings' and ready_at <= $1`)}`,
  mentions: existsSql('mentions where matched_at is null'),
  joins: existsSql('joins'),
  codes: existsSql('code_rereads where due_at <= $1'),
  wanted: existsSql(`wanted_requests where status = 'waiting' and not_before <= $1`),
  told: existsSql('told_requests'),
  tasks: existsSql('tasks'),
  timers: `${existsSql(`tracking_requests where timer_at <= ${journeyNow}`)} or ${existsSql(`shipments where timer_at <= ${journeyNow}`)}`,
  events: existsSql('events where sequence is null'),
  deliveries: existsSql(`webhook_notifications where delivery_status = 'pending' and next_attempt_at is not null
                       and created_at >= (select oldest_at from delivery_floor)`),
  mails: existsSql('mails where next_attempt_at <= $1'),
  emails: existsSql('email_submissions where due_at <= $1'),
  outcomes: existsSql('inference_outcomes where sequence is null'),
  imports: existsSql('imports where next_place is not null and due_at <= $1'),
  batches: existsSql(`request_batch_items where status = 'queued'`),
  documents: existsSql('document_tasks where due_at <= $1'),
  alerts: existsSql(`alert_watches w left join event_counters n on n.account_id = w.account_id
                 where w.due_at <= $1 or n.last_sequence > w.sequence`),
  alert_messages: existsSql(`alert_messages where status = 'pending' and next_attempt_at <= $1`),
  charges: `${existsSql('charge_books where sweep_at <= $1')} or ${existsSql('charge_tallies where is_asked')}
    or ${existsSql(`charge_books b where exists (select 1 from charge_tallies t where t.account_id = b.account_id
                 and t.rings_at <= ${journeyNow})`)}`,
  scorecards: existsSql('eta_outcomes_due'),
  overdue: `${existsSql('container_expectations where is_asked')} or ${existsSql(
    `container_expectations where overdue_at is null and due_at <= ${journeyNow}`,
  )}`,
  folders: existsSql('channels where folder is not null and is_enabled'),
} as const

export type Queue = keyof typeof conditions

const queues = Object.keys(conditions) as readonly Queue[]

const dueText = `select array_remove(array[${queues
  .map((queue) => `case when ${conditions[queue]} then '${queue}' end`)
  .join(',\n')}], null) as queues`

/** `now`: the time of the machine. `journeyNow` and `sandboxNow`: the clocks of real and of sandbox journeys. */
export async function findDueWork(
  db: Db,
  of: { readonly now: string; readonly journeyNow: string; readonly sandboxNow: string },
): Promise<ReadonlySet<Queue>> {
  const { rows } = await db.query<{ queues: readonly Queue[] }>({
    name: 'due_work',
    text: dueText,
    values: [of.now, of.journeyNow, of.sandboxNow],
  })
  return new Set(rows[0]?.queues)
}
