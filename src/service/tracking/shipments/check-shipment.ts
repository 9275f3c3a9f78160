/** Checks that a shipment still is as the author of a change read it. Runs within the transaction of the change. */

import type { Db } from '../../../store/database.ts'
import { readShipments, type ShipmentReading } from '../../../store/read/shipments.ts'
import type { Context } from '../../context.ts'
import { type IfCurrent, requireCurrent } from '../../ground/if-current.ts'

export function checkShipment(
  { account }: Context,
  asked: { readonly id: string; readonly ifCurrent?: IfCurrent<ShipmentReading> | null },
): (db: Db) => Promise<void> {
  return async (db) => {
    if (asked.ifCurrent == null) return
    const [shipment] = await readShipments(db, { accountId: account.id, ids: [asked.id] })
    requireCurrent(asked.ifCurrent, shipment)
  }
}
