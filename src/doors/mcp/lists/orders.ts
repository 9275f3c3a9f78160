/** By what each list can be sorted and counted, in words of people, and the counts of an answer. */

import { Type } from '../../../platform/json-schema.ts'
import { findPlaceByCode } from '../../../reference/places.ts'
import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { findTerminalById } from '../../../reference/terminals.ts'
import { findVesselByImo } from '../../../reference/vessels.ts'
import { type CountedList, countRowsBy } from '../../../service/ground/count-by.ts'
import { list, maybe, number, object, textOrNull } from '../tool/schema.ts'
import type { Asking } from '../tool/tool.ts'
import { hint, refused } from './filter-values.ts'

export const sorts = {
  shipments: ['created_at', 'updated_at', 'pod_eta_at', 'urgency'],
  containers: ['updated_at', 'created_at', 'pod_eta_at', 'pickup_lfd', 'number', 'urgency'],
  requests: ['created_at', 'updated_at'],
} as const

export const groups = {
  shipments: ['status', 'line', 'pol', 'pod', 'vessel'],
  containers: ['status', 'line', 'pol', 'pod', 'terminal', 'vessel', 'pickup_lfd'],
  requests: ['status', 'failed_reason', 'request_type', 'line'],
} as const

type List = keyof typeof sorts
type Sort<L extends List> = (typeof sorts)[L][number]

const otherWords: Readonly<Record<string, string>> = {
  eta: 'pod_eta_at',
  arrival: 'pod_eta_at',
  lfd: 'pickup_lfd',
  last_free_day: 'pickup_lfd',
  created: 'created_at',
  updated: 'updated_at',
  scac: 'line',
  carrier: 'line',
  shipping_line: 'line',
  port_of_discharge: 'pod',
  port_of_lading: 'pol',
  ship: 'vessel',
  reason: 'failed_reason',
}

export function ordering(name: List) {
  return {
    sort: Type.Optional(Type.String({ description: `${sorts[name].join(', ')}; - in front: latest first` })),
    count_by: Type.Optional(
      Type.String({ description: `Counts instead of rows: ${groups[name].join(', ')}` }),
    ),
  }
}

export function readSort<L extends List>(
  name: L,
  given: string | undefined,
  usual: Sort<L> | `-${Sort<L>}`,
): Sort<L> | `-${Sort<L>}` {
  if (given === undefined) return usual
  const [, minus = '', word = ''] = /^\s*(-?)\s*(.*?)\s*$/.exec(given) ?? []
  return `${minus}${readWord('sort', word, sorts[name])}` as Sort<L> | `-${Sort<L>}`
}

export function readGroup<L extends List>(
  name: L,
  given: string | undefined,
): (typeof groups)[L][number] | null {
  return given === undefined ? null : readWord('count_by', given, groups[name])
}

function readWord<const T extends string>(name: string, given: string, known: readonly T[]): T {
  const word = given
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
  const found = known.find((each) => each === word || each === otherWords[word])
  if (found === undefined)
    throw refused(
      name,
      `is one of ${known.join(', ')}, not \`${given.slice(0, 40)}\`${hint(word, known, '').replace(/\?$/, '')}`,
    )
  return found
}

export const counted = {
  counts: maybe(list(object({ value: textOrNull, name: maybe(textOrNull), count: number }))),
} as const

/** The members of an answer that counts instead of listing. A null value is unknown. */
export async function writeCounts({ service, context }: Asking, of: CountedList) {
  const { groups: found, isWhole } = await countRowsBy(service, context, of)
  const total = found.reduce((sum, { count }) => sum + count, 0)
  const unknown = found.find(({ value }) => value === null)?.count ?? 0
  return {
    counts: found.map(({ value, count }) => ({ ...named(of.by, value), count })),
    meta: { size: 0, total, unknown_rows: unknown },
    isWhole,
  }
}

function named(by: CountedList['by'], value: string | null) {
  if (value === null) return { value }
  switch (by) {
    case 'line':
      return { value, name: findShippingLine(value)?.shortName ?? null }
    case 'pol':
    case 'pod':
      return { value, name: findPlaceByCode(value)?.name ?? null }
    case 'vessel':
      return { value, name: findVesselByImo(value)?.name ?? null }
    case 'terminal':
      return { value: findTerminalById(value)?.name ?? value }
    default:
      return { value }
  }
}
