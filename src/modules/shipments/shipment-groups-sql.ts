/** Shipments counted by what they have in common. */

import type { Db } from '../../db/database.ts'
import { countGroups, type Groups } from '../../db/listing/count-groups.ts'
import { type ShipmentList, shipmentConditions } from './list-shipments-sql.ts'

export const shipmentGroups = {
  status: 's.status',
  line: 's.scac',
  pol: 's.pol',
  pod: 's.pod',
  vessel: 's.vessel_imo',
} as const
export type ShipmentGroup = keyof typeof shipmentGroups

export async function countShipmentsBy(
  db: Db,
  of: Pick<ShipmentList, 'accountId' | 'filter' | 'now'>,
  { by, bound }: { readonly by: ShipmentGroup; readonly bound: number },
): Promise<Groups> {
  const conditions = await shipmentConditions(db, { ...of, sortedBy: 'created_at' })
  const rows = { table: 'shipments', alias: 's', conditions }
  return countGroups(db, rows, { value: shipmentGroups[by], bound })
}
