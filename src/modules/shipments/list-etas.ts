/** Every arrival that was predicted for a shipment of the account, by whom and when, the newest first. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { Context } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import { getShipment, isRangeStanding } from './get-shipment.ts'
import { readShipmentEtas, type ShipmentEtaReading } from './list-etas-sql.ts'

/** Empty when no source has named a port of discharge that we know. */
export async function listEtas(
  service: Service,
  context: Context,
  input: { readonly shipmentId: string; readonly page: PageRequest },
): Promise<Page<ShipmentEtaReading>> {
  const { projection } = await getShipment(service, context, { id: input.shipmentId })
  const unlocode = projection.portOfDischarge?.place?.unlocode ?? null
  if (unlocode === null) return { rows: [], total: 0 }
  const accountId = context.account.id
  const { rows, total } = await readShipmentEtas(service.pool, { accountId, unlocode, ...input })
  const now = journeyNow(service, context.account.isSandbox)
  const isWithdrawn = ({ own }: ShipmentEtaReading): boolean => own !== null && !isRangeStanding(own, now)
  return { rows: rows.map((eta) => (isWithdrawn(eta) ? { ...eta, isStanding: false } : eta)), total }
}
