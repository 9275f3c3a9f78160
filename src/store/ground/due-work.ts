/**
 * Which queues may have work now: one statement for all of them. With nothing to do, a process asks this and no more.
 * The conditions are wider than those of the statements that take work (they ignore leases and limits), never narrower.
 * Each is answered from the first rows of an index.
 */

import type { Db } from '../database.ts'

const conditions = {
  looks: `exists (select from channel_bells)
    or exists (select from channel_queue where lane = 'looks' and ready_at <= $1)`,
  askings: `exists (select from channel_bells)
    or exists (select from channel_queue where lane = 'askings' and ready_at <= $1)`,
  mentions: 'exists (select from mentions where matched_at is null)',
  joins: 'exists (select from joins)',
  codes: 'exists (select from code_rereads where due_at <= $1)',
  wanted: `exists (select from wanted_requests where status = 'waiting' and not_before <= $1)`,
  told: 'exists (select from told_requests)',
  tasks: 'exists (select from tasks)',
  timers: `exists (select from tracking_requests where timer_at <= greatest($2::timestamptz, $3::timestamptz))
    or exists (select from shipments where timer_at <= greatest($2::timestamptz, $3::timestamptz))`,
  events: 'exists (select from events where sequence is null and ordinal >= events_unnumbered_from())',
  deliveries: `exists (select from webhook_notifications
                        where delivery_status = 'pending' and next_attempt_at is not null
                          and created_at >= (select oldest_at from delivery_floor))`,
  mails: 'exists (select from mails where next_attempt_at <= $1)',
  emails: 'exists (select from email_submissions where due_at <= $1)',
  outcomes: 'exists (select from inference_outcomes where sequence is null)',
  imports: 'exists (select from imports where next_place is not null and due_at <= $1)',
  batches: `exists (select from request_batch_items where status = 'queued')`,
  documents: 'exists (select from document_tasks where due_at <= $1)',
  alerts: `exists (select from alert_watches w left join event_counters n on n.account_id = w.account_id
                    where w.due_at <= $1 or n.last_sequence > w.sequence)`,
  alert_messages: `exists (select from alert_messages where status = 'pending' and next_attempt_at <= $1)`,
  charges: `exists (select from charge_books where sweep_at <= $1)
    or exists (select from charge_tallies where is_asked)
    or exists (select from charge_books b where exists (select from charge_tallies t where t.account_id = b.account_id
                 and t.rings_at <= greatest($2::timestamptz, $3::timestamptz)))`,
  folders: 'exists (select from channels where folder is not null and is_enabled)',
} as const

export type Queue = keyof typeof conditions

const queues = Object.keys(conditions) as readonly Queue[]

const dueText = `select array_remove(array[${queues
  .map((queue) => `case when ${conditions[queue]} then '${queue}' end`)
  .join(',\n')}], null) as queues`

/** `now`: the time of the machine. `journeyNow` and `fictionNow`: the clocks of real and of sandbox journeys. */
export async function findDueWork(
  db: Db,
  of: { readonly now: string; readonly journeyNow: string; readonly fictionNow: string },
): Promise<ReadonlySet<Queue>> {
  const { rows } = await db.query<{ queues: readonly Queue[] }>({
    name: 'due_work',
    text: dueText,
    values: [of.now, of.journeyNow, of.fictionNow],
  })
  return new Set(rows[0]?.queues)
}
