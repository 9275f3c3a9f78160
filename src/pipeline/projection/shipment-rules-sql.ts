/**
 * Which version of the merge rules a shipment is brought up to, and what older rules made of a request where newer ones
 * might make something else.
 */

import type { Db } from '../../db/database.ts'
import type { ShipmentRow } from './shipments-sql.ts'

/** Notes that the shipment is brought up to this version of the merge rules. */
export async function setShipmentRules(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly rules: number },
): Promise<void> {
  await db.query({
    name: 'shipment_rules',
    text: `update shipments set rules = $3 where account_id = $1 and id = $2`,
    values: [of.accountId, of.shipmentId, of.rules],
  })
}

/**
 * The shipment of a request in the served tables, whatever tables the session sees. Older merge rules may have given it
 * another number.
 */
export async function shipmentOnRecord(
  db: Db,
  of: { readonly accountId: string; readonly trackingRequestId: string },
): Promise<Pick<ShipmentRow, 'id' | 'billOfLadingNumber' | 'normalizedNumber'> | null> {
  const { rows } = await db.query<Pick<ShipmentRow, 'id' | 'billOfLadingNumber' | 'normalizedNumber'>>({
    name: 'shipment_on_record',
    text: `select s.id, s.bill_of_lading_number as "billOfLadingNumber", s.normalized_number as "normalizedNumber"
             from public.tracking_requests r
             join public.shipments s on s.account_id = $1 and s.id = r.shipment_id
            where r.account_id = $1 and r.id = $2`,
    values: [of.accountId, of.trackingRequestId],
  })
  return rows[0] ?? null
}
