/**
 * When Landfall itself expects shipments to arrive: a row for each estimate, and the newest estimate in the shipment's
 * row too.
 */

import type { Db } from '../../db/database.ts'
import type { OwnEta } from '../../domain/vessels/own-eta.ts'

/** One estimate, the same for every shipment of the account that waits for the ship at that port. */
export interface EtaOfShipments extends OwnEta {
  readonly accountId: string
  readonly shipmentIds: readonly string[]
  readonly unlocode: string
  readonly vesselImo: string
  /** ISO instant on the journey clock. */
  readonly madeAt: string
}

/** The newest estimate as `shipments.own_eta` has it. */
export interface StoredEta extends OwnEta {
  readonly madeAt: string
  readonly unlocode: string
  readonly vesselImo: string
}

/**
 * Skips shipments whose newest estimate, for the same ship and port, is less than `hours` old. Returns how many were
 * written.
 */
export async function writeOwnEtas(db: Db, eta: EtaOfShipments, hours: number): Promise<number> {
  const { accountId, shipmentIds, ...storedEta } = eta
  const { rowCount } = await db.query({
    name: 'shipment_etas_write',
    text: `with due as (
             select s.id from shipments s
              where s.account_id = $1 and s.id = any($2::uuid[])
                and (s.own_eta is null or s.own_eta ->> 'unlocode' <> $4 or s.own_eta ->> 'vesselImo' <> $5
                     or (s.own_eta ->> 'madeAt')::timestamptz <= $6::timestamptz - make_interval(hours => $12))
              order by s.id
                for no key update of s
           ), written as (
             insert into shipment_etas (account_id, shipment_id, made_at, eta, earliest, latest, unlocode, vessel_imo,
                                        fix_at, remaining_nm, speed_knots, made_of)
             select $1, id, $6, $7, $8, $9, $4, $5, $10, $11, $13, $14 from due
             on conflict do nothing
           )
           update shipments s set own_eta = $3::jsonb from due d where s.account_id = $1 and s.id = d.id`,
    values: [
      accountId,
      shipmentIds,
      JSON.stringify(storedEta),
      eta.unlocode,
      eta.vesselImo,
      eta.madeAt,
      eta.eta,
      eta.earliest,
      eta.latest,
      eta.fixAt,
      eta.remainingNm,
      hours,
      eta.speedKnots,
      eta.madeOf === undefined ? null : JSON.stringify(eta.madeOf),
    ],
  })
  return rowCount ?? 0
}
