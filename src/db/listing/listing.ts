/**
 * A list of one account's rows: the requested page, by its number or by a position in the order (keyset), and how many
 * rows there are. Whatever the size of the account, only a bounded part of an index is read.
 */

import type { Db } from '../database.ts'
import type { Conditions } from './conditions.ts'
import { writeFromClause, writeLabelsFromClause } from './labels.ts'
import type { Cursor, Page, PagePosition, PageRequest, Position } from './page.ts'
import { estimateRows } from './read-expected.ts'
import {
  isSortKeysOrder,
  type OrderOf,
  readSortedListing,
  readSortKeys,
  type SortKey,
  type SortValues,
} from './sorted-listing.ts'

/**
 * A column that a list can be sorted by (never null), and its type. Rows with equal values are sorted by id, so that
 * the order is complete.
 */
export interface SortColumn {
  readonly column: string
  readonly type: 'timestamptz' | 'date' | 'text'
  /** A column with a whole number that is compared before the id where `column` is equal. */
  readonly tie?: string
}

export interface ListingSpec {
  readonly table: string
  readonly alias: string
  /**
   * What is read of each row, as `json`: either one value in SQL, which may use columns that `joins` adds; or in two
   * steps, because the rows of an account may be on another machine than the rows of a poll target
   * (docs/decisions/0046).
   */
  readonly select: string | TwoStepSelect
  readonly joins: string
  readonly sort: SortColumn
  readonly isDescending: boolean
  /** The list is sorted by these, and not by `sort`. */
  readonly keys?: readonly SortKey[]
  /**
   * The list begins with rows of this value or a later one; those before it come last. Both sections are read from the
   * same index. Only for ascending orders.
   */
  readonly startFrom?: string | null
  readonly conditions: Conditions
  readonly page: PageRequest
  /** False where nobody needs the total. */
  readonly isCounted: boolean
}

export interface TwoStepSelect {
  /** Columns, with their names, of what belongs to the account. */
  readonly columns: string
  /** The value, made of these columns of the row and of columns that `joins` adds. */
  readonly value: string
}

/** `-` in front of a name: latest or greatest first. `values`: for an order by values without an index. */
export function readOrder<Name extends string>(
  sorts: Readonly<Record<Name, SortColumn>>,
  order: OrderOf<Name>,
  values: SortValues = {},
): Pick<ListingSpec, 'sort' | 'isDescending' | 'keys'> {
  if (isSortKeysOrder(order))
    return { sort: { column: 'id', type: 'text' }, isDescending: false, keys: readSortKeys(order, values) }
  const isDescending = order.startsWith('-')
  return { sort: sorts[(isDescending ? order.slice(1) : order) as Name], isDescending }
}

/** Columns of a row as one value. Instants in it are written as Postgres writes them in JSON. */
export function rowJson(columns: string): string {
  return `(select row_to_json(told) from (select ${columns}) as told)`
}

/** More rows than this are not counted, but estimated. Counting this many in an index takes some 2 ms. */
const countedMax = 10_000
/**
 * The planner's statistics are not wrong by this factor. So rows are not counted when it expects this many times
 * `countedMax`. Where it expects more than `countedMax`, its estimate is used when some of the rows are counted.
 */
const certainlyMore = 5
/**
 * Rows are not counted either when the planner expects a higher cost: some 2,500 rows that are read one by one, or many
 * rows of which few match.
 */
const countCostMax = 10_000

