/**
 * The parts of the log of looks, one for each day. A part is made ahead, folded to what `as_of` needs, and dropped as a
 * whole (docs/decisions/0028).
 */

import { addDays } from '../../core/values/time.ts'
import type { Db } from '../database.ts'

/** `part`: a day of UTC as `20261123`, or `before` for all looks from before there were parts. */
export interface LookPart {
  readonly part: string
  readonly foldedTo: string
  readonly foldedAt: string | null
}

/** Takes the right to tend the parts, until the transaction ends. Returns false when another process has it. */
export async function holdLookParts(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ isHeld: boolean }>({
    name: 'look_parts_hold',
    text: `select pg_try_advisory_xact_lock(hashtext('look_parts')) as "isHeld"`,
  })
  return rows[0]?.isHeld === true
}

/** Makes the part of a day and notes that it is to be folded. Looks of that day that came earlier move into it. */
export async function makeLookDay(db: Db, day: string): Promise<void> {
  await db.query({ name: 'look_day_make', text: `select make_looks_day($1::date)`, values: [day] })
}

/** The oldest part that still exists and ended by then; null when there is none. */
export async function oldestLookPart(db: Db, before: string): Promise<LookPart | null> {
  const { rows } = await db.query<LookPart>({
    name: 'look_part_oldest',
    text: `select part, folded_to as "foldedTo", folded_at as "foldedAt"
             from look_parts where dropped_at is null and ends_at <= $1
            order by ends_at, part limit 1`,
    values: [before],
  })
  return rows[0] ?? null
}

/** Closes the part: whatever comes to it from now on is folded as it comes. */
export async function closeLookPart(db: Db, part: string): Promise<void> {
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
 * SQL: folds $3 rows in the order of subjects, and the remaining rows of the last subject too, so that the day of a
 * subject is written once.
 */
const batchOf = (rows: string): string => `
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

const foldOfBefore = batchOf('looks_before where true')
const foldOfDay = batchOf('day_looks where ended_at >= $5 and ended_at < $6')

/** Folds the next looks of the part, by subject. Folding them twice changes nothing. Returns how far it got. */
export async function foldLookPart(
  db: Db,
  { part, foldedTo }: LookPart,
  { rowsMax, now }: { readonly rowsMax: number; readonly now: string },
): Promise<LookPart> {
  const values = [part, foldedTo, rowsMax, now]
  const { rows } =
    part === 'before'
      ? await db.query<LookPart>({
          name: 'look_part_fold_before',
          text: foldOfBefore,
          values,
        })
      : await db.query<LookPart>({
          name: 'look_part_fold',
          text: foldOfDay,
          values: [...values, ...boundsOf(part)],
        })
  if (rows[0] === undefined) throw new Error(`there is no part ${part} of the looks`)
  return rows[0]
}

function boundsOf(part: string): readonly [string, string] {
  const day = `${part.slice(0, 4)}-${part.slice(4, 6)}-${part.slice(6)}`
  return [`${day}T00:00:00Z`, `${addDays(day, 1)}T00:00:00Z`]
}

/** Throws when the part is not folded. */
export async function dropLookPart(
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

/** Folds and deletes looks that came after their day was dropped. Returns how many. */
export async function foldStrayLooks(
  db: Db,
  of: { readonly before: string; readonly limit: number },
): Promise<number> {
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
