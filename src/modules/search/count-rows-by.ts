/** Counts the rows of a list by one of their values. The counts are of all rows that match, whatever page is shown. */

import type { Groups } from '../../db/listing/count-groups.ts'
import { type Context, requireScope } from '../access/context.ts'
import { type ContainerFilter, type ContainerGroup, countContainersBy } from '../containers/list-containers-sql.ts'
import { journeyNow, type Service } from '../service.ts'
import type { ShipmentFilter } from '../shipments/list-shipments-sql.ts'
import { countShipmentsBy, type ShipmentGroup } from '../shipments/shipment-groups-sql.ts'
import {
  countTrackingRequestsBy,
  type TrackingRequestFilter,
  type TrackingRequestGroup,
} from '../tracking-requests/list-tracking-requests-sql.ts'

/** More rows than this are not counted. */
export const groupedMax = 100_000

/** What each list can be counted by. */
export type CountedList =
  | { readonly of: 'containers'; readonly filter: ContainerFilter; readonly by: ContainerGroup }
  | { readonly of: 'shipments'; readonly filter: ShipmentFilter; readonly by: ShipmentGroup }
  | { readonly of: 'requests'; readonly filter: TrackingRequestFilter; readonly by: TrackingRequestGroup }

export async function countRowsBy(service: Service, context: Context, list: CountedList): Promise<Groups> {
  requireScope(context, 'read')
  const { pool } = service
  const of = { accountId: context.account.id, now: journeyNow(service, context.account.isSandbox) }
  const bound = groupedMax
  switch (list.of) {
    case 'containers':
      return countContainersBy(pool, { ...of, filter: list.filter }, { by: list.by, bound })
    case 'shipments':
      return countShipmentsBy(pool, { ...of, filter: list.filter }, { by: list.by, bound })
    case 'requests':
      return countTrackingRequestsBy(pool, { ...of, filter: list.filter }, { by: list.by, bound })
  }
}