export async function readListing<Json>(db: Db, list: ListingSpec): Promise<Page<Json>> {
  if (list.keys !== undefined) return readSortedListing(db, list, list.keys)
  const { page } = list
  const isBackward = page.cursor?.side === 'before'
  const isDescending = list.isDescending !== isBackward
  const { table, alias, conditions } = list
  const { column, tie } = list.sort
  const values = [...conditions.values]
  // Column, tie and id change direction together, so that one index serves both directions.
  const orderOf = (names: readonly string[], id: string): string =>
    [...names.map((each) => `${each}${isDescending ? ' desc' : ''}`), `${id}${isDescending ? '' : ' desc'}`].join(', ')
  const within = orderOf(
    [column, tie ?? []].flat().map((each) => `${alias}.${each}`),
    `${alias}.id`,
  )
  // Labels have the order of the list.
  const isAlong = conditions.labels.length > 0 && !conditions.areFew
  const offset = page.cursor ? 0 : (page.number - 1) * page.size
  const startFrom = list.startFrom == null ? null : `$${values.push(list.startFrom)}::${list.sort.type}`
  const order =
    startFrom === null ? within : `(${alias}.${column} < ${startFrom})${isDescending ? ' desc' : ''}, ${within}`
  const bounds = buildPartBounds(list, { isDescending, startFrom, values })
  const alone = isAlong ? writeLabelsFromClause(list, bounds[0]) : null
  const parts = bounds.map((each) => {
    const from = alone ?? writeFromClause(list, [...conditions.hints, ...each])
    // Few rows are gathered before they are sorted. Otherwise the planner would search for them in the list's order,
    // among all rows.
    return conditions.areFew ? `(select ${alias}.* from ${from} offset 0) ${alias}` : from
  })
  // Of each section only as many rows are read as the page can show.
  const readAhead = (part: string): string =>
    conditions.areFew
      ? `(select ${alias}.* from ${part})`
      : `(select ${alias}.* from ${part} order by ${within} limit $${values.push(page.size + 1 + offset)})`
  const rowsThatMatch = parts.length === 1 ? parts[0] : `(${parts.map(readAhead).join('\nunion all\n')}) ${alias}`
  const isFromStart = (page.cursor?.position ?? null) === null
  // Then all rows that match are read anyway, and counted on the way.
  const isCountedAlong = list.isCounted && conditions.areFew && isFromStart
  // One row more than the page, to know whether the list continues.
  const cut = (what: string): string => `
    select ${what}${isCountedAlong ? ', count(*) over () as of_all' : ''} from ${rowsThatMatch}
     order by ${isAlong ? orderOf(['l0.at'], 'l0.id') : order}
     limit $${values.push(page.size + 1)} offset $${values.push(offset)}`
  // The page is cut before anything is joined, because a join costs for each row. Of rows before the page only the
  // place in an index is read.
  const cutRows =
    offset === 0 && alone === null
      ? cut(`${alias}.*`)
      : `select whole.*${isCountedAlong ? ', cut.of_all' : ''} from (${cut(alone === null ? `${alias}.id` : 'l0.id')}) as cut
           join ${table} whole on whole.account_id = $1 and whole.id = cut.id`
  const { select } = list
  const ownColumns = [column, tie ?? [], 'id', isCountedAlong ? 'of_all' : []].flat()
  const found =
    typeof select === 'string'
      ? { before: '', from: `(${cutRows}) ${alias}`, value: select }
      : {
          before: `with ${alias} as materialized (
            select ${ownColumns.map((each) => `${alias}.${each}`).join(', ')}, ${select.columns} from (${cutRows}) ${alias})`,
          from: alias,
          value: select.value,
        }
  const { rows } = await db.query<{
    json: Json
    value: string
    tie: string | null
    id: string
    total: number | null
  }>({
    text: `${found.before}
           select ${found.value} as json, ${alias}.${column}::text as value, ${tie ? `${alias}.${tie}::text` : 'null'} as tie, ${alias}.id,
                  ${isCountedAlong ? `${alias}.of_all` : 'null::bigint'} as total
             from ${found.from} ${list.joins}
            order by ${order}`,
    values,
  })
  const pageRows = rows.slice(0, page.size)
  if (isBackward) pageRows.reverse()
  const hasMore = rows.length > page.size
  const known = rows[0]?.total ?? (list.isCounted ? null : 0)
  const counted = known === null ? await totalOf(db, list, rows.length) : { total: known }
  return {
    rows: pageRows.map(({ json }) => json),
    ...counted,
    pagePosition: getPagePosition({ pageRows, hasMore, page }),
  }
}

/**
 * Conditions of the sections of a list: one section, or with `startFrom` the rows from that value on and the rows
 * before it, as far as they are left.
 */
