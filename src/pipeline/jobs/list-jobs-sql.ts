/**
 * Work of one account that waits, is under way or fails. Each kind is answered from the rows that wait, by an index of
 * the account, and counts no further than a bound.
 */

import type { Db } from '../../db/database.ts'
import { readJsonInstant } from '../../db/listing/json-instant.ts'

/** More rows than this are not counted. */
export const countedMax = 10_000
const failuresMax = 10

export interface JobFailure {
  /** Id of the request, document or delivery. */
  readonly id: string
  readonly name: string | null
  readonly error: string
  readonly attempts: number
  readonly nextAt: string | null
}

/** Work that is done row by row, in order. */
export interface QueueRow {
  readonly kind: QueueKind
  /** `countedMax` + 1: more than that. */
  readonly waiting: number
  readonly oldestAt: string | null
  readonly failing: number
  readonly failures: readonly JobFailure[]
}

/** Work with a known beginning, and where it is to end if `total` is known. */
export interface ProgressRow {
  readonly kind: 'batch' | 'import' | 'readers' | 'rules'
  /** Null: there is one of its kind. */
  readonly id: string | null
  readonly name: string | null
  readonly done: number
  readonly total: number | null
  readonly failed: number
  readonly startedAt: string
  /** When the last piece is due at the earliest, where that is planned. */
  readonly dueAt: string | null
}

interface Queue {
  readonly waiting: string
  /** Null: no row records when it was queued. */
  readonly oldest: string | null
  readonly failing: string
  readonly failure: string
}

/** `from … where` of the rows that wait, the oldest of them, and what is reported of those that were tried in vain. */
const queues = {
  reading: {
    waiting: 'from tasks q where q.account_id = $1',
    oldest: null,
    // The first condition lets the index find them among many that were not tried yet.
    failing: `q.not_before > '-infinity' and q.last_error is not null`,
    failure: `q.tracking_request_id as id,
      (select t.request_number from tracking_requests t where t.account_id = $1 and t.id = q.tracking_request_id) as name,
      q.last_error as error, q.attempts, nullif(q.not_before, '-infinity') as "nextAt"`,
  },
  documents: {
    waiting: 'from document_tasks q where q.account_id = $1',
    oldest: 'min(q.created_at)',
    failing: 'q.last_error is not null',
    failure: `q.document_id as id,
      (select d.name from documents d where d.account_id = $1 and d.id = q.document_id) as name,
      q.last_error as error, q.attempts, q.due_at as "nextAt"`,
  },
  emails: {
    waiting: 'from email_submissions q where q.account_id = $1 and q.due_at is not null',
    oldest: 'min(q.created_at)',
    failing: 'q.attempts > 1',
    failure: `q.id, nullif(q.subject, '') as name, '' as error, q.attempts, q.due_at as "nextAt"`,
  },
  deliveries: {
    waiting: `from webhook_notifications q where q.account_id = $1 and q.delivery_status = 'pending'
      and q.created_at >= (select oldest_at from delivery_floor)`,
    oldest: 'min(q.created_at)',
    failing: 'q.attempts > 0',
    failure: `q.id, q.event as name,
      coalesce((select coalesce(g.error, g.status_code::text) from webhook_notification_logs g
                 where g.account_id = $1 and g.notification_id = q.id and g.created_at >= q.created_at - interval '1 day'
                 order by g.id desc limit 1), '') as error,
      q.attempts, q.next_attempt_at as "nextAt"`,
  },
  charges: {
    waiting: 'from charge_tallies q where q.account_id = $1 and q.is_asked',
    oldest: null,
    failing: 'false',
    failure: `q.container_id as id, null::text as name, '' as error, 0 as attempts, null::timestamptz as "nextAt"`,
  },
} as const satisfies Readonly<Record<string, Queue>>
export type QueueKind = keyof typeof queues
export const queueKinds = Object.keys(queues) as readonly QueueKind[]

const queuesText = queueKinds
  .map((kind) => {
    const { waiting, oldest, failing, failure } = queues[kind]
    return `select '${kind}' as kind,
    (select count(*)::int from (select 1 ${waiting} limit ${countedMax + 1}) as counted) as waiting,
    ${oldest === null ? 'null::timestamptz' : `(select ${oldest} ${waiting})`} as "oldestAt",
    (select count(*)::int from (select 1 ${waiting} and ${failing} limit ${countedMax + 1}) as counted) as failing,
    (select coalesce(json_agg(told), '[]') from (select ${failure} ${waiting} and ${failing} limit ${failuresMax}) as told)
      as failures`
  })
  .join('\nunion all\n')

export async function readQueues(db: Db, accountId: string): Promise<readonly QueueRow[]> {
  const { rows } = await db.query<QueueRow>({
    name: 'jobs_queues',
    text: queuesText,
    values: [accountId],
  })
  return rows.map((row) => ({
    ...row,
    failures: row.failures.map((each) => ({ ...each, nextAt: readJsonInstant(each.nextAt) })),
  }))
}

export async function readProgressRows(db: Db, accountId: string): Promise<readonly ProgressRow[]> {
  const { rows } = await db.query<ProgressRow>({
    name: 'jobs_courses',
    text: `select 'batch' as kind, b.id, null::text as name, b.items_total - q.queued as done, b.items_total as total,
                  0 as failed, b.created_at as "startedAt", q.due_at as "dueAt"
             from (select i.batch_id, count(*)::int as queued, max(i.due_at) as due_at
                     from (select batch_id, due_at from request_batch_items
                            where account_id = $1 and status = 'queued' limit ${10 * countedMax}) i
                    group by i.batch_id) q
             join request_batches b on b.account_id = $1 and b.id = q.batch_id
            union all
           select 'import', m.id, m.file_name, m.next_place, m.rows_total, 0, m.created_at, null
             from imports m where m.account_id = $1 and m.next_place is not null
            union all
           select w.kind, null, null, w.looked_at, null, w.failed, w.started_at, null
             from mendings w where w.account_id = $1 and w.ended_at is null
            order by "startedAt", kind`,
    values: [accountId],
  })
  return rows
}
