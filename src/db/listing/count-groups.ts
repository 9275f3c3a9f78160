/** How many rows of a list there are of each value, for the rows that match its conditions. */

import type { Db } from '../database.ts'
import { writeFromClause } from './labels.ts'
import type { ListingSpec } from './listing.ts'

export interface Group {
  /** Null for rows of which the value is not known. */
  readonly value: string | null
  readonly count: number
}

export interface Groups {
  readonly groups: readonly Group[]
  /** False when there are more rows than the bound; the others are not counted. */
  readonly isWhole: boolean
}

/** `value`: our own SQL over a row of the list. The largest groups come first. */
export async function countGroups(
  db: Db,
  list: Pick<ListingSpec, 'table' | 'alias' | 'conditions'>,
  of: { readonly value: string; readonly bound: number },
): Promise<Groups> {
  const { rows } = await db.query<Group & { readonly met: number }>({
    text: `select value, count(*) as count, (sum(count(*)) over ())::bigint as met
             from (select (${of.value})::text as value from ${writeFromClause(list)} limit ${of.bound + 1}) as counted
            group by value order by count(*) desc, value`,
    values: [...list.conditions.values],
  })
  return {
    groups: rows.map(({ value, count }) => ({ value, count })),
    isWhole: (rows[0]?.met ?? 0) <= of.bound,
  }
}