function buildPartBounds(
  list: ListingSpec,
  {
    isDescending,
    startFrom,
    values,
  }: { readonly isDescending: boolean; readonly startFrom: string | null; readonly values: unknown[] },
): readonly (readonly string[])[] {
  const beyond = buildKeyset(list, isDescending, values)
  if (startFrom === null) return [beyond]
  const column = `${list.alias}.${list.sort.column}`
  const [late, early] = [`${column} >= ${startFrom}`, `${column} < ${startFrom}`]
  const position = list.page.cursor?.position ?? null
  if (position === null) return [[late], [early]]
  const isEarly = position.value !== 'infinity' && position.value < (list.startFrom ?? '')
  // Read forward, the late rows come first. Read backward, the early ones.
  const [first, second] = isDescending ? [early, late] : [late, early]
  const isInFirst = isEarly === isDescending
  return isInFirst ? [[first, ...beyond], [second]] : [[second, ...beyond]]
}

/** The rows beyond the position, in the direction of reading. The bound on the column is what the index uses. */
function buildKeyset(
  { alias, sort, page, conditions }: ListingSpec,
  isDescending: boolean,
  values: unknown[],
): readonly string[] {
  const position = page.cursor?.position ?? null
  if (position === null) return []
  const [before, after] = isDescending ? ['<', '>'] : ['>', '<']
  const value = `$${values.push(position.value)}::${sort.type}`
  const isAlong = conditions.labels.length > 0
  const id = `${isAlong ? 'l0' : alias}.id ${after} $${values.push(position.id)}::uuid`
  const column = isAlong ? 'l0.at' : `${alias}.${sort.column}`
  const beyond = (): string => {
    const tie = `$${values.push(position.tie)}::bigint`
    return `${alias}.${sort.tie} ${before} ${tie} or ${alias}.${sort.tie} = ${tie} and ${id}`
  }
  return [
    `${column} ${before}= ${value} and (${column} ${before} ${value} or ${sort.tie && position.tie ? beyond() : id})`,
  ]
}

function getPagePosition(of: {
  readonly pageRows: readonly Position[]
  readonly hasMore: boolean
  readonly page: PageRequest
}): PagePosition {
  const [first, last] = [positionOf(of.pageRows[0]), positionOf(of.pageRows.at(-1))]
  const cursor: Cursor | null = of.page.cursor ?? null
  const hasBehind = cursor === null ? of.page.number > 1 : cursor.position !== null
  return cursor?.side === 'before'
    ? { first, last, hasNext: hasBehind, hasPrevious: of.hasMore }
    : { first, last, hasNext: of.hasMore, hasPrevious: hasBehind }
}

function positionOf(row: Position | undefined): Position | null {
  return row === undefined ? null : { value: row.value, tie: row.tie, id: row.id }
}

interface Total {
  readonly total: number
  readonly isEstimated?: boolean
}

/** `met`: how many rows were read: those of the page, and one more if the list continues. */
async function totalOf(db: Db, list: ListingSpec, met: number): Promise<Total> {
  const { page } = list
  const before = page.cursor ? 0 : (page.number - 1) * page.size
  const isFromStart = page.cursor ? page.cursor.position === null : before === 0 || met > 0
  if (isFromStart && met <= page.size) return { total: before + met }
  const { expected, cost } = await estimateRows(db, buildCountStatement(list, countedMax))
  const atLeast = met > 0 ? before + met : 0
  const estimate = (least: number): Total => ({
    total: Math.max(least, expected),
    isEstimated: true,
  })
  if (cost > countCostMax || expected > certainlyMore * countedMax) return estimate(atLeast)
  const bound = expected > countedMax ? countedMax / certainlyMore : countedMax
  const total = await countBy(db, buildCountStatement(list, bound))
  return total > bound ? estimate(Math.max(total, atLeast)) : { total }
}

interface Counting {
  readonly text: string
  readonly values: unknown[]
}

function buildCountStatement(list: ListingSpec, bound: number): Counting {
  const from = writeLabelsFromClause(list) ?? writeFromClause(list)
  return {
    text: `select count(*) as total from (select 1 from ${from} limit ${bound + 1}) as counted`,
    values: [...list.conditions.values],
  }
}

async function countBy(db: Db, counting: Counting): Promise<number> {
  const { rows } = await db.query<{ total: number }>({ text: counting.text, values: counting.values })
  return rows[0]?.total ?? 0
}

/** How many rows match, all of them counted; null when there are more than `bound`. */
export async function countUpTo(db: Db, list: ListingSpec, bound: number): Promise<number | null> {
  const total = await countBy(db, buildCountStatement(list, bound))
  return total > bound ? null : total
}
