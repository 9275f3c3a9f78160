/**
 * Which rows bear a reference number or tags, by the index of labels, when they are few: the planner takes any label for
 * as rare as any other, and reads on and on for one that is rarer, or gathers all of one that half of the account bears.
 */

import type { Db } from '../database.ts'

/** As many or more are soon met in the list's own order, where they are looked for then. */
const manyMin = 1_000

/** As the indexes have it, each a part of its table's rows; containers have no tags of their own. */
const labels = {
  shipments: { tags: 'tags', where: `(tags <> '{}' or ref_numbers <> '{}')` },
  containers: { tags: `'{}'`, where: `ref_numbers <> '{}'` },
  tracking_requests: { tags: 'shipment_tags', where: `(shipment_tags <> '{}' or ref_numbers <> '{}')` },
} as const

interface Asked {
  readonly accountId: string
  readonly refNumber?: string | null | undefined
  /** All of them. */
  readonly tags?: readonly string[] | null | undefined
}

/** Ids of those that bear them; null where none is asked for, or for many. */
export async function findLabelled(
  db: Db,
  table: keyof typeof labels,
  { accountId, refNumber, tags }: Asked,
): Promise<readonly string[] | null> {
  if (!refNumber && !tags?.length) return null
  const { tags: column, where } = labels[table]
  const { rows } = await db.query<{ ids: readonly string[] | null }>({
    // Planned as if all were read (`materialized`), so by the index; read no further than the limit. It has no name: one
    // plan for any label reads the whole account (10 ms instead of 1 at 125,000 shipments).
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
