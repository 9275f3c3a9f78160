/** Counts the rows of a list by one of their values. The counts are of all rows that match, whatever page is shown. */

import type { Groups } from '../../store/lists/count-groups.ts'
import { type ContainerFilter, type ContainerGroup, countContainersBy } from '../../store/read/containers.ts'
import type { ShipmentFilter } from '../../store/read/shipments.ts'
import {
  countTrackingRequestsBy,
  type TrackingRequestFilter,
  type TrackingRequestGroup,
} from '../../store/read/tracking-requests.ts'
import { countShipmentsBy, type ShipmentGroup } from '../../store/tracking/shipment-groups.ts'
import { type Context, requireScope } from '../context.ts'
import type { Service } from '../service.ts'

/** More rows than this are not counted. */
export const groupedMax = 100_000

/** What each list can be counted by. */
export type CountedList =
  | { readonly of: 'containers'; readonly filter: ContainerFilter; readonly by: ContainerGroup }
  | { readonly of: 'shipments'; readonly filter: ShipmentFilter; readonly by: ShipmentGroup }
  | { readonly of: 'requests'; readonly filter: TrackingRequestFilter; readonly by: TrackingRequestGroup }

export async function countRowsBy({ pool }: Service, context: Context, list: CountedList): Promise<Groups> {
  requireScope(context, 'read')
  const accountId = context.account.id
  const bound = groupedMax
  switch (list.of) {
    case 'containers':
      return countContainersBy(pool, { accountId, filter: list.filter }, { by: list.by, bound })
    case 'shipments':
      return countShipmentsBy(pool, { accountId, filter: list.filter }, { by: list.by, bound })
    case 'requests':
      return countTrackingRequestsBy(pool, { accountId, filter: list.filter }, { by: list.by, bound })
  }
}
