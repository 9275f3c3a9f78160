/** The durable work between a poll and its projection: one row for each request of an account, leased in order. */

import type { Db } from '../../db/database.ts'
import { findNextRoundRobin } from '../../db/distributed/acquire-per-account.ts'

interface TaskPayload {
  /** The id of the poll in the log of polls; missing in tasks that an older version wrote. */
  readonly look?: string
  /** `traceparent` of the poll, where traces are on and it is recorded. */
  readonly trace?: string
  /** Set when there is no snapshot to read. */
  readonly outcome?: 'unreachable' | 'internal_error'
  /** For a message of a partner: which delivery it is. */
  readonly mention?: string
}

/** What a poll found, for one account's request. */
export interface IngestTask {
  readonly id: number
  readonly accountId: string
  readonly isSandbox: boolean
  readonly trackingRequestId: string
  /** The shipment of the request when the task was leased; null while the request is searched for. */
  readonly shipmentId: string | null
  readonly subjectId: string
  readonly snapshotId: string | null
  readonly payload: TaskPayload
  /** This attempt included. */
  readonly attempts: number
  /** Why it was not done the last time. */
  readonly lastError: string | null
  /** About how many claims its shipment has: 40 for each container, and 40 while the containers are not known. */
  readonly weight: number
}

/** One task for every live request of the poll target. Returns how many. */
export async function enqueueForPollTarget(
  db: Db,
  poll: {
    readonly subjectId: string
    readonly snapshotId: string | null
    readonly payload: TaskPayload
    /**
     * True: only requests that have no shipment yet, because the answer is no news to the others. False: also tracked
     * requests, and those that stopped because all containers seemed to be back. That stop was inferred and may be
     * contradicted, so they still ingest news when somebody else keeps the poll target polled.
     */
    readonly onlyUnresolved: boolean
  },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'tasks_enqueue',
    text: `insert into tasks (account_id, tracking_request_id, kind, subject_id, snapshot_id, payload)
           select account_id, id, 'absorb', subject_id, $2, $3
             from tracking_requests
            where subject_id = $1
              and (status in ('pending', 'awaiting_manifest')
                   or not $4 and (status = 'created'
                                  or status = 'tracking_stopped'
                                     and lifecycle ->> 'stoppedReason' = 'all_containers_terminated'))
            order by account_id, id`,
    values: [poll.subjectId, poll.snapshotId, JSON.stringify(poll.payload), poll.onlyUnresolved],
  })
  return rowCount ?? 0
}

/** One task for each listener that has not ingested the mention. */
export async function enqueueMentions(
  db: Db,
  of: {
    readonly mentionId: string
    readonly subjectId: string
    readonly snapshotId: string
    readonly listeners: readonly {
      readonly accountId: string
      readonly trackingRequestId: string
      readonly shipmentId: string | null
    }[]
  },
): Promise<void> {
  if (of.listeners.length === 0) return
  await db.query({
    name: 'tasks_enqueue_mentions',
    text: `insert into tasks (account_id, tracking_request_id, kind, subject_id, snapshot_id, payload)
           select l.account_id, l.request_id, 'absorb', $1, $2, jsonb_build_object('mention', $3::uuid)
             from unnest($4::uuid[], $5::uuid[], $6::uuid[]) as l (account_id, request_id, shipment_id)
            where not exists (select from hearings h
                               where h.account_id = l.account_id and h.shipment_id = l.shipment_id and h.mention_id = $3)
            order by l.account_id, l.request_id`,
    values: [
      of.subjectId,
      of.snapshotId,
      of.mentionId,
      of.listeners.map(({ accountId }) => accountId),
      of.listeners.map(({ trackingRequestId }) => trackingRequestId),
      of.listeners.map(({ shipmentId }) => shipmentId),
    ],
  })
}

/** Returns a task that threw, to be tried again later. A task is never dropped. */
export async function failTask(
  db: Db,
  task: {
    readonly accountId: string
    readonly id: number
    readonly token: string
    readonly notBefore: string
    readonly error: string
  },
): Promise<void> {
  await db.query({
    name: 'task_postpone',
    text: `update tasks set lease_token = null, leased_until = null, not_before = $3, last_error = $4
            where account_id = $5 and id = $1 and lease_token = $2`,
    values: [task.id, task.token, task.notBefore, task.error, task.accountId],
  })
}

/** The error of a task that its worker did not end in any way: the process is gone, or took too long. */
export const unfinished = 'a worker took it and did not come to an end with it'

/** Tasks under one lease, each of another request, oldest first. */
export interface TasksOfAccount {
  readonly accountId: string
  readonly tasks: readonly IngestTask[]
}

/**
 * Leases the oldest due task of each request, `max` at most, of the next account after `after` that has a due task. A
 * task that was tried before is leased alone: it may be what ended the process, and if it does so again, it waits
 * longer each time. Null when nothing is due. No tasks when another worker leased them meanwhile: then call again after
 * this account.
 *
 * Measured with PostgreSQL 15.18 on two cores, both statements with their round trips, medians: 1.8 ms with 100,000
 * tasks of one account; 0.8 ms with 1,000 accounts of one task each; 5.9 ms for one task that is due beside 100,000 of
 * another account that are not due yet; 0.2 ms with 1,000 accounts of which none has anything due. The limit has a part
 * that is always 0 and that the planner does not know: otherwise the first plans use its value, and sort the rows
 * instead of walking along the index.
 */
