/** Counts the containers that match, by a group of the v2 API, by port of lading or ship, or by the last free day. */

import type { Context } from '../access/context.ts'
import type { ContainerFilter, ContainerGroup } from '../containers/list-containers-sql.ts'
import type { Service } from '../service.ts'
import { countRowsBy } from './count-rows-by.ts'
import { nameGroup } from './name-group.ts'

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
} as const satisfies Readonly<Record<string, ContainerGroup>>
type SummaryGroup = keyof typeof columns
export const allSummaryGroups = Object.keys(columns) as readonly SummaryGroup[]

export interface ContainerSummary {
  /** The largest first. A null key: the value is not known. */
  readonly groups: readonly { readonly key: string | null; readonly label: string | null; readonly count: number }[]
  readonly total: number
  /** True when there are more groups, or more containers than are counted. */
  readonly truncated: boolean
}

export async function summarizeContainers(
  service: Service,
  context: Context,
  of: { readonly filter: ContainerFilter; readonly groupBy: SummaryGroup; readonly groupsMax: number },
): Promise<ContainerSummary> {
  const by = columns[of.groupBy]
  const { groups, isWhole } = await countRowsBy(service, context, { of: 'containers', filter: of.filter, by })
  return {
    groups: groups
      .slice(0, of.groupsMax)
      .map(({ value, count }) => ({ key: value, label: value === null ? null : nameGroup(by, value), count })),
    total: groups.reduce((sum, { count }) => sum + count, 0),
    truncated: !isWhole || groups.length > of.groupsMax,
  }
}
