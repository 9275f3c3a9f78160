/** Checks that a shipment still is as the author of a change read it. Runs within the transaction of the change. */

import type { Db } from '../../db/database.ts'
import type { Context } from '../access/context.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import { readShipments, type ShipmentReading } from './list-shipments-sql.ts'

export function requireCurrentShipment(
  { account }: Context,
  input: { readonly id: string; readonly ifCurrent?: PreconditionCheck<ShipmentReading> | null },
): (db: Db) => Promise<void> {
  return async (db) => {
    if (input.ifCurrent == null) return
    const [shipment] = await readShipments(db, { accountId: account.id, ids: [input.id] })
    requireCurrent(input.ifCurrent, shipment)
  }
}
