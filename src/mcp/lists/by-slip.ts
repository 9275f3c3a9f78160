/** Shipments by how late they are. Slips are not in the database: all that match are read, and sorted here. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { listShipments } from '../../modules/shipments/list-shipments.ts'
import type { ShipmentFilter, ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { listSlips, type Slips } from '../../modules/shipments/list-slips.ts'
import type { ToolContext } from '../tool/tool.ts'
import { invalidFilterError } from './filter-values.ts'

const sorts: Readonly<Record<string, keyof Slips>> = {
  slip_since_plan: 'sincePlan',
  slip_since_first_estimate: 'sinceFirstEstimate',
  slip_since_yesterday: 'sinceYesterday',
}
export const slipSorts = Object.keys(sorts)

const rowsMax = 2_000

interface SlipSort {
  readonly by: keyof Slips
  readonly isDescending: boolean
}

/** Null for a sort by anything else. */
export function readSlipSort(given: string | undefined): SlipSort | null {
  const [, minus, name = ''] = /^\s*(-?)\s*(\w+?)(?:_hours)?\s*$/.exec(given ?? '') ?? []
  const by = Object.hasOwn(sorts, name) ? sorts[name] : undefined
  return by === undefined ? null : { by, isDescending: minus === '-' }
}

/** Those whose slip is not known come last. */
export async function listBySlip(
  { service, context }: ToolContext,
  of: { readonly filter: ShipmentFilter; readonly page: PageRequest; readonly sort: SlipSort; readonly now: string },
): Promise<Page<ShipmentReading> & { readonly slips: ReadonlyMap<string, Slips> }> {
  const { filter, page, now } = of
  const { by, isDescending } = of.sort
  const all = await listShipments(service, context, {
    filter,
    order: '-created_at',
    page: { number: 1, size: rowsMax },
  })
  if (all.total > rowsMax)
    throw invalidFilterError('sort', `by slip takes ${rowsMax} shipments at most, and ${all.total} match: add a filter`)
  const slips = await listSlips(service, context, { shipments: all.rows, now })
  const unknown = isDescending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const slipOf = ({ id }: ShipmentReading): number => slips.get(id)?.[by] ?? unknown
  const sorted = all.rows.toSorted((a, b) => (isDescending ? slipOf(b) - slipOf(a) : slipOf(a) - slipOf(b)) || 0)
  const start = (page.number - 1) * page.size
  return { rows: sorted.slice(start, start + page.size), total: all.total, slips }
}
