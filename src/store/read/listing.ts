/**
 * A list of one account's rows: the page that was asked for, by its number or by a position in the order (keyset), and
 * how many there are. Whatever the account's size, it reads a bounded part of an index.
 */

import type { Db } from '../database.ts'
import type { Conditions } from './conditions.ts'
import type { Cursor, Page, PageRequest, Position, Stand } from './page.ts'

/** What a list can be sorted by: a column (never null), and its type. Ties go by id, so that every order is of all rows. */
export interface SortColumn {
  readonly column: string
  readonly type: 'timestamptz' | 'date' | 'text'
}

export interface Listed {
  /** Table and alias: `containers c`. */
  readonly from: string
  readonly alias: string
  /** What of each row is read, as `json`; it may use what `joins` adds. */
  readonly select: string
  readonly joins: string
  readonly sort: SortColumn
  readonly isDescending: boolean
  readonly conditions: Conditions
  readonly page: PageRequest
  /** False where nobody looks at the total. */
  readonly isCounted: boolean
}

/** `-` in front of a name: the latest, or greatest, first. */
export function readOrder<Name extends string>(
  sorts: Readonly<Record<Name, SortColumn>>,
  order: Name | `-${Name}`,
): Pick<Listed, 'sort' | 'isDescending'> {
  const isDescending = order.startsWith('-')
  return { sort: sorts[(isDescending ? order.slice(1) : order) as Name], isDescending }
}

/** More are not counted, but estimated. Counted off an index, so many take some 2 ms. */
const countedMax = 10_000
/** Nor is what the planner expects to cost more: each row by itself, which is some 2,500 rows, or many for a few that match. */
const countCostMax = 10_000

export async function readListing<Json>(db: Db, list: Listed): Promise<Page<Json>> {
  const { page } = list
  const isBackward = page.cursor?.side === 'before'
  const isDescending = list.isDescending !== isBackward
  const { alias, sort, conditions } = list
  const values = [...conditions.values]
  const where = [...conditions.texts, ...conditions.hints, ...keyset(list, isDescending, values)].join(
    '\n  and ',
  )
  // The other way round where the order is: one index serves both.
  const order = isDescending
    ? `${alias}.${sort.column} desc, ${alias}.id`
    : `${alias}.${sort.column}, ${alias}.id desc`
  const offset = page.cursor ? 0 : (page.number - 1) * page.size
  const { rows } = await db.query<{ json: Json; value: string; id: string }>({
    // The page is cut before anything is joined: that costs per row. One more row tells whether the list goes on.
    text: `select ${list.select} as json, ${alias}.${sort.column}::text as value, ${alias}.id
             from (select * from ${list.from} where ${where} order by ${order}
                    limit $${values.push(page.size + 1)} offset $${values.push(offset)}) ${alias} ${list.joins}
            order by ${order}`,
    values,
  })
  const shown = rows.slice(0, page.size)
  if (isBackward) shown.reverse()
  const hasMore = rows.length > page.size
  const counted = list.isCounted ? await totalOf(db, list, rows.length) : { total: 0 }
  return { rows: shown.map(({ json }) => json), ...counted, stand: standOf({ shown, hasMore, page }) }
}

/** The rows after the position, in the order that is walked; the bound on the column is what the index goes by. */
function keyset({ alias, sort, page }: Listed, isDescending: boolean, values: unknown[]): readonly string[] {
  const position = page.cursor?.position ?? null
  if (position === null) return []
  const value = `$${values.push(position.value)}::${sort.type}`
  const id = `$${values.push(position.id)}::uuid`
  const column = `${alias}.${sort.column}`
  return isDescending
    ? [`${column} <= ${value} and (${column} < ${value} or ${alias}.id > ${id})`]
    : [`${column} >= ${value} and (${column} > ${value} or ${alias}.id < ${id})`]
}

function standOf(of: {
  readonly shown: readonly Position[]
  readonly hasMore: boolean
  readonly page: PageRequest
}): Stand {
  const [first, last] = [positionOf(of.shown[0]), positionOf(of.shown.at(-1))]
  const cursor: Cursor | null = of.page.cursor ?? null
  const hasBehind = cursor === null ? of.page.number > 1 : cursor.position !== null
  return cursor?.side === 'before'
    ? { first, last, hasNext: hasBehind, hasPrevious: of.hasMore }
    : { first, last, hasNext: of.hasMore, hasPrevious: hasBehind }
}

function positionOf(row: Position | undefined): Position | null {
  return row === undefined ? null : { value: row.value, id: row.id }
}

interface Total {
  readonly total: number
  readonly isEstimated?: boolean
}

/** `met`: rows of the page, and one more where the list goes on. */
async function totalOf(db: Db, list: Listed, met: number): Promise<Total> {
  const { page } = list
  const before = page.cursor ? 0 : (page.number - 1) * page.size
  const isFromStart = page.cursor ? page.cursor.position === null : before === 0 || met > 0
  if (isFromStart && met <= page.size) return { total: before + met }
  const counting = countingOf(list, countedMax)
  const { rows } = await db.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>({
    text: `explain (format json) ${counting.text}`,
    values: counting.values,
  })
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  const atLeast = met > 0 ? before + met : 0
  const estimate = (least: number): Total => ({
    total: Math.max(least, expectedOf(plan)),
    isEstimated: true,
  })
  if ((plan?.['Total Cost'] ?? 0) > countCostMax) return estimate(atLeast)
  const total = await countBy(db, counting)
  return total > countedMax ? estimate(total) : { total }
}

/** What `explain` shows of a step. */
interface Plan {
  readonly 'Node Type': string
  readonly 'Total Cost': number
  readonly 'Plan Rows': number
  readonly Plans?: readonly Plan[]
}

/** How many rows there would be without the limit. */
function expectedOf(plan: Plan | undefined): number {
  const below = plan?.Plans?.[0]
  return plan?.['Node Type'] === 'Limit' || below === undefined
    ? (below?.['Plan Rows'] ?? 0)
    : expectedOf(below)
}

interface Counting {
  readonly text: string
  readonly values: unknown[]
}

function countingOf({ from, conditions }: Listed, bound: number): Counting {
  const where = conditions.texts.join('\n  and ')
  return {
    text: `select count(*) as total from (select from ${from} where ${where} limit ${bound + 1}) as counted`,
    values: [...conditions.values],
  }
}

async function countBy(db: Db, counting: Counting): Promise<number> {
  const { rows } = await db.query<{ total: number }>({ text: counting.text, values: counting.values })
  return rows[0]?.total ?? 0
}

/** How many match, counted to the end; null beyond the bound. */
export async function countUpTo(db: Db, list: Listed, bound: number): Promise<number | null> {
  const total = await countBy(db, countingOf(list, bound))
  return total > bound ? null : total
}
