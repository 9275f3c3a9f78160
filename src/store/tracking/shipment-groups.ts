/** Shipments counted by what they have in common. */

import type { Db } from '../database.ts'
import { countGroups, type Groups } from '../lists/count-groups.ts'
import { type ShipmentList, shipmentConditions } from '../read/shipments.ts'

const shipmentGroups = {
  status: 's.status',
  line: 's.scac',
  pol: 's.pol',
  pod: 's.pod',
  vessel: 's.vessel_imo',
} as const
export type ShipmentGroup = keyof typeof shipmentGroups

export async function countShipmentsBy(
  db: Db,
  of: Pick<ShipmentList, 'accountId' | 'filter'>,
  { by, bound }: { readonly by: ShipmentGroup; readonly bound: number },
): Promise<Groups> {
  const conditions = await shipmentConditions(db, { ...of, sortedBy: 'created_at' })
  const rows = { table: 'shipments', alias: 's', conditions }
  return countGroups(db, rows, { value: shipmentGroups[by], bound })
}
