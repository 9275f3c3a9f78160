/**
 * Counts the rows that match the rest of a filter and whose value for one of its conditions is unknown. A list leaves
 * these rows out without a notice, and a reader would understand an empty list as "none".
 */

import { anyTime, type TimeRange } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { type ContainerFilter, type ContainerUnknown, countContainerRows } from '../containers/list-containers-sql.ts'
import type { Service } from '../service.ts'
import { countShipmentRows, type ShipmentFilter, type ShipmentUnknown } from '../shipments/list-shipments-sql.ts'

export interface UnknownCount {
  readonly what: ContainerUnknown | ShipmentUnknown
  /** Null for more than `countMax`. */
  readonly count: number | null
  /**
   * For a last free day: how many of these containers are not picked up yet, because the day matters only for them.
   * Else null.
   */
  readonly toBePickedUp: number | null
}

export const countMax = 10_000
const firstPage = { number: 1, size: 1 }
const beforePickUp = [
  'new',
  'loaded',
  'on_ship',
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
  'on_rail',
  'off_dock',
]

interface UnknownCondition<Filter> {
  readonly isFiltered: (filter: Filter) => boolean
  readonly without: Partial<Filter>
}

/** Counts only for conditions that the filter has, and leaves out counts of zero. */
export async function countUnknownContainers(
  { pool }: Service,
  context: Context,
  { filter }: { readonly filter: ContainerFilter },
): Promise<readonly UnknownCount[]> {
  requireScope(context, 'read')
  const count = (of: Partial<ContainerFilter>) =>
    countContainerRows(
      pool,
      {
        accountId: context.account.id,
        filter: { ...filter, ...of },
        order: '-updated_at',
        page: firstPage,
      },
      countMax,
    )
  return countAspects(containerAspects, filter, async (what, without) => ({
    what,
    count: await count({ ...without, unknown: what }),
    toBePickedUp:
      what === 'earliestLfd' ? await count({ ...without, unknown: what, status: filter.status ?? beforePickUp }) : null,
  }))
}

export async function countUnknownShipments(
  { pool }: Service,
  context: Context,
  { filter }: { readonly filter: ShipmentFilter },
): Promise<readonly UnknownCount[]> {
  requireScope(context, 'read')
  return countAspects(shipmentAspects, filter, async (what, without) => ({
    what,
    count: await countShipmentRows(
      pool,
      {
        accountId: context.account.id,
        filter: { ...filter, ...without, unknown: what },
        order: '-created_at',
        page: firstPage,
      },
      countMax,
    ),
    toBePickedUp: null,
  }))
}

async function countAspects<What extends string, Filter>(
  aspects: Readonly<Record<What, UnknownCondition<Filter>>>,
  filter: Filter,
  count: (what: What, without: Partial<Filter>) => Promise<UnknownCount>,
): Promise<readonly UnknownCount[]> {
  const whats = Object.keys(aspects) as What[]
  const filteredAspects = whats.filter((what) => aspects[what].isFiltered(filter))
  const counts = await Promise.all(filteredAspects.map((what) => count(what, aspects[what].without)))
  return counts.filter((each) => each.count !== 0)
}

const isRange = (range: TimeRange | undefined): boolean =>
  range !== undefined && (range.start !== null || range.end !== null)

const shipmentAspects: Readonly<Record<ShipmentUnknown, UnknownCondition<ShipmentFilter>>> = {
  pol: { isFiltered: ({ pol }) => pol != null, without: { pol: null } },
  pod: { isFiltered: ({ pod }) => pod != null, without: { pod: null } },
  vesselImo: { isFiltered: ({ vesselImo }) => vesselImo != null, without: { vesselImo: null } },
  podEtaAt: { isFiltered: ({ podEtaAt }) => isRange(podEtaAt), without: { podEtaAt: anyTime } },
}

const containerAspects: Readonly<Record<ContainerUnknown, UnknownCondition<ContainerFilter>>> = {
  pol: { isFiltered: ({ pol }) => pol != null, without: { pol: null } },
  pod: { isFiltered: ({ pod }) => pod != null, without: { pod: null } },
  vesselImo: { isFiltered: ({ vesselImo }) => vesselImo != null, without: { vesselImo: null } },
  podEtaAt: { isFiltered: ({ podEtaAt }) => isRange(podEtaAt), without: { podEtaAt: anyTime } },
  earliestLfd: { isFiltered: ({ earliestLfd }) => isRange(earliestLfd), without: { earliestLfd: anyTime } },
  holds: {
    isFiltered: ({ isHeld, hold }) => isHeld != null || hold != null,
    without: { isHeld: null, hold: null },
  },
}
