/** How much of each line's newest answers was understood, and for which lines that suddenly became less. */

import type { Db } from '../../db/database.ts'
import type { AnswerWindow } from '../../domain/tracking-requests/event-counts.ts'
import type { PollTargetKind } from '../../pipeline/polling/poll-targets-sql.ts'

/** The answers of one access to a line: the newest ones, and as many before them. */
export interface LineReading {
  readonly credentialId: string
  readonly scac: string
  readonly isSandbox: boolean
  readonly now: AnswerWindow
  readonly before: AnswerWindow
  /** Median time that the answers of `now` took. */
  readonly answerMs: number
}

const windowColumns = (prefix: string, condition: string): string => `
  count(*) filter (where ${condition}) as ${prefix}_answers,
  coalesce(sum(events_told) filter (where ${condition}), 0)::integer as ${prefix}_told,
  coalesce(sum(events_aside) filter (where ${condition}), 0)::integer as ${prefix}_aside,
  coalesce(sum(events_understood) filter (where ${condition}), 0)::integer as ${prefix}_understood,
  count(distinct subject_id) filter (where ${condition} and events_understood < events_told - events_aside)
    as ${prefix}_losing`

type Sums<Prefix extends string> = Readonly<
  Record<`${Prefix}_${'answers' | 'told' | 'aside' | 'understood' | 'losing'}`, number>
>

/**
 * `credentialIds` null: all accesses. An index has these polls by access, newest first, so that two windows of each are
 * read.
 */
export async function readLineReadings(
  db: Db,
  of: { readonly credentialIds: readonly string[] | null; readonly answers: number },
): Promise<readonly LineReading[]> {
  const { rows } = await db.query<
    Pick<LineReading, 'credentialId' | 'scac' | 'isSandbox' | 'answerMs'> & Sums<'now'> & Sums<'before'>
  >({
    name: 'line_readings',
    text: `select c.id as "credentialId", c.scac, c.is_fiction as "isSandbox", w.*
             from channels c
            cross join lateral (
              select ${windowColumns('now', 'place <= $2')}, ${windowColumns('before', 'place > $2')},
                     percentile_disc(0.5) within group (order by duration_ms) filter (where place <= $2) as "answerMs"
                from (select subject_id, duration_ms, events_told, events_aside, events_understood,
                             row_number() over (order by ended_at desc) as place
                        from looks
                       where credential_id = c.id and events_told > events_aside
                       order by ended_at desc limit 2 * $2::integer) newest) w
            where ($1::uuid[] is null or c.id = any($1)) and w.now_answers > 0`,
    values: [of.credentialIds, of.answers],
  })
  return rows.map((row) => ({
    credentialId: row.credentialId,
    scac: row.scac,
    isSandbox: row.isSandbox,
    answerMs: row.answerMs,
    now: windowOf(row.now_answers, row.now_told, row.now_aside, row.now_understood, row.now_losing),
    before: windowOf(row.before_answers, row.before_told, row.before_aside, row.before_understood, row.before_losing),
  }))
}

export interface EventTotals {
  readonly answers: number
  readonly understood: number
  readonly partly: number
  readonly lost: number
}

/** How the events of the newest answers through one access were read. */
export async function sumEvents(
  db: Db,
  of: { readonly credentialId: string; readonly answers: number },
): Promise<EventTotals> {
  const { rows } = await db.query<EventTotals>({
    name: 'access_events',
    text: `select count(*)::integer as answers, coalesce(sum(events_understood), 0)::integer as understood,
                  coalesce(sum(events_told - events_aside - events_understood - coalesce(events_lost, 0)), 0)::integer
                    as partly,
                  coalesce(sum(events_lost), 0)::integer as lost
             from (select events_told, events_aside, events_understood, events_lost
                     from looks
                    where credential_id = $1 and events_told > events_aside
                    order by ended_at desc limit $2) newest`,
    values: [of.credentialId, of.answers],
  })
  return rows[0] ?? { answers: 0, understood: 0, partly: 0, lost: 0 }
}

function windowOf(
  answers: number,
  statedCount: number,
  ignoredCount: number,
  understood: number,
  numbersWithLosses: number,
): AnswerWindow {
  return { answers, told: statedCount, aside: ignoredCount, understood, numbersWithLosses }
}

/**
 * One of the answers that are not understood: its number, and how many of its events were not understood, by reason.
 */
export interface UnreadExample {
  readonly kind: PollTargetKind
  readonly number: string
  readonly snapshotId: string | null
  readonly unread: Readonly<Record<string, number>>
}

export interface UnreadJump {
  readonly credentialId: string
  readonly beganAt: string
  readonly shareBefore: number
  readonly shareNow: number
  readonly example: UnreadExample
}

/** The newest answer of which something was not understood. */
export async function findUnreadExample(db: Db, credentialId: string): Promise<UnreadExample | null> {
  const { rows } = await db.query<{ -readonly [Name in keyof UnreadExample]: UnreadExample[Name] }>({
    name: 'line_unread_example',
    text: `select s.kind, s.number, k.snapshot_id as "snapshotId", k.unread
             from looks k join subjects s on s.id = k.subject_id
            where k.credential_id = $1 and k.events_told > k.events_aside
              and k.events_understood < k.events_told - k.events_aside
            order by k.ended_at desc limit 1`,
    values: [credentialId],
  })
  return rows[0] ?? null
}

/** Returns false when it is on record already: of several processes only one begins it. */
export async function beginJump(db: Db, jump: UnreadJump): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'unread_jump_begin',
    text: `insert into unread_jumps (credential_id, began_at, share_before, share_now, example)
           values ($1, $2, $3, $4, $5) on conflict (credential_id) do nothing`,
    values: [jump.credentialId, jump.beganAt, jump.shareBefore, jump.shareNow, JSON.stringify(jump.example)],
  })
  return rowCount === 1
}

/** Returns false when another process has ended it. */
export async function endJump(db: Db, credentialId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'unread_jump_end',
    text: `delete from unread_jumps where credential_id = $1`,
    values: [credentialId],
  })
  return rowCount === 1
}

export type LineJump = UnreadJump & Pick<LineReading, 'scac' | 'isSandbox'>

/** Jumps that have not ended, oldest first. */
export async function listJumps(db: Db): Promise<readonly LineJump[]> {
  const { rows } = await db.query<LineJump & { beganAt: string }>({
    name: 'unread_jumps',
    text: `select j.credential_id as "credentialId", c.scac, c.is_fiction as "isSandbox", j.began_at as "beganAt",
                  j.share_before as "shareBefore", j.share_now as "shareNow", j.example
             from unread_jumps j join channels c on c.id = j.credential_id
            order by j.began_at, j.credential_id`,
  })
  return rows
}
