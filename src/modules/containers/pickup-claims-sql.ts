/** The statements of the pick-up number of a container, if its account may receive it. */

import type { Db } from '../../db/database.ts'
import type { FactObservation, Hand, Source } from '../../domain/statements/observation.ts'

export interface PickupClaim {
  readonly id: string
  readonly source: Source
  readonly observation: FactObservation
  readonly readAt: string
  readonly recordedAt: string
  readonly standsAt: string
  readonly hand: Hand
  readonly deliveryKey: string | null
  readonly retiredAt: null
}

/**
 * Stated by people, by the account's own channels, or by those of the installation to which the account is bound now.
 */
export async function pickupClaims(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly number: string },
): Promise<readonly PickupClaim[]> {
  const { rows } = await db.query<PickupClaim>({
    name: 'pickup_claims',
    text: `with said as materialized (
             select k.id, k.subject_id, k.source_kind, k.source_code, k.observation, k.read_at, k.recorded_at, k.stands_at,
                    k.hand, k.delivery_key
               from claims k
              where k.account_id = $1 and k.shipment_id = $2 and k.retired_at is null
                and k.observation ->> 'fact' = 'pickup_number' and (k.equipment = $3 or k.equipment is null)
           ), bound as materialized (
             select channel_id from channel_accounts where account_id = $1
           )
           select k.id, json_build_object('kind', k.source_kind, 'code', k.source_code) as source, k.observation,
                  k.read_at as "readAt", k.recorded_at as "recordedAt", coalesce(k.stands_at, k.recorded_at) as "standsAt",
                  k.hand, k.delivery_key as "deliveryKey", null as "retiredAt"
             from said k
             left join subjects s on s.id = k.subject_id
             left join channels c on c.id = s.credential_id
            where k.subject_id is null or c.account_id = $1 or c.id in (select channel_id from bound)
            order by k.recorded_at, k.id`,
    values: [of.accountId, of.shipmentId, of.number],
  })
  return rows
}
