/**
 * Every predicted arrival of a shipment, with the time when it was ingested: of sources and of our own estimate, as the
 * APIs read them.
 */

import type { Db } from '../../db/database.ts'
import { getJsonInstant } from '../../db/listing/json-instant.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import type { EventTime } from '../../domain/values/time.ts'
import type { EtaComponents } from '../../domain/vessels/own-eta.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'

export interface ShipmentEtaReading {
  readonly type: 'shipment_eta'
  readonly id: string
  readonly heardAt: string
  /** When the statement was made, according to the source. */
  readonly statedAt: string | null
  readonly saidBy: SourceKind | 'landfall'
  readonly sourceCode: string
  readonly classifier: 'PLN' | 'EST'
  readonly time: EventTime
  readonly unlocode: string
  readonly timeZone: string | null
  readonly vesselImo: string | null
  readonly vesselName: string | null
  readonly voyage: string | null
  /** The containers of the statement; empty when it is about the complete shipment. */
  readonly containerNumbers: readonly string[]
  /** True when nobody has withdrawn or changed it since. */
  readonly isStanding: boolean
  /** For our own estimates: what they were made of and how wrong they may be. */
  readonly own: {
    readonly earliest: string
    readonly latest: string
    readonly fixAt: string
    readonly remainingNm: number
    readonly speedKnots: number
    /** Null in estimates from before this was recorded. */
    readonly madeOf: EtaComponents | null
  } | null
}

/** Newest first. One row for each time that one source stated one thing, for any number of containers. */
export async function readShipmentEtas(
  db: Db,
  of: {
    readonly accountId: string
    readonly shipmentId: string
    /** The port of discharge. Arrivals at other ports are not read. */
    readonly unlocode: string
    readonly page: PageRequest
  },
): Promise<Page<ShipmentEtaReading>> {
  const { rows } = await db.query<{ eta: ShipmentEtaReading | null; total: number }>({
    name: 'read_shipment_etas',
    text: `
      with subjects as (
        select distinct subject_id from tracking_requests where account_id = $1 and shipment_id = $2
      ), said as (
        select c.id, c.source_kind, c.source_code, c.observation as o, c.equipment, c.recorded_at, c.retired_at
          from claims c where c.account_id = $1 and c.subject_id in (select subject_id from subjects)
        union all
        select c.id, c.source_kind, c.source_code, c.observation, c.equipment, c.recorded_at, c.retired_at
          from claims c where c.account_id = $1 and c.shipment_id = $2
      ), foretold as (
        select recorded_at as heard_at, min(id::text) as id, jsonb_build_object(
                 'heardAt', recorded_at, 'statedAt', o -> 'statedAt', 'saidBy', source_kind, 'sourceCode', source_code,
                 'classifier', o ->> 'classifier', 'time', o -> 'time', 'unlocode', o #>> '{place,unlocode}',
                 'timeZone', o #>> '{place,timeZone}', 'vesselImo', o #>> '{vessel,imo}',
                 'vesselName', o #>> '{vessel,name}', 'voyage', o ->> 'voyage',
                 'containerNumbers', coalesce(jsonb_agg(equipment order by equipment) filter (where equipment is not null), '[]'),
                 'isStanding', bool_or(retired_at is null), 'own', null) as eta
          from said
         where o ->> 'kind' = 'event' and o ->> 'code' = 'ARRI' and o ->> 'classifier' <> 'ACT'
           and o #>> '{place,unlocode}' = $3 and coalesce(o ->> 'mode', 'VESSEL') = 'VESSEL'
         group by recorded_at, o -> 'statedAt', source_kind, source_code, o ->> 'classifier', o -> 'time',
                  o #>> '{place,unlocode}', o #>> '{place,timeZone}', o #>> '{vessel,imo}', o #>> '{vessel,name}',
                  o ->> 'voyage'
        union all
        select e.made_at, 'own', jsonb_build_object(
                 'heardAt', e.made_at, 'statedAt', null, 'saidBy', 'landfall', 'sourceCode', 'landfall',
                 'classifier', 'EST', 'time', jsonb_build_object('kind', 'instant', 'at', e.eta),
                 'unlocode', e.unlocode, 'timeZone', null, 'vesselImo', e.vessel_imo, 'vesselName', null,
                 'voyage', null, 'containerNumbers', '[]'::jsonb,
                 'isStanding', e.made_at = max(e.made_at) over (),
                 'own', jsonb_build_object('earliest', e.earliest, 'latest', e.latest, 'fixAt', e.fix_at,
                                           'remainingNm', e.remaining_nm, 'speedKnots', e.speed_knots,
                                           'madeOf', e.made_of))
          from shipment_etas e where e.account_id = $1 and e.shipment_id = $2 and e.unlocode = $3
      ), page as (
        select heard_at, id, eta from foretold order by heard_at desc, id limit $4 offset $5
      )
      select p.eta || jsonb_build_object('id', p.id) as eta, (select count(*) from foretold) as total
        from (select 1) one left join page p on true
       order by p.heard_at desc, p.id`,
    values: [of.accountId, of.shipmentId, of.unlocode, ...boundsOf(of.page)],
  })
  const etas = rows.flatMap(({ eta }) => (eta === null ? [] : [eta]))
  return { rows: etas.map((eta) => readEta(of.shipmentId, eta)), total: rows[0]?.total ?? 0 }
}

function readEta(shipmentId: string, eta: ShipmentEtaReading): ShipmentEtaReading {
  const heardAt = getJsonInstant(eta.heardAt)
  const { own } = eta
  if (own === null) return { ...eta, heardAt, type: 'shipment_eta' }
  const at = eta.time.kind === 'instant' ? getJsonInstant(eta.time.at) : heardAt
  return {
    ...eta,
    type: 'shipment_eta',
    id: uuidV5(LANDFALL_NAMESPACE, `eta:${shipmentId}:${heardAt}`),
    heardAt,
    time: { kind: 'instant', at },
    own: {
      ...own,
      earliest: getJsonInstant(own.earliest),
      latest: getJsonInstant(own.latest),
      fixAt: getJsonInstant(own.fixAt),
    },
  }
}
