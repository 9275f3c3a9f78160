/** The account's shipments, newest created first unless asked otherwise. */

import type { Page, PageRequest } from '../../../store/lists/page.ts'
import {
  listShipmentRows,
  type ShipmentFilter,
  type ShipmentOrder,
  type ShipmentReading,
} from '../../../store/read/shipments.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'
import { urgentFrom } from '../urgent-from.ts'

export async function listShipments(
  service: Service,
  context: Context,
  input: { readonly filter: ShipmentFilter; readonly order: ShipmentOrder; readonly page: PageRequest },
): Promise<Page<ShipmentReading>> {
  requireScope(context, 'read')
  const of = { accountId: context.account.id, urgentFrom: urgentFrom(service, context) }
  return listShipmentRows(service.pool, { ...of, ...input })
}
