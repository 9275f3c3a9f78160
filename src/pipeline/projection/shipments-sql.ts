/**
 * Shipments and their containers, as the projection writes them. The API reads them in `modules/shipments` and
 * `modules/containers`.
 */

import type { Db } from '../../db/database.ts'
import type { ContainerProjection, ShipmentProjection } from '../../domain/view/projection.ts'

export interface ShipmentRow {
  readonly accountId: string
  readonly id: string
  readonly scac: string
  readonly billOfLadingNumber: string
  readonly normalizedNumber: string
  readonly refNumbers: readonly string[]
  readonly tags: readonly string[]
  /** The party for which it is tracked: that of its first request that names one. */
  readonly customerId: string | null
  /** Without its containers: each has a row of its own. */
  readonly projection: ShipmentProjection
  readonly trackingStoppedAt: string | null
  readonly trackingStoppedReason: string | null
  readonly timerAt: string | null
  /** The version of the merge rules that it is brought up to. */
  readonly rules: number
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ContainerRow {
  readonly id: string
  readonly number: string
  readonly trip: number
  readonly refNumbers: readonly string[]
  readonly projection: ContainerProjection
  readonly createdAt: string
  readonly updatedAt: string
}

export const shipmentColumns = `account_id as "accountId", id, scac, bill_of_lading_number as "billOfLadingNumber",
  normalized_number as "normalizedNumber", ref_numbers as "refNumbers", tags,
  customer_id as "customerId", projection, tracking_stopped_at as "trackingStoppedAt", tracking_stopped_reason as "trackingStoppedReason",
  timer_at as "timerAt", rules, created_at as "createdAt", updated_at as "updatedAt"`

/** The shipment with its containers in order, locked until the transaction ends. */
export async function lockShipment(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<{ readonly shipment: ShipmentRow; readonly containers: readonly ContainerRow[] } | null> {
  const { rows } = await db.query<ShipmentRow>({
    name: 'shipment_lock',
    text: `select ${shipmentColumns} from shipments where account_id = $1 and id = $2 for update`,
    values: [key.accountId, key.id],
  })
  const shipment = rows[0]
  if (shipment === undefined) return null
  const containers = await db.query<ContainerRow>({
    name: 'shipment_containers',
    text: `select id, number, trip, ref_numbers as "refNumbers", projection, created_at as "createdAt",
                  updated_at as "updatedAt"
             from containers where account_id = $1 and shipment_id = $2 order by number, trip`,
    values: [key.accountId, key.id],
  })
  return { shipment, containers: containers.rows }
}

/** Every trip of every container of the shipment. */
export async function tripsOfShipment(
  db: Db,
  key: { readonly accountId: string; readonly shipmentId: string },
): Promise<readonly Pick<ContainerRow, 'id' | 'number' | 'trip'>[]> {
  const { rows } = await db.query<Pick<ContainerRow, 'id' | 'number' | 'trip'>>({
    name: 'shipment_trips',
    text: `select id, number, trip from containers where account_id = $1 and shipment_id = $2`,
    values: [key.accountId, key.shipmentId],
  })
  return rows
}

/** The shipment that a container belongs to; null when the account has no such container. */
export async function shipmentOfContainer(
  db: Db,
  key: { readonly accountId: string; readonly containerId: string },
): Promise<string | null> {
  const { rows } = await db.query<{ shipment_id: string }>({
    name: 'shipment_of_container',
    text: `select shipment_id from containers where account_id = $1 and id = $2`,
    values: [key.accountId, key.containerId],
  })
  return rows[0]?.shipment_id ?? null
}

export interface ShipmentFloor {
  /** When anything of the shipment was last written. */
  readonly updatedAt: string
  readonly timerAt: string | null
  /** The version of the merge rules that it is brought up to. */
  readonly rules: number
}

/**
 * Locks the shipment and returns when anything of it was last written: no entry about it may be recorded earlier, even
 * when the clock was set back. Whoever writes an entry takes this lock before the ledger gives it a position, so that
 * the order of positions is the order in which they are folded. The caller has locked the requests it changes.
 */
export async function lockShipmentFloor(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<ShipmentFloor | null> {
  await db.query({
    name: 'shipment_floor_lock',
    text: `select 1 from shipments where account_id = $1 and id = $2 for update`,
    values: [key.accountId, key.id],
  })
  const { rows } = await db.query<ShipmentFloor>({
    name: 'shipment_floor',
    text: `select greatest(s.updated_at,
                           (select max(updated_at) from tracking_requests where account_id = $1 and shipment_id = $2),
                           (select max(updated_at) from containers where account_id = $1 and shipment_id = $2)
                  ) as "updatedAt", s.timer_at as "timerAt", s.rules
             from shipments s
            where s.account_id = $1 and s.id = $2`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}
