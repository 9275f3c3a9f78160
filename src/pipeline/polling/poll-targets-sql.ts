/** Poll targets: what is polled, with whose access, and when next. `due-poll-targets-sql.ts` selects what is due. */

import type { Db } from '../../db/database.ts'
import { liveOnes } from '../projection/live-statuses-sql.ts'

export type PollTargetKind = 'container' | 'bill_of_lading' | 'booking'

/**
 * The poll target of this number under this credential. It is created when it does not exist, and is due at `dueAt` if
 * the caller wants a poll.
 */
export async function ensurePollTarget(
  db: Db,
  pollTarget: {
    readonly id: string
    readonly credentialId: string
    readonly scac: string
    readonly kind: PollTargetKind
    readonly number: string
    readonly createdAt: string
    readonly dueAt: string | null
    /** The account in whose subqueue it is polled. */
    readonly accountId: string
  },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: 'subject_ensure',
    text: `insert into subjects (id, credential_id, scac, kind, number, created_at, next_look_at, urgency, dealt_to)
           values ($1, $2, $3, $4, $5, $6, $7, 0, $8)
           on conflict (credential_id, kind, number)
           do update set next_look_at = least(subjects.next_look_at, excluded.next_look_at),
                         urgency = case when excluded.next_look_at is null then subjects.urgency else 0 end,
                         dealt_to = case when excluded.next_look_at is null then subjects.dealt_to else excluded.dealt_to end
           returning id`,
    values: [
      pollTarget.id,
      pollTarget.credentialId,
      pollTarget.scac,
      pollTarget.kind,
      pollTarget.number,
      pollTarget.createdAt,
      pollTarget.dueAt,
      pollTarget.accountId,
    ],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the poll target was not written')
  return row.id
}

/** Records that a poll ended. Returns false when the lease had run out and another worker had taken over. */
export async function finishPoll(
  db: Db,
  poll: {
    readonly subjectId: string
    readonly token: string
    readonly attemptedAt: string
    readonly succeeded: boolean
    readonly snapshotId: string | null
    readonly nextPollAt: string
    /** About its answer; null where the answer had no events. */
    readonly isPartlyUnderstood: boolean | null
    /** How many requests the poll needed. */
    readonly requests: number
    /** Of a valid answer. A poll without one leaves the earlier value. */
    readonly etag: string | null
  },
): Promise<boolean> {
  const { subjectId, token, attemptedAt, succeeded, snapshotId, nextPollAt } = poll
  const { rowCount } = await db.query({
    name: 'subject_finish',
    text: `update subjects
              set lease_token = null, leased_until = null, next_look_at = $6, last_attempted_at = $3,
                  last_succeeded_at = case when $4 then $3 else last_succeeded_at end,
                  last_snapshot_id = coalesce($5, last_snapshot_id),
                  is_partly_understood = coalesce($7, is_partly_understood),
                  failures = case when $4 then 0 else failures + 1 end,
                  requests = greatest(1, least($8, 1000)), etag = case when $5::uuid is null then etag else $9 end
            where id = $1 and lease_token = $2`,
    values: [
      subjectId,
      token,
      attemptedAt,
      succeeded,
      snapshotId,
      nextPollAt,
      poll.isPartlyUnderstood,
      poll.requests,
      poll.etag,
    ],
  })
  return rowCount === 1
}

/**
 * Locks the poll targets, in order of id. What is read of their requests afterwards stays true until the transaction
 * ends.
 */
export async function lockPollTargets(db: Db, subjectIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'subjects_lock',
    text: `select id from subjects where id = any($1::uuid[]) order by id for no key update`,
    values: [subjectIds],
  })
}

/** SQL: the channel of the poll target can be polled at all. */
const isPolled = `exists (select from channels c where c.id = s.credential_id and c.is_asked)`

/** Moves the next poll forward to `at`, as for a new request of this account. Never delays it. */
export async function pollNoLaterThan(
  db: Db,
  subjectId: string,
  { at, accountId }: { readonly at: string; readonly accountId: string },
): Promise<void> {
  await db.query({
    name: 'subject_hasten',
    text: `update subjects s set next_look_at = least(next_look_at, $2), urgency = 0, dealt_to = $3
            where id = $1 and ${isPolled}`,
    values: [subjectId, at, accountId],
  })
}

/** Stops the polls of poll targets that no live request needs any more. */
export async function retireIdlePollTargets(db: Db, subjectIds: readonly string[]): Promise<void> {
  // The lock is a statement of its own: a request that is being made holds this lock, and the next statement must see
  // that request.
  await lockPollTargets(db, subjectIds)
  const { rows } = await db.query<{ id: string }>({
    name: 'subjects_needed',
    text: `select distinct subject_id as id from tracking_requests
            where subject_id = any($1::uuid[]) and status in ${liveOnes}`,
    values: [subjectIds],
  })
  const needed = new Set(rows.map(({ id }) => id))
  await db.query({
    name: 'subjects_retire_idle',
    text: `update subjects set next_look_at = null where id = any($1::uuid[]) and next_look_at is not null`,
    values: [subjectIds.filter((id) => !needed.has(id))],
  })
}

export async function markUnconfirmed(db: Db, subjectIds: readonly string[], isUnconfirmed: boolean): Promise<void> {
  if (subjectIds.length === 0) return
  await db.query({
    name: 'subject_unconfirmed',
    text: `update subjects set is_unconfirmed = $2 where id = any($1::uuid[]) and is_unconfirmed <> $2`,
    values: [subjectIds, isUnconfirmed],
  })
}

/** How a poll target is polled and read. */
export interface PollTargetAccess {
  readonly kind: PollTargetKind
  readonly number: string
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly channelId: string
  /** True for a channel of the whole installation. */
  readonly isOfAll: boolean
}

/** How a poll target is polled: enough to read its snapshots again. */
export async function getPollTargetAccess(db: Db, subjectId: string): Promise<PollTargetAccess> {
  const { rows } = await db.query<PollTargetAccess>({
    name: 'subject_access',
    text: `select s.kind, s.number, c.source, c.profile, c.id as "channelId", c.account_id is null as "isOfAll"
             from subjects s join channels c on c.id = s.credential_id where s.id = $1`,
    values: [subjectId],
  })
  const row = rows[0]
  if (row === undefined) throw new Error(`subject ${subjectId} is gone`)
  return row
}

/**
 * Moves the polls of a tracked shipment forward to now, as urgent ones, except where a poll ended less than `gapMs` ago
 * (real time). Returns how many poll targets will be polled.
 */
export async function hastenPolls(
  db: Db,
  of: {
    readonly accountId: string
    readonly shipmentId: string
    readonly now: string
    readonly gapMs: number
  },
): Promise<number> {
  // In a statement of its own, because polls and poll targets belong to no account.
  const { rows } = await db.query<{ id: string }>({
    name: 'subjects_of_shipment',
    text: `select distinct subject_id as id from tracking_requests
            where account_id = $1 and shipment_id = $2 and status = 'created' and subject_id is not null`,
    values: [of.accountId, of.shipmentId],
  })
  const { rowCount } = await db.query({
    name: 'subjects_hasten',
    text: `update subjects s set next_look_at = $3, urgency = least(urgency, 1), dealt_to = $1
            where s.id = any($2::uuid[])
              and ${isPolled}
              and not exists (select 1 from looks l
                               where l.subject_id = s.id and l.ended_at > $3::timestamptz - $4 * interval '1 millisecond')`,
    values: [of.accountId, rows.map(({ id }) => id), of.now, of.gapMs],
  })
  return rowCount ?? 0
}
