/** Inputs of charges besides the projections: every statement on holds, and active last free days. */

import type { Db } from '../../db/database.ts'
import type { FactObservation, Hand, Source } from '../../domain/statements/observation.ts'
import type { ContainerProjection, ShipmentProjection } from '../../domain/view/projection.ts'

/** A claim about holds, or about a last free day. */
export interface ChargeClaim {
  readonly id: string
  readonly source: Source
  readonly observation: FactObservation
  readonly readAt: string
  readonly recordedAt: string
  readonly standsAt: string
  readonly hand: Hand
  readonly deliveryKey: string | null
  readonly retiredAt: string | null
  readonly shipmentId: string
}

const claim = `k.id, json_build_object('kind', k.source_kind, 'code', k.source_code) as source, k.observation,
  k.read_at as "readAt", k.recorded_at as "recordedAt", coalesce(k.stands_at, k.recorded_at) as "standsAt", k.hand,
  k.delivery_key as "deliveryKey", k.retired_at as "retiredAt"`

const isRelevant = `(k.observation ->> 'fact' in ('hold', 'holds') or k.retired_at is null and k.observation ->> 'fact' in
                   ('pickup_lfd_line', 'pickup_lfd_terminal', 'pickup_lfd_rail', 'empty_return_by'))`

/**
 * Of these shipments every claim about holds, active or retired, and the active claims of last free days. Claims of a
 * line's answer are stored under the poll target of a request, pushed claims under the shipment.
 */
export async function chargeClaimsOf(
  db: Db,
  of: { readonly accountId: string; readonly shipmentIds: readonly string[] },
): Promise<readonly ChargeClaim[]> {
  const { rows } = await db.query<ChargeClaim>({
    name: 'charge_claims',
    text: `select ${claim}, k.shipment_id as "shipmentId" from claims k
            where k.account_id = $1 and k.shipment_id = any($2::uuid[])
              and ${isRelevant}
           union all
           select ${claim}, r.shipment_id as "shipmentId"
             from (select distinct shipment_id, subject_id from tracking_requests
                    where account_id = $1 and shipment_id = any($2::uuid[])) r
             join claims k on k.account_id = $1 and k.subject_id = r.subject_id and k.shipment_id is null
            where ${isRelevant}`,
    values: [of.accountId, of.shipmentIds],
  })
  return rows
}

export interface ChargedRow {
  readonly id: string
  readonly shipmentId: string
  readonly scac: string
  readonly shipment: Pick<ShipmentProjection, 'billOfLadingNumber'>
  readonly container: ContainerProjection
  readonly createdAt: string
}

const charged = `select c.id, c.shipment_id as "shipmentId", s.scac, c.projection as container, c.created_at as "createdAt",
                  json_build_object('billOfLadingNumber', s.projection ->> 'billOfLadingNumber') as shipment
             from containers c
             join shipments s on s.account_id = c.account_id and s.id = c.shipment_id`

export async function readChargedRows(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly ChargedRow[]> {
  const { rows } = await db.query<ChargedRow>({
    name: 'charged_rows_of',
    text: `${charged} where c.account_id = $1 and c.id = any($2::uuid[]) order by c.id`,
    values: [of.accountId, of.ids],
  })
  return rows
}

/** Containers of the account in order of their ids, those after `after`. */
export async function readChargedRowsAfter(
  db: Db,
  of: { readonly accountId: string; readonly after: string | null; readonly limit: number },
): Promise<readonly ChargedRow[]> {
  const { rows } = await db.query<ChargedRow>({
    name: 'charged_rows',
    text: `${charged}
            where c.account_id = $1 and ($2::uuid is null or c.id > $2)
            order by c.id limit $3`,
    values: [of.accountId, of.after, of.limit],
  })
  return rows
}
