/**
 * A list that is sorted by up to three values of its rows that have no index. All rows that match are read for each
 * page, so callers limit their number; and there are no positions, only page numbers. A row without the value comes
 * last, in both directions.
 */

import type { Db } from '../database.ts'
import type { Conditions } from './conditions.ts'
import { writeFromClause } from './labels.ts'
import { boundsOf, type Page, type PageRequest } from './page.ts'

/** The order as one text: names with `-` in front for the greatest first, such as `keys:-arrival,pickup_lfd`. */
export type SortKeysOrder = `keys:${string}`

export type OrderOf<Name extends string> = Name | `-${Name}` | SortKeysOrder

/** By name our own SQL over a row of the list; `infinity` may mean that the value is unknown. `cost`: as in `SortKey`. */
export type SortValues = Readonly<
  Record<string, { readonly sql: string; readonly hasInfinity?: boolean; readonly cost?: number }>
>

export interface SortKey {
  readonly sql: string
  readonly isDescending: boolean
  /** How many times as long as most values it takes to read. */
  readonly cost: number
}

export function toSortKeysOrder(names: readonly string[]): SortKeysOrder {
  return `keys:${names.join()}`
}

export function isSortKeysOrder(order: string): order is SortKeysOrder {
  return order.startsWith('keys:')
}

export function readSortKeys(order: SortKeysOrder, values: SortValues): readonly SortKey[] {
  return order
    .slice('keys:'.length)
    .split(',')
    .map((text) => {
      const isDescending = text.startsWith('-')
      const name = isDescending ? text.slice(1) : text
      const value = values[name]
      if (value === undefined) throw new Error(`there is no value ${name} to sort by`)
      const { sql, cost = 1 } = value
      return { sql: value.hasInfinity === true ? `nullif(${sql}, 'infinity')` : sql, isDescending, cost }
    })
}

/** As in `ListingSpec`. */
interface SortedList {
  readonly table: string
  readonly alias: string
  readonly select: string | { readonly columns: string; readonly value: string }
  readonly joins: string
  readonly conditions: Conditions
  readonly page: PageRequest
}

export async function readSortedListing<Json>(db: Db, list: SortedList, keys: readonly SortKey[]): Promise<Page<Json>> {
  const { table, alias, select, joins, conditions, page } = list
  const { columns, value } = typeof select === 'string' ? { columns: `${alias}.*`, value: select } : select
  const names = keys.map((_, place) => `key${place}`)
  const orderOf = (of: string): string =>
    [
      ...keys.map(({ isDescending }, place) => `${of}${names[place]}${isDescending ? ' desc' : ''} nulls last`),
      `${of}id`,
    ].join(', ')
  const from = writeFromClause(list, conditions.hints)
  const [limit, offset] = boundsOf(page)
  const values = [...conditions.values, limit, offset]
  const { rows } = await db.query<{ json: Json; total: number }>({
    text: `with cut as materialized (
             select ${alias}.id, ${keys.map(({ sql }, place) => `(${sql}) as ${names[place]}`).join(', ')}, count(*) over () as total
               from ${from}
              order by ${orderOf('')} limit $${values.length - 1} offset $${values.length}),
           ${alias} as materialized (
             select ${alias}.id, ${[...names, 'total'].map((each) => `cut.${each}`).join(', ')}, ${columns}
               from cut join ${table} ${alias} on ${alias}.account_id = $1 and ${alias}.id = cut.id)
           select ${value} as json, ${alias}.total from ${alias} ${joins} order by ${orderOf(`${alias}.`)}`,
    values,
  })
  const total = rows[0]?.total ?? (offset === 0 ? 0 : await countAll(db, list))
  return {
    rows: rows.map(({ json }) => json),
    total,
    pagePosition: { first: null, last: null, hasNext: offset + limit < total, hasPrevious: offset > 0 },
  }
}

/** For a page that is beyond the end. */
async function countAll(db: Db, list: Pick<SortedList, 'table' | 'alias' | 'conditions'>): Promise<number> {
  const { rows } = await db.query<{ total: number }>({
    text: `select count(*) as total from ${writeFromClause(list)}`,
    values: [...list.conditions.values],
  })
  return rows[0]?.total ?? 0
}