export async function leaseTasks(
  db: Db,
  lease: {
    readonly token: string
    readonly now: string
    readonly until: string
    /** The account that was served last; null to begin anywhere. */
    readonly after: string | null
    readonly max: number
  },
): Promise<TasksOfAccount | null> {
  const accountId = await nextAccount(db, lease.after, lease.now)
  if (accountId === null) return null
  const { rows } = await db.query<IngestTask>({
    name: 'task_set_lease',
    text: `with fresh as materialized (
             select ${leasedColumns} ${freshTasksSql('$1', '$3')} limit $5::int + floor(random())::int for update skip locked
           ), tried as materialized (
             select ${leasedColumns} ${postponedTasksSql('$1', '$3')} limit 1 for update skip locked
           ), due as (
             select * from fresh union all select * from tried
           ), first as (
             select id, attempts > 0 as is_alone from due order by id limit 1
           )
           update tasks t
              set lease_token = $2, leased_until = $4, attempts = t.attempts + 1,
                  not_before = d.not_before, last_error = case when t.attempts = 0 then t.last_error else $6 end
             from due d, first, accounts a
            where t.account_id = $1 and a.id = $1 and t.id = d.id
              and case when first.is_alone then d.id = first.id else d.attempts = 0 end
           returning t.id, t.account_id as "accountId", a.is_fiction as "isSandbox",
                     t.tracking_request_id as "trackingRequestId", ${ofItsRequest('r.shipment_id')} as "shipmentId",
                     t.subject_id as "subjectId", t.snapshot_id as "snapshotId", t.payload, t.attempts,
                     d.last_error as "lastError",
                     40 * greatest(1, ${ofItsRequest('cardinality(s.container_ids)')}) as weight`,
    values: [accountId, lease.token, lease.now, lease.until, lease.max, unfinished],
  })
  return { accountId, tasks: rows.toSorted((a, b) => a.id - b.id) }
}

/** SQL: a task that is about to be leased. When it was leased before, it waits longer each time. */
const leasedColumns = `t.id, t.attempts, t.last_error,
               case when t.attempts = 0 then t.not_before
                    else $4::timestamptz + least(power(2, t.attempts), 256) * interval '5 seconds' end as not_before`

/** SQL: of the request `r` of the task `t`, or of its shipment `s`. */
const ofItsRequest = (value: string): string => `
  (select ${value} from tracking_requests r left join shipments s on s.account_id = $1 and s.id = r.shipment_id
    where r.account_id = $1 and r.id = t.tracking_request_id)`

/** Walks along the index, and only as far as the first task that may be leased. */
function nextAccount(db: Db, after: string | null, now: string): Promise<string | null> {
  return findNextRoundRobin(after, async (above, upTo) => {
    const { rows } = await db.query<{ accountId: string }>({
      name: 'task_set_account',
      text: `select t.account_id as "accountId" from tasks t
              where t.account_id > $1 and t.account_id <= $2 and t.not_before <= $3 and ${isLeasableSql('t.account_id', '$3')}
              order by t.account_id, t.not_before, t.id limit 1`,
      values: [above, upTo, now],
    })
    return rows[0]?.accountId ?? null
  })
}

/** SQL: tasks that were not postponed, oldest first. */
function freshTasksSql(account: string, now: string): string {
  return `from tasks t
          where t.account_id = ${account} and t.not_before <= '-infinity' and ${isLeasableSql(account, now)}
          order by t.account_id, t.not_before, t.id`
}

/** SQL: tasks that were postponed and whose time has come, in the order in which it came. */
function postponedTasksSql(account: string, now: string): string {
  return `from tasks t
          where t.account_id = ${account} and t.not_before > '-infinity' and t.not_before <= ${now} and ${isLeasableSql(account, now)}
          order by t.account_id, t.not_before, t.id`
}

/**
 * SQL: true for a task that nobody leases and that is the oldest of its request. It is checked task by task on the walk
 * along the index `tasks_due`. It is written as a `case`, and the oldest is compared by >= although it is never
 * greater. Otherwise the planner believes that such tasks are very rare, above all before the table is first analyzed,
 * and reads and sorts all tasks.
 */
function isLeasableSql(account: string, now: string): string {
  return `case when t.leased_until is null or t.leased_until < ${now} then
            (select o.id from tasks o
              where o.account_id = ${account} and o.tracking_request_id = t.tracking_request_id
              order by o.account_id, o.tracking_request_id, o.id limit 1) >= t.id
          else false end`
}

/**
 * Ends those tasks that are still under this lease, in the transaction that does their work. Returns which ones.
 * Nothing in this transaction waits for a lock longer than `lockMs`: a row that somebody else has locked must not delay
 * the other tasks.
 */
export async function completeTasks(
  db: Db,
  of: {
    readonly accountId: string
    readonly ids: readonly number[]
    readonly token: string
    readonly lockMs: number
  },
): Promise<readonly number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'task_set_end',
    text: `with ended as (
             delete from tasks where account_id = $1 and id = any($2::bigint[]) and lease_token = $3 returning id
           )
           select id, set_config('lock_timeout', $4, true) from ended order by id`,
    values: [of.accountId, of.ids, of.token, `${of.lockMs}ms`],
  })
  return rows.map(({ id }) => id)
}
