/** Counts the containers or shipments that match, by a group of the v2 API. */

import type { Context } from '../access/context.ts'
import type { Service } from '../service.ts'
import { type CountedList, countRowsBy } from './count-rows-by.ts'
import { nameGroup } from './name-group.ts'

type Containers = Extract<CountedList, { readonly of: 'containers' }>
type Shipments = Extract<CountedList, { readonly of: 'shipments' }>

export const summaryGroups = [
  'current_status',
  'pod_terminal',
  'shipping_line',
  'port_of_discharge',
  'port_of_lading',
  'vessel',
] as const
const columns = {
  current_status: 'status',
  pod_terminal: 'terminal',
  shipping_line: 'line',
  port_of_discharge: 'pod',
  port_of_lading: 'pol',
  vessel: 'vessel',
  pickup_lfd_date: 'pickup_lfd',
} as const satisfies Readonly<Record<string, Containers['by']>>
type SummaryGroup = keyof typeof columns
export const allSummaryGroups = Object.keys(columns) as readonly SummaryGroup[]

const shipmentColumns = {
  status: 'status',
  shipping_line: 'line',
  port_of_discharge: 'pod',
  port_of_lading: 'pol',
  vessel: 'vessel',
} as const satisfies Readonly<Record<string, Shipments['by']>>
export type ShipmentSummaryGroup = keyof typeof shipmentColumns
export const shipmentSummaryGroups = Object.keys(shipmentColumns) as readonly ShipmentSummaryGroup[]

export interface Summary {
  /** The largest first. A null key: the value is not known. */
  readonly groups: readonly { readonly key: string | null; readonly label: string | null; readonly count: number }[]
  readonly total: number
  /** True when there are more groups, or more rows than are counted. */
  readonly truncated: boolean
}

export function summarizeContainers(
  service: Service,
  context: Context,
  of: { readonly filter: Containers['filter']; readonly groupBy: SummaryGroup; readonly groupsMax: number },
): Promise<Summary> {
  return summarize(service, context, { of: 'containers', filter: of.filter, by: columns[of.groupBy] }, of.groupsMax)
}

export function summarizeShipments(
  service: Service,
  context: Context,
  of: { readonly filter: Shipments['filter']; readonly groupBy: ShipmentSummaryGroup; readonly groupsMax: number },
): Promise<Summary> {
  const by = shipmentColumns[of.groupBy]
  return summarize(service, context, { of: 'shipments', filter: of.filter, by }, of.groupsMax)
}

async function summarize(service: Service, context: Context, list: CountedList, groupsMax: number): Promise<Summary> {
  const { groups, isWhole } = await countRowsBy(service, context, list)
  return {
    groups: groups
      .slice(0, groupsMax)
      .map(({ value, count }) => ({ key: value, label: value === null ? null : nameGroup(list.by, value), count })),
    total: groups.reduce((sum, { count }) => sum + count, 0),
    truncated: !isWhole || groups.length > groupsMax,
  }
}
