/** The account's shipments, newest created first unless asked otherwise. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { exportList, requireFewToSort } from '../bounded-lists.ts'
import { journeyNow, type Service } from '../service.ts'
import { withdrawOldEta } from './get-shipment.ts'
import {
  countShipmentRows,
  listShipmentRows,
  type ShipmentFilter,
  type ShipmentOrder,
  type ShipmentReading,
} from './list-shipments-sql.ts'
import { shipmentSortKeys } from './shipment-values-sql.ts'

export async function listShipments(
  service: Service,
  context: Context,
  input: { readonly filter: ShipmentFilter; readonly order: ShipmentOrder; readonly page: PageRequest },
): Promise<Page<ShipmentReading>> {
  requireScope(context, 'read')
  const of = { accountId: context.account.id, now: journeyNow(service, context.account.isSandbox) }
  const sort = { order: input.order, values: shipmentSortKeys }
  await requireFewToSort(sort, (bound) => countShipmentRows(service.pool, { ...of, ...input }, bound))
  const page = await listShipmentRows(service.pool, { ...of, ...input })
  return { ...page, rows: page.rows.map((each) => withdrawOldEta(each, of.now)) }
}

/** In batches. Throws (`invalid`) before the first when more match than one export may have. */
export async function exportShipments(
  service: Service,
  context: Context,
  input: { readonly filter: ShipmentFilter; readonly order: ShipmentOrder },
): Promise<AsyncGenerator<readonly ShipmentReading[]>> {
  requireScope(context, 'read')
  const of = { accountId: context.account.id, now: journeyNow(service, context.account.isSandbox), ...input }
  return exportList(service, of, { count: countShipmentRows, list: listShipmentRows })
}
