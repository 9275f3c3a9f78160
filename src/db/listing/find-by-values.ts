/**
 * Finds the rows that have a reference number or tags by the index of values, when they are few. It serves accounts
 * whose older rows have no labels yet, after an upgrade. The planner assumes that all values are equally rare: for a
 * rarer one it reads on and on, and of one that half of the account has it gathers all.
 */

import type { Db } from '../database.ts'

/** This many or more are found soon in the order of the list, so the list searches them there. */
export const manyMin = 1_000

/**
 * The same conditions as in the indexes, each of which covers a part of its table's rows. Containers have no tags of
 * their own.
 */
const indexed = {
  shipments: { tags: 'tags', where: `(tags <> '{}' or ref_numbers <> '{}')` },
  containers: { tags: `'{}'`, where: `ref_numbers <> '{}'` },
  tracking_requests: { tags: 'shipment_tags', where: `(shipment_tags <> '{}' or ref_numbers <> '{}')` },
} as const

interface LabelQuery {
  readonly accountId: string
  readonly refNumber?: string | null | undefined
  /** All of these tags. */
  readonly tags?: readonly string[] | null | undefined
}

/** Ids of the rows that have them; null when no value is given, or when many rows have them. */
export async function findByValues(
  db: Db,
  table: keyof typeof indexed,
  { accountId, refNumber, tags }: LabelQuery,
): Promise<readonly string[] | null> {
  if (!refNumber && !tags?.length) return null
  const { tags: column, where } = indexed[table]
  const { rows } = await db.query<{ ids: readonly string[] | null }>({
    // Planned as if all rows were read (`materialized`), so by the index, but read only up to the limit. The statement
    // has no name: one plan for any label reads the whole account (10 ms instead of 1 at 125,000 shipments).
    text: `with found as materialized (
             select id from ${table} where account_id = $1 and ${where}
                and label_terms(account_id, ${column}, ref_numbers) @> label_terms($1, $2::text[], $3::text[])
                -- The index knows hashes alone.
                and ${column} @> $2::text[]
                and array(select upper(ref) from unnest($3::text[]) as ref) <@ array(select upper(ref) from unnest(ref_numbers) as ref))
           select case when count(*) < $4 then coalesce(array_agg(id), '{}') end as ids
             from (select id from found limit $4) as few`,
    values: [accountId, tags ?? [], refNumber ? [refNumber] : [], manyMin],
  })
  return rows[0]?.ids ?? null
}

/**
 * SQL: ids of rows that may have the reference `a.number` or `a.written`, in capitals. They are found by their labels,
 * and while older rows have none yet by their values.
 */
export function selectByReference(table: 'shipments' | 'containers'): string {
  const owner = table === 'shipments' ? 's' : 'c'
  const { tags, where } = indexed[table]
  return `
    select l.id from labels l
     where l.account_id = $1 and l.term in ('${owner}r' || left(a.number, 100), '${owner}r' || left(a.written, 100))
    union all
    select id from ${table} where account_id = $1 and exists (select 1 from unlabelled where account_id = $1) and ${where}
       and label_terms(account_id, ${tags}, ref_numbers) && label_terms($1, '{}', array[a.number, a.written])`
}
