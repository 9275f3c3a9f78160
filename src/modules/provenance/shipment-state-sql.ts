/** A shipment with its containers as they were projected, complete. An explanation compares the claims with it. */

import type { Db } from '../../db/database.ts'
import type { ContainerProjection, ShipmentProjection } from '../../domain/view/projection.ts'

export interface ShipmentState {
  readonly id: string
  readonly scac: string
  readonly projection: ShipmentProjection
  readonly updatedAt: string
  readonly containers: readonly {
    readonly id: string
    readonly projection: ContainerProjection
    readonly refNumbers: readonly string[]
  }[]
}

export async function readShipmentState(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<ShipmentState | null> {
  const { rows } = await db.query<Omit<ShipmentState, 'containers'>>({
    name: 'read_shipment_state',
    text: `select id, scac, projection, updated_at as "updatedAt"
             from shipments where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
  const shipment = rows[0]
  if (shipment === undefined) return null
  const containers = await db.query<ShipmentState['containers'][number]>({
    name: 'read_shipment_state_containers',
    text: `select id, projection, ref_numbers as "refNumbers"
             from containers where account_id = $1 and shipment_id = $2 order by number, trip`,
    values: [key.accountId, key.id],
  })
  return { ...shipment, containers: containers.rows }
}
