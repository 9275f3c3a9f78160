/** Shipments and their containers, as the projection writes them. What the doors read is in `read/`. */

import type { ContainerProjection, ShipmentProjection } from '../core/projection.ts'
import type { Db } from './database.ts'

export interface ShipmentRow {
  readonly accountId: string
  readonly id: string
  readonly scac: string
  readonly billOfLadingNumber: string
  readonly normalizedNumber: string
  readonly refNumbers: readonly string[]
  readonly tags: readonly string[]
  /** The party that it is tracked for: that of the first of its requests which names one. */
  readonly customerId: string | null
  /** Without its containers: each has a row of its own. */
  readonly projection: ShipmentProjection
  readonly trackingStoppedAt: string | null
  readonly trackingStoppedReason: string | null
  readonly timerAt: string | null
  /** The version of the merge rules that it is up to. */
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

/** Makes the shipment unless the account has it already; returns its id either way. */
export async function ensureShipment(db: Db, shipment: ShipmentRow): Promise<string> {
  // No conflict target: two workers at the same moment collide in the primary key as well as in the number.
  const made = await db.query<{ id: string }>({
    name: 'shipment_make',
    text: `insert into shipments
             (account_id, id, scac, bill_of_lading_number, normalized_number, ref_numbers, tags, projection,
              tracking_stopped_at, tracking_stopped_reason, timer_at, created_at, updated_at, customer_id,
              rules)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
           on conflict do nothing
           returning id`,
    values: [
      shipment.accountId,
      shipment.id,
      shipment.scac,
      shipment.billOfLadingNumber,
      shipment.normalizedNumber,
      shipment.refNumbers,
      shipment.tags,
      JSON.stringify(shipment.projection),
      shipment.trackingStoppedAt,
      shipment.trackingStoppedReason,
      shipment.timerAt,
      shipment.createdAt,
      shipment.updatedAt,
      shipment.customerId,
      shipment.rules,
    ],
  })
  if (made.rows[0] !== undefined) return made.rows[0].id
  // In a statement of its own, which sees what the other worker has committed meanwhile.
  const { rows } = await db.query<{ id: string }>({
    name: 'shipment_of_number',
    text: `select id from shipments where account_id = $1 and scac = $2 and normalized_number = $3`,
    values: [shipment.accountId, shipment.scac, shipment.normalizedNumber],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the shipment was not written')
  return row.id
}

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

/** The first of its requests that names a customer gives it to the shipment. */
export async function adoptCustomer(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly customerId: string },
): Promise<void> {
  await db.query({
    name: 'shipment_adopt_customer',
    text: `update shipments set customer_id = $3 where account_id = $1 and id = $2 and customer_id is null`,
    values: [of.accountId, of.shipmentId, of.customerId],
  })
}

/** Writes what a user may set, and where tracking stands. */
export async function updateShipmentFields(
  db: Db,
  shipment: {
    readonly accountId: string
    readonly id: string
    readonly refNumbers: readonly string[]
    readonly tags: readonly string[]
    readonly trackingStoppedAt: string | null
    readonly trackingStoppedReason: string | null
    readonly updatedAt: string
  },
): Promise<void> {
  await db.query({
    name: 'shipment_fields',
    text: `update shipments
              set ref_numbers = $3, tags = $4, tracking_stopped_at = $5, tracking_stopped_reason = $6, updated_at = $7
            where account_id = $1 and id = $2`,
    values: [
      shipment.accountId,
      shipment.id,
      shipment.refNumbers,
      shipment.tags,
      shipment.trackingStoppedAt,
      shipment.trackingStoppedReason,
      shipment.updatedAt,
    ],
  })
}

export interface ContainerWrite {
  readonly id: string
  readonly number: string
  readonly trip: number
  readonly projection: ContainerProjection
}

export async function setContainerReferences(
  db: Db,
  container: {
    readonly accountId: string
    readonly id: string
    readonly refNumbers: readonly string[]
    readonly updatedAt: string
  },
): Promise<void> {
  await db.query({
    name: 'container_references',
    text: `update containers set ref_numbers = $3, updated_at = $4 where account_id = $1 and id = $2`,
    values: [container.accountId, container.id, container.refNumbers, container.updatedAt],
  })
}

/** Whether a shipment is tracked follows from its requests: it is while one of them is, and stops with the last. */
export async function settleTrackingStop(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'shipment_settle_stop',
    text: `with requests as (
             select bool_or(status = 'created') as is_tracked,
                    (array_agg(lifecycle ->> 'stoppedReason' order by updated_at desc, id)
                       filter (where status = 'tracking_stopped'))[1] as reason
               from tracking_requests where account_id = $1 and shipment_id = $2
           )
           update shipments s
              set tracking_stopped_at = case when r.is_tracked or r.reason is null then null
                                             else coalesce(s.tracking_stopped_at, $3) end,
                  tracking_stopped_reason = case when r.is_tracked then null
                                                 else coalesce(s.tracking_stopped_reason, r.reason) end
             from requests r
            where s.account_id = $1 and s.id = $2
              and (s.tracking_stopped_at is not null) is distinct from (not coalesce(r.is_tracked, false) and r.reason is not null)`,
    values: [of.accountId, of.shipmentId, of.at],
  })
}

export interface ShipmentFloor {
  /** When anything of the shipment was last written. */
  readonly updatedAt: string
  readonly timerAt: string | null
  /** The version of the merge rules that it is up to. */
  readonly rules: number
}

/**
 * Locks the shipment and says when anything of it was last written: no entry about it may be recorded earlier, even
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

/**
 * Whether the shipment holds anything recorded after this entry, or was folded by other merge rules last: then the entry
 * must be made anew, in its turn.
 */
export async function isOvertaken(
  db: Db,
  entry: {
    readonly accountId: string
    readonly position: number
    readonly recordedAt: string
    readonly rules: number
    readonly shipmentId: string
  },
): Promise<boolean> {
  const { rows } = await db.query<{ overtaken: boolean }>({
    name: 'shipment_overtaken',
    text: `select exists (select 1 from ledger l
                           where l.account_id = $1 and l.position > $2
                             and (l.shipment_id = $4
                                  or l.tracking_request_id in (select id from tracking_requests
                                                                where account_id = $1 and shipment_id = $4)))
               or exists (select 1 from tracking_requests
                           where account_id = $1 and shipment_id = $4 and updated_at > $3)
               or exists (select 1 from containers
                           where account_id = $1 and shipment_id = $4 and updated_at > $3)
               or exists (select 1 from shipments
                           where account_id = $1 and id = $4 and rules <> $5) as overtaken`,
    values: [entry.accountId, entry.position, entry.recordedAt, entry.shipmentId, entry.rules],
  })
  return rows[0]?.overtaken === true
}
