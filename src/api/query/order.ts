/**
 * The order of a list: `sort`, one order or names of values; and `page[after]` and `page[before]`, a position in the order
 * as a text that is opaque to clients.
 */

import type { TSchema } from 'typebox'
import type { Cursor, Position } from '../../db/listing/page.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import { Type } from '../../platform/json-schema.ts'
import { parameterFault } from '../errors/problem.ts'
import { isUuid } from '../http/path-parameters.ts'
import { ignoreIfLenient, type LenientRequest } from './lenience.ts'

export interface Orders<Order extends string> {
  /** Values of `sort`, the default first. */
  readonly orders?: readonly [Order, ...Order[]]
  /** Other names of some orders. */
  readonly orderAliases?: Readonly<Record<string, Order>>
  /** Values by which rows can be sorted that have no index: `sort` takes several of them, each also with `-`. */
  readonly sortKeys?: {
    readonly names: readonly string[]
    readonly toOrder: (names: readonly string[]) => Order
  }
}

const sortKeysMax = 3

export function readOrder<Order extends string>(
  { orders, orderAliases = {}, sortKeys }: Orders<Order>,
  text: string | undefined,
  request: LenientRequest,
): Order {
  if (orders === undefined) return undefined as never // safe: a route without orders never reads the order
  if (text === undefined || text === '') return orders[0]
  const findOrder = (name: string): Order | undefined =>
    orders.find((each) => each === name) ?? (Object.hasOwn(orderAliases, name) ? orderAliases[name] : undefined)
  const order = findOrder(text)
  if (order !== undefined) return order
  const names = text.split(',').map((each) => each.trim())
  const known = names.filter((each) => sortKeys?.names.includes(each.replace(/^-/, ''))).slice(0, sortKeysMax)
  if (known.length < names.length && !ignoreIfLenient(request, { parameter: 'sort' })) {
    const keys = sortKeys === undefined ? '' : `, or by up to ${sortKeysMax} of ${sortKeys.names.join(', ')}`
    throw parameterFault('malformed', 'sort', `This can be sorted by ${orders.join(', ')}${keys}.`)
  }
  const [first] = known
  if (sortKeys === undefined || first === undefined) return orders[0]
  return (known.length === 1 ? findOrder(first) : undefined) ?? sortKeys.toOrder(known)
}

export function sortSchema({ orders, orderAliases = {}, sortKeys }: Orders<string>): TSchema {
  const names = [...(orders ?? []), ...Object.keys(orderAliases)]
  const one = { type: 'string', enum: names }
  if (sortKeys === undefined) return Type.Unsafe({ ...one, default: orders?.[0] })
  const key = `-?(${sortKeys.names.join('|')})`
  const several = { type: 'string', pattern: `^${key}(,${key}){0,${sortKeysMax - 1}}$` }
  const description = `One order; or up to ${sortKeysMax} values, separated by commas, with \`-\` in front for the latest first: ${sortKeys.names.join(', ')}. By these there are only page numbers, and a row without the value comes last.`
  return Type.Unsafe({ anyOf: [one, several], default: orders?.[0], description })
}

export function writeCursor(order: string, { value, tie, id }: Position): string {
  return Buffer.from(JSON.stringify([order, value, id, ...(tie === null ? [] : [tie])])).toString('base64url')
}

/**
 * Null when neither parameter is given. An empty one means the beginning or the end of the list. Throws 400 for a text
 * that no list in this order could have given.
 */
export function readCursor(given: ReadonlyMap<string, string>, order: string): Cursor | null {
  const [after, before] = [given.get('page[after]'), given.get('page[before]')]
  const side = after !== undefined ? 'after' : 'before'
  const text = after ?? before
  if (text === undefined) return null
  const name = `page[${side}]`
  if (after !== undefined && before !== undefined)
    throw parameterFault('malformed', 'page[before]', 'Give `page[after]` or `page[before]`, not both.')
  if (given.has('page[number]'))
    throw parameterFault('malformed', 'page[number]', `\`page[number]\` and \`${name}\` exclude each other.`)
  if (text.trim() === '') return { side, position: null }
  const position = readPosition(text.trim(), order)
  if (position === null) {
    throw parameterFault(
      'malformed',
      name,
      `This is not a position in this list. Take it from \`links\`, and do not change \`sort\` (here: ${order}).`,
    )
  }
  return { side, position }
}

function readPosition(text: string, order: string): Position | null {
  if (text.length > 500 || !/^[\w-]+$/.test(text)) return null
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
  if (!Array.isArray(parts) || parts.length < 3 || parts.length > 4) return null
  const [ofOrder, value, id, tie = null] = parts as readonly unknown[]
  if (ofOrder !== order || typeof value !== 'string' || typeof id !== 'string' || !isUuid(id)) return null
  if (tie !== null && (typeof tie !== 'string' || !/^\d{1,18}$/.test(tie))) return null
  return isValueOf(order, value) ? { value, tie, id } : null
}

/**
 * Checks the value against the type of the order's column, so that an invented text never reaches a cast in the
 * database.
 */
function isValueOf(order: string, value: string): boolean {
  if (order === 'rank') return /^[a-z_]{1,30} -?\d{1,16}$/.test(value)
  if (order.endsWith('number')) return /^[\x20-\x7e]{1,40}$/.test(value)
  if (value === 'infinity') return true
  const written = value.replace(' ', 'T')
  const kind = parseEventTime(written)?.kind
  return order.endsWith('lfd') || order === 'urgency'
    ? kind === 'day'
    : kind === 'instant' && /^.{13}:.*\+00$/.test(written)
}
