/**
 * The parts of tables that are partitioned by time, a day or a month each (UTC, migration 0113). They are made ahead and
 * dropped as a whole. A row whose part was not made is in the default partition, and moves when the part is made. Events
 * have parts of the order of writing (migration 0124): one is made ahead, and opened when a month begins.
 */

import type { Db } from '../database.ts'

export type PartedTable =
  | 'day_looks'
  | 'vessel_positions'
  | 'webhook_notifications'
  | 'webhook_notification_logs'

/** What this module makes ahead, cuts and drops. */
export type KeptInParts = PartedTable | 'events'

/**
 * The first days of the parts that these days (2026-11-23) lack, and of those that rows from `from` on lack because they
 * came when there was none.
 */
export async function missingParts(
  db: Db,
  of: { readonly table: PartedTable; readonly days: readonly string[]; readonly from: string },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ day: string }>({
    name: 'time_parts_missing',
    text: `select day from missing_time_parts($1, $2::date[], $3) as day`,
    values: [of.table, of.days, of.from],
  })
  return rows.map(({ day }) => day)
}

/**
 * Makes the part that has this day, unless it is there. Fails with 55P03 when the table is in use, so that others do not
 * wait behind it.
 */
export async function makePart(db: Db, table: PartedTable, day: string): Promise<void> {
  await db.query({
    name: 'time_part_make',
    text: `select make_time_part($1, $2::date)`,
    values: [table, day],
  })
}

/** Makes the part of events that comes next, unless it is there; false when it is. Fails with 55P03 as `makePart`. */
export async function makeEventPart(db: Db, now: string): Promise<boolean> {
  const { rows } = await db.query<{ isMade: boolean }>({
    name: 'event_part_make',
    text: `select make_event_part($1) as "isMade"`,
    values: [now],
  })
  return rows[0]?.isMade === true
}

/** Opens the next part of events when a month has begun; false when it is not time. `enterEventPart` must follow. */
export async function openEventPart(db: Db, now: string): Promise<boolean> {
  const { rows } = await db.query<{ isOpened: boolean }>({
    name: 'event_part_open',
    text: `select open_event_part($1) as "isOpened"`,
    values: [now],
  })
  return rows[0]?.isOpened === true
}

/** Events are written to the part that was opened last from now on; false when they were. Not in the transaction of `openEventPart`. */
export async function enterEventPart(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ isEntered: boolean }>({
    name: 'event_part_enter',
    text: `select enter_event_part() as "isEntered"`,
  })
  return rows[0]?.isEntered === true
}

export interface Part {
  readonly name: string
  readonly endsAt: string
}

/** The parts that ended by then and may have rows, the oldest first. */
export async function endedParts(
  db: Db,
  { table, before }: { readonly table: KeptInParts; readonly before: string },
): Promise<readonly Part[]> {
  const { rows } = await db.query<Part>({
    name: 'time_parts_ended',
    // The part before all others is made again, empty, when it is dropped.
    text: `select name, ends_at as "endsAt" from time_parts($1)
            where ends_at <= $2 and (starts_at > '-infinity' or pg_relation_size(format('public.%I', name)::regclass) > 0)
            order by ends_at`,
    values: [table, before],
  })
  return rows
}

/** The beginning of the oldest part. What is older is in a part from before there were parts, or in none. Null: no parts. */
export async function startOfParts(db: Db, table: PartedTable): Promise<string | null> {
  const { rows } = await db.query<{ start: string | null }>({
    name: 'time_parts_start',
    text: `select min(starts_at) as start from time_parts($1) where starts_at > '-infinity'`,
    values: [table],
  })
  return rows[0]?.start ?? null
}

/**
 * Returns false when another process has dropped it. Fails with 55P03 when the table is in use, so that others do not wait
 * behind it.
 */
export async function dropPart(db: Db, table: KeptInParts, part: string): Promise<boolean> {
  const { rows } = await db.query<{ isDropped: boolean }>({
    name: 'time_part_drop',
    text: `select case when $1 = 'events' then drop_event_part($2) else drop_time_part($1, $2) end as "isDropped"`,
    values: [table, part],
  })
  return rows[0]?.isDropped === true
}

/**
 * One step of making a part of what there was before there were parts. Returns what was done; null when nothing is left.
 * One of the steps reads the whole table, without a lock that others wait for.
 */
export async function cutBefore(db: Db, table: KeptInParts, now: string): Promise<string | null> {
  await db.query({ text: 'set local statement_timeout = 0' })
  const { rows } = await db.query<{ done: string | null }>({
    name: 'time_parts_cut',
    text: `select case when $1 = 'events' then cut_event_parts() else cut_time_parts($1, $2) end as done`,
    values: [table, now],
  })
  return rows[0]?.done ?? null
}
