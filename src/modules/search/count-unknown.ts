/**
 * Counts the rows that match the rest of a filter and whose value for one of its conditions is unknown. A list leaves
 * these rows out without a notice, and a reader would understand an empty list as "none".
 */

import type { NamedDemands, ValueDemand } from '../../db/listing/demands.ts'
import { anyTime, type TimeRange } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { type ContainerFilter, type ContainerUnknown, countContainerRows } from '../containers/list-containers-sql.ts'
import { journeyNow, type Service } from '../service.ts'
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
  /** Filters of the v2 API that are about the same value. */
  readonly names: readonly string[]
}

/** Counts only for conditions that the filter has, and leaves out counts of zero. */
export async function countUnknownContainers(
  service: Service,
  context: Context,
  { filter }: { readonly filter: ContainerFilter },
): Promise<readonly UnknownCount[]> {
  requireScope(context, 'read')
  const count = (of: Partial<ContainerFilter>) =>
    countContainerRows(
      service.pool,
      {
        accountId: context.account.id,
        filter: { ...filter, ...of },
        order: '-updated_at',
        page: firstPage,
        now: journeyNow(service, context.account.isSandbox),
      },
      countMax,
    )
  return countAspects(containerAspects, filter, async (what, without) => ({
    what,
    count: await count({ ...without, unknown: what }),
    toBePickedUp:
      what === 'freeUntil' ? await count({ ...without, unknown: what, status: filter.status ?? beforePickUp }) : null,
  }))
}

export async function countUnknownShipments(
  service: Service,
  context: Context,
  { filter }: { readonly filter: ShipmentFilter },
): Promise<readonly UnknownCount[]> {
  requireScope(context, 'read')
  return countAspects(shipmentAspects, filter, async (what, without) => ({
    what,
    count: await countShipmentRows(
      service.pool,
      {
        accountId: context.account.id,
        filter: { ...filter, ...without, unknown: what },
        order: '-created_at',
        page: firstPage,
        now: journeyNow(service, context.account.isSandbox),
      },
      countMax,
    ),
    toBePickedUp: null,
  }))
}

async function countAspects<What extends string, Filter extends { readonly demands?: readonly NamedDemands[] }>(
  aspects: Readonly<Record<What, UnknownCondition<Filter>>>,
  filter: Filter,
  count: (what: What, without: Partial<Filter>) => Promise<UnknownCount>,
): Promise<readonly UnknownCount[]> {
  const counts = (Object.keys(aspects) as What[]).flatMap((what) => {
    const { isFiltered, without, names } = aspects[what]
    const isDemanded = filter.demands?.some(({ name, all }) => names.includes(name) && !all.some(isAboutPresence))
    const demands = filter.demands?.map((each) => (names.includes(each.name) ? { ...each, all: [absent] } : each)) ?? []
    return isFiltered(filter) || isDemanded ? [count(what, { ...without, demands })] : []
  })
  return (await Promise.all(counts)).filter((each) => each.count !== 0)
}

const absent: ValueDemand = { kind: 'present', isPresent: false }
/** Such a demand says itself what it wants of unknown values. */
const isAboutPresence = ({ kind }: ValueDemand): boolean => kind === 'present'

const isRange = (range: TimeRange | undefined): boolean =>
  range !== undefined && (range.start !== null || range.end !== null)

const shipmentAspects: Readonly<Record<ShipmentUnknown, UnknownCondition<ShipmentFilter>>> = {
  pol: { isFiltered: ({ pol }) => pol != null, without: { pol: null }, names: ['pol_code'] },
  pod: {
    isFiltered: ({ pod, podOrDestination }) => (pod ?? podOrDestination) != null,
    without: { pod: null, podOrDestination: null },
    names: ['pod_code'],
  },
  vesselImo: { isFiltered: ({ vesselImo }) => vesselImo != null, without: { vesselImo: null }, names: ['vessel_name'] },
  podEtaAt: {
    isFiltered: ({ podEtaAt }) => isRange(podEtaAt),
    without: { podEtaAt: anyTime },
    names: ['pod_eta_at', 'pod_arrival', 'arrival'],
  },
}

const containerAspects: Readonly<Record<ContainerUnknown, UnknownCondition<ContainerFilter>>> = {
  pol: { isFiltered: ({ pol }) => pol != null, without: { pol: null }, names: ['pol_code'] },
  pod: {
    isFiltered: ({ pod, podOrDestination }) => (pod ?? podOrDestination) != null,
    without: { pod: null, podOrDestination: null },
    names: ['pod_code'],
  },
  vesselImo: { isFiltered: ({ vesselImo }) => vesselImo != null, without: { vesselImo: null }, names: ['vessel_name'] },
  podEtaAt: {
    isFiltered: ({ podEtaAt }) => isRange(podEtaAt),
    without: { podEtaAt: anyTime },
    names: ['pod_eta_at', 'pod_arrival', 'arrival'],
  },
  freeUntil: {
    isFiltered: ({ freeUntil }) => isRange(freeUntil),
    without: { freeUntil: anyTime },
    names: ['pickup_lfd', 'free_until'],
  },
  holds: {
    isFiltered: ({ isHeld, hold }) => isHeld != null || hold != null,
    without: { isHeld: null, hold: null },
    names: [],
  },
  fees: { isFiltered: () => false, without: {}, names: ['has_fees', 'has_demurrage_fees', 'has_fees_or_holds'] },
}
