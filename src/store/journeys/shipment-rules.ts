/** Which merge rules a shipment is up to, and what older ones made of a request that newer ones might make otherwise. */

import type { Db } from '../database.ts'
import type { ShipmentRow } from './shipments.ts'

/** The shipment is up to this version of the merge rules. */
export async function setRules(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly rules: number },
): Promise<void> {
  await db.query({
    name: 'shipment_rules',
    text: `update shipments set rules = $3 where account_id = $1 and id = $2`,
    values: [of.accountId, of.shipmentId, of.rules],
  })
}

/** What a request came to be, of the served tables whatever the session sees: older rules may have named it otherwise. */
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
