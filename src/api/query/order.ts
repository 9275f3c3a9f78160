/** The parameter `sort`: one order of a list, or names of values by which it is sorted. */

import type { TSchema } from 'typebox'
import { Type } from '../../platform/json-schema.ts'
import { parameterFault } from '../errors/problem.ts'
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
