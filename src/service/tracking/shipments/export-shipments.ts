/** All shipments that match, in batches, for an export. */

import {
  countShipmentRows,
  listShipmentRows,
  type ShipmentFilter,
  type ShipmentOrder,
  type ShipmentReading,
} from '../../../store/read/shipments.ts'
import { type Context, requireScope } from '../../context.ts'
import { exportedMax, requireExportable, walkList } from '../../ground/walk-list.ts'
import type { Service } from '../../service.ts'
import { urgentFrom } from '../urgent-from.ts'

/** Throws (`invalid`) before the first batch when more shipments match than one export may have. */
export async function exportShipments(
  service: Service,
  context: Context,
  input: { readonly filter: ShipmentFilter; readonly order: ShipmentOrder },
): Promise<AsyncGenerator<readonly ShipmentReading[]>> {
  requireScope(context, 'read')
  const of = { accountId: context.account.id, urgentFrom: urgentFrom(service, context) }
  const list = { ...of, ...input, isCounted: false }
  const anywhere = { number: 1, size: 1 }
  requireExportable(await countShipmentRows(service.pool, { ...list, page: anywhere }, exportedMax))
  return walkList((page) => listShipmentRows(service.pool, { ...list, page }))
}
