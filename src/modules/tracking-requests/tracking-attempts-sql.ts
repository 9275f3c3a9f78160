/** The polls of a line that were made for one tracking request, newest first, and what the ledger has of them. */

import type { Db } from '../../db/database.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'
import type { EventCounts } from '../../domain/tracking-requests/event-counts.ts'
import { type EntryOf, entryColumns } from '../../pipeline/ledger/ledger-sql.ts'
import type { PollTargetKind } from '../../pipeline/polling/poll-targets-sql.ts'

export interface AttemptRow {
  readonly id: string
  /** Journey clock. */
  readonly attemptedAt: string
  readonly scac: string
  readonly kind: PollTargetKind
  readonly number: string
  readonly outcome: string
  /**
   * The verdict on the answer (`connectors/source.ts`), or why there was no answer; null when the answer was the same as
   * before.
   */
  readonly detail: string | null
  readonly statusCode: number | null
  readonly durationMs: number
  readonly isUnchanged: boolean
  readonly snapshotId: string | null
  /** How much of the answer is understood, also when the answer is the same as before; null where none was read. */
  readonly events: EventCounts | null
  /** When the poll target is polled next, real clock. */
  readonly nextPollAt: string | null
}

const at = 'coalesce(k.attempted_at, k.started_at)'

/** SQL: when a request ended. */
const until = `case when r.status in ('failed', 'tracking_stopped') then r.updated_at else 'infinity' end`

/** By what the polls of a request are found: its number, and the polls that its entries name. */
interface PollLookup {
  readonly subjectId: string | null
  readonly createdAt: string
  /** `infinity` while it is searched for or tracked. */
  readonly until: string
  readonly recordedTargets: readonly string[]
  readonly recordedPolls: readonly string[]
  readonly recordedTimes: readonly string[]
}

/** Polls belong to no account, so they are found in a second statement. Null when there is no such request. */
async function findPollLookup(
  db: Db,
  of: { readonly accountId: string; readonly trackingRequestId: string },
): Promise<PollLookup | null> {
  const { rows } = await db.query<PollLookup>({
    name: 'request_asked',
    text: `select r.subject_id as "subjectId", r.created_at as "createdAt", ${until} as until, told.*
             from tracking_requests r
            cross join (
              select coalesce(array_agg(l.subject_id), '{}') as "recordedTargets",
                     coalesce(array_agg((l.payload ->> 'look')::uuid), '{}') as "recordedPolls",
                     coalesce(array_agg(l.recorded_at::text), '{}') as "recordedTimes"
                from ledger l
               where l.account_id = $1 and l.tracking_request_id = $2 and l.kind = 'look' and l.payload ? 'look') told
            where r.account_id = $1 and r.id = $2`,
    values: [of.accountId, of.trackingRequestId],
  })
  return rows[0] ?? null
}

/**
 * SQL: the polls that the request's entries name, and, for the poll target under which it is tracked, the polls without
 * news, because those wrote no entry. Left out are polls that others had made before the request, and polls after its
 * end.
 */
const made = `
  with named as (
    select t.subject_id, k.id, k.ended_at, coalesce(${at}, t.recorded_at) as at
      from unnest($4::uuid[], $5::uuid[], $6::timestamptz[]) as t (subject_id, look, recorded_at)
      left join looks k on k.subject_id = t.subject_id and k.id = t.look
  ), made as (
    select subject_id, id, ended_at from named where id is not null
    union
    select k.subject_id, k.id, k.ended_at
      from looks k
     where k.subject_id = $1 and ${at} <= $3
       and ${at} >= coalesce((select min(n.at) from named n where n.subject_id = $1), $2)
  )`
const valuesOf = (of: PollLookup): unknown[] => [
  of.subjectId,
  of.createdAt,
  of.until,
  of.recordedTargets,
  of.recordedPolls,
  of.recordedTimes,
]

export async function readAttempts(
  db: Db,
  of: { readonly accountId: string; readonly trackingRequestId: string; readonly page: PageRequest },
): Promise<Page<AttemptRow>> {
  const lookup = await findPollLookup(db, of)
  if (lookup === null) return { rows: [], total: 0 }
  const { rows } = await db.query<AttemptRow>({
    name: 'read_request_attempts',
    text: `${made}
           select k.id, ${at} as "attemptedAt", s.scac, s.kind, s.number, k.outcome, k.detail, k.status_code as "statusCode",
                  k.duration_ms as "durationMs", k.is_unchanged as "isUnchanged", k.snapshot_id as "snapshotId",
                  s.next_look_at as "nextPollAt",
                  case when t.events_told > 0 then jsonb_build_object(
                    'told', t.events_told, 'aside', t.events_aside, 'understood', t.events_understood,
                    'lost', t.events_lost, 'unread', t.unread) end as events
             from made m
             join looks k on k.subject_id = m.subject_id and k.ended_at = m.ended_at and k.id = m.id
             join subjects s on s.id = k.subject_id
             left join lateral (
               select b.* from looks b
                where b.subject_id = k.subject_id and b.snapshot_id = k.snapshot_id and b.events_told is not null
                order by b.id limit 1) t on true
            order by ${at} desc, k.id desc
            limit $7 offset $8`,
    values: [...valuesOf(lookup), ...boundsOf(of.page)],
  })
  const counted = await db.query<{ total: number }>({
    name: 'count_request_attempts',
    text: `${made} select count(*) as total from made`,
    values: valuesOf(lookup),
  })
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Polls that are no longer listed, because their days were dropped (`poll-partitions-sql.ts`). */
export interface DroppedAttempts {
  readonly attempts: number
  /** Journey clock: when the last of them was made. */
  readonly until: string
}

/** For the number under which the request is tracked, since the request was made. Null when all polls are listed. */
export async function readDroppedAttempts(
  db: Db,
  of: { readonly accountId: string; readonly trackingRequestId: string },
): Promise<DroppedAttempts | null> {
  const { rows } = await db.query<DroppedAttempts>({
    name: 'read_request_attempts_gone',
    text: `with own as materialized (
             select r.created_at, r.subject_id, ${until} as until
               from tracking_requests r where r.account_id = $1 and r.id = $2
           ), gone as (
             select max(ends_at) as before from look_parts where dropped_at is not null
           )
           select count(distinct a.at) as attempts, max(a.at) as until
             from own o
             join look_days d on d.subject_id = o.subject_id
                             and d.day < (select (before at time zone 'UTC')::date from gone)
            cross join lateral unnest(d.succeeded_at || d.failed_at) as a (at)
            where a.at >= o.created_at and a.at <= o.until
           having count(*) > 0`,
    values: [of.accountId, of.trackingRequestId],
  })
  return rows[0] ?? null
}

export type RequestEntry =
  | EntryOf<'request_created'>
  | EntryOf<'look'>
  | Pick<EntryOf<'heard'>, 'kind' | 'recordedAt' | 'payload'>
  | EntryOf<'timer'>

/**
 * How one request was made, what was answered or sent, and when its time ran out, oldest first. What was read is left
 * out.
 */
export async function entriesOfRequest(
  db: Db,
  of: { readonly accountId: string; readonly trackingRequestId: string },
): Promise<readonly RequestEntry[]> {
  const { rows } = await db.query<RequestEntry>({
    name: 'entries_of_request',
    text: `select ${entryColumns}, l.payload - 'heard' as payload
             from ledger l
            where l.account_id = $1 and l.tracking_request_id = $2 and l.kind in ('request_created', 'look', 'heard', 'timer')
            order by l.position`,
    values: [of.accountId, of.trackingRequestId],
  })
  return rows
}
