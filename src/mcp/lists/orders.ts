/** By what each list can be sorted and counted, in the terms of people, and the counts of an answer. */

import { containerGroups, containerSorts } from '../../modules/containers/list-containers-sql.ts'
import { type CountedList, countRowsBy } from '../../modules/search/count-rows-by.ts'
import { nameGroup } from '../../modules/search/name-group.ts'
import { shipmentSorts } from '../../modules/shipments/list-shipments-sql.ts'
import { shipmentGroups } from '../../modules/shipments/shipment-groups-sql.ts'
import { requestGroups, requestSorts } from '../../modules/tracking-requests/list-tracking-requests-sql.ts'
import { Type } from '../../platform/json-schema.ts'
import { list, number, object, optional, textOrNull } from '../tool/schema.ts'
import type { ToolContext } from '../tool/tool.ts'
import { invalidFilterError, suggestValues } from './filter-values.ts'

const sorts = { shipments: shipmentSorts, containers: containerSorts, requests: requestSorts }
const groups = { shipments: shipmentGroups, containers: containerGroups, requests: requestGroups }

type ListKind = keyof typeof sorts
type Sort<L extends ListKind> = string & keyof (typeof sorts)[L]
type Group<L extends ListKind> = string & keyof (typeof groups)[L]

const synonyms: Readonly<Record<string, string>> = {
  attention_priority: 'urgency',
  last_status_refresh_at: 'updated_at',
  eta: 'pod_eta_at',
  arrival: 'pod_eta_at',
  pod_arrival: 'pod_eta_at',
  lfd: 'free_until',
  // People ask for the day that counts.
  pickup_lfd: 'free_until',
  last_free_day: 'free_until',
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

/** `more`: sorts that are not those of the database. */
export function orderingSchema(name: ListKind, more: readonly string[] = []) {
  return {
    sort: Type.Optional(
      Type.String({
        description: `${[...Object.keys(sorts[name]).slice(0, 6), ...more].join(', ')}; - in front: latest first`,
      }),
    ),
    count_by: Type.Optional(
      Type.String({ description: `Counts instead of rows: ${Object.keys(groups[name]).join(', ')}` }),
    ),
  }
}

export function readSort<L extends ListKind>(
  name: L,
  given: string | undefined,
  usual: Sort<L> | `-${Sort<L>}`,
): Sort<L> | `-${Sort<L>}` {
  if (given === undefined) return usual
  const [, minus = '', normalized = ''] = /^\s*(-?)\s*(.*?)\s*$/.exec(given) ?? []
  return `${minus}${readOrderingName('sort', normalized, sorts[name])}` as Sort<L> | `-${Sort<L>}`
}

export function readGroup<L extends ListKind>(name: L, given: string | undefined): Group<L> | null {
  return given === undefined ? null : (readOrderingName('count_by', given, groups[name]) as Group<L>)
}

function readOrderingName(name: string, given: string, table: Readonly<Record<string, unknown>>): string {
  const known = Object.keys(table)
  const normalized = given
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
  const found = [synonyms[normalized], normalized].find((each) => each !== undefined && known.includes(each))
  if (found === undefined)
    throw invalidFilterError(
      name,
      `is one of ${known.join(', ')}, not \`${given.slice(0, 40)}\`${suggestValues(normalized, known, '').replace(/\?$/, '')}`,
    )
  return found
}

export const counted = {
  counts: optional(list(object({ value: textOrNull, name: optional(textOrNull), count: number }))),
} as const

/** The members of an answer that counts instead of listing. A null value is unknown. */
export async function writeCounts({ service, context }: ToolContext, of: CountedList) {
  const { groups: found, isWhole } = await countRowsBy(service, context, of)
  const total = found.reduce((sum, { count }) => sum + count, 0)
  const unknown = found.find(({ value }) => value === null)?.count ?? 0
  return {
    counts: found.map(({ value, count }) => ({ ...writeGroup(of.by, value), count })),
    meta: { size: 0, total, unknown_rows: unknown },
    isWhole,
  }
}

function writeGroup(by: CountedList['by'], value: string | null) {
  if (value === null) return { value }
  const name = nameGroup(by, value)
  if (by === 'terminal') return { value: name ?? value }
  return by === 'line' || by === 'pol' || by === 'pod' || by === 'vessel' ? { value, name } : { value }
}
