/**
 * The partitions of the log of polls, one for each day. A partition is created in advance, folded to what `as_of`
 * needs, and dropped as one piece (docs/decisions/0028).
 */

import type { Db } from '../../db/database.ts'
import { addDays } from '../../domain/values/time.ts'

/** `part`: a day of UTC as `20261123`, or `before` for all polls from before there were partitions. */
export interface PollPartition {
  readonly part: string
  readonly foldedTo: string
  readonly foldedAt: string | null
}

/**
 * Acquires the right to maintain the partitions, until the transaction ends. Returns false when another process has it.
 */
export async function lockPollPartitions(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ isHeld: boolean }>({
    name: 'look_parts_hold',
    text: `select pg_try_advisory_xact_lock(hashtext('look_parts')) as "isHeld"`,
  })
  return rows[0]?.isHeld === true
}

/**
 * Creates the partition of a day and notes that it is to be folded. Polls of that day that came earlier move into it.
 */
export async function createPollDay(db: Db, day: string): Promise<void> {
  await db.query({ name: 'look_day_make', text: `select make_looks_day($1::date)`, values: [day] })
}

/** The oldest partition that still exists and ended by then; null when there is none. */
export async function findOldestPollPartition(db: Db, before: string): Promise<PollPartition | null> {
  const { rows } = await db.query<PollPartition>({
    name: 'look_part_oldest',
    text: `select part, folded_to as "foldedTo", folded_at as "foldedAt"
             from look_parts where dropped_at is null and ends_at <= $1
            order by ends_at, part limit 1`,
    values: [before],
  })
  return rows[0] ?? null
}

/** Closes the partition: rows that come to it from now on are folded as they come. */
export async function closePollPartition(db: Db, part: string): Promise<void> {
  await db.query({ name: 'look_part_close', text: `select close_looks_part($1)`, values: [part] })
}

const folded = `
  insert into look_days as d (subject_id, day, succeeded_at, failed_at)
  select subject_id, (ended_at at time zone 'UTC')::date,
         coalesce(array_agg(distinct coalesce(attempted_at, started_at)) filter (where look_succeeded(outcome)), '{}'),
         coalesce(array_agg(distinct coalesce(attempted_at, started_at)) filter (where not look_succeeded(outcome)), '{}')
    from batch group by 1, 2
  on conflict (subject_id, day) do update
     set succeeded_at = merge_instants(d.succeeded_at, excluded.succeeded_at),
         failed_at = merge_instants(d.failed_at, excluded.failed_at)`

/**
 * SQL: folds $3 rows in the order of poll targets, and the remaining rows of the last poll target too, so that the day
 * of a poll target is written once.
 */
const foldPollBatchSql = (rows: string): string => `
  with batch as (
    select subject_id, ended_at, attempted_at, started_at, outcome from ${rows}
       and subject_id > $2
     order by subject_id fetch first $3 rows with ties
  ), kept as (${folded})
  update look_parts
     set folded_to = coalesce((select subject_id from batch order by subject_id desc limit 1), folded_to),
         folded_at = case when (select count(*) from batch) < $3 then $4::timestamptz end
   where part = $1
  returning part, folded_to as "foldedTo", folded_at as "foldedAt"`

const foldOfBefore = foldPollBatchSql('looks_before where true')
const foldOfDay = foldPollBatchSql('day_looks where ended_at >= $5 and ended_at < $6')

/**
 * Folds the next polls of the partition, by poll target. Folding them twice changes nothing. Returns how far it got.
 */
export async function foldPollPartition(
  db: Db,
  { part, foldedTo }: PollPartition,
  { rowsMax, now }: { readonly rowsMax: number; readonly now: string },
): Promise<PollPartition> {
  const values = [part, foldedTo, rowsMax, now]
  const { rows } =
    part === 'before'
      ? await db.query<PollPartition>({
          name: 'look_part_fold_before',
          text: foldOfBefore,
          values,
        })
      : await db.query<PollPartition>({
          name: 'look_part_fold',
          text: foldOfDay,
          values: [...values, ...getPartitionBounds(part)],
        })
  if (rows[0] === undefined) throw new Error(`there is no part ${part} of the polls`)
  return rows[0]
}

function getPartitionBounds(part: string): readonly [string, string] {
  const day = `${part.slice(0, 4)}-${part.slice(4, 6)}-${part.slice(6)}`
  return [`${day}T00:00:00Z`, `${addDays(day, 1)}T00:00:00Z`]
}

/** Throws when the partition is not folded. */
export async function dropPollPartition(
  db: Db,
  { part, now }: { readonly part: string; readonly now: string },
): Promise<void> {
  await db.query({ name: 'look_part_drop', text: `select drop_looks_part($1)`, values: [part] })
  await db.query({
    name: 'look_part_dropped',
    text: `update look_parts set dropped_at = $2 where part = $1`,
    values: [part, now],
  })
}

/** Folds and deletes polls that came after their day was dropped. Returns how many. */
export async function foldStrayPolls(db: Db, of: { readonly before: string; readonly limit: number }): Promise<number> {
  const { rows } = await db.query<{ gone: number }>({
    name: 'looks_stray_fold',
    text: `with batch as (
             delete from day_looks_default
              where (subject_id, ended_at, id) in (
                select subject_id, ended_at, id from day_looks_default where ended_at < $1 limit $2)
             returning subject_id, ended_at, attempted_at, started_at, outcome
           ), kept as (${folded})
           select count(*) as gone from batch`,
    values: [of.before, of.limit],
  })
  return rows[0]?.gone ?? 0
}
