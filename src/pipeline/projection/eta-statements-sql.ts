/** Every predicted arrival of shipments, with the time when it was ingested: of sources and of our own estimate. */

import { getJsonInstant } from '../../db/listing/json-instant.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import type { EventTime } from '../../domain/values/time.ts'
import type { EtaComponents } from '../../domain/vessels/own-eta.ts'

/** As the statement yields it, in JSON. */
export interface EtaStatementRow {
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

/**
 * SQL: the common table expressions that end with `foretold (shipment_id, heard_at, id, eta)`, a row for each time that
 * one source stated one thing, for any number of containers. `shipments`: SQL that yields the shipments (`shipment_id`)
 * with their ports of discharge (`unlocode`); arrivals at other ports are not read. $1 is the account.
 */
export const foretoldSql = (shipments: string): string => `
      sought as materialized (
        ${shipments}
      ), subjects as (
        select distinct r.subject_id, r.shipment_id
          from sought p join tracking_requests r on r.account_id = $1 and r.shipment_id = p.shipment_id
      ), said as (
        select s.shipment_id, c.id, c.source_kind, c.source_code, c.observation as o, c.equipment, c.recorded_at,
               c.retired_at
          from subjects s join claims c on c.account_id = $1 and c.subject_id = s.subject_id
        union all
        select c.shipment_id, c.id, c.source_kind, c.source_code, c.observation, c.equipment, c.recorded_at,
               c.retired_at
          from sought p join claims c on c.account_id = $1 and c.shipment_id = p.shipment_id
      ), foretold as (
        select shipment_id, recorded_at as heard_at, min(id::text) as id, jsonb_build_object(
                 'heardAt', recorded_at, 'statedAt', o -> 'statedAt', 'saidBy', source_kind, 'sourceCode', source_code,
                 'classifier', o ->> 'classifier', 'time', o -> 'time', 'unlocode', o #>> '{place,unlocode}',
                 'timeZone', o #>> '{place,timeZone}', 'vesselImo', o #>> '{vessel,imo}',
                 'vesselName', o #>> '{vessel,name}', 'voyage', o ->> 'voyage',
                 'containerNumbers', coalesce(jsonb_agg(equipment order by equipment) filter (where equipment is not null), '[]'),
                 'isStanding', bool_or(retired_at is null), 'own', null) as eta
          from said join sought p using (shipment_id)
         where o ->> 'kind' = 'event' and o ->> 'code' = 'ARRI' and o ->> 'classifier' <> 'ACT'
           and o #>> '{place,unlocode}' = p.unlocode and coalesce(o ->> 'mode', 'VESSEL') = 'VESSEL'
         group by shipment_id, recorded_at, o -> 'statedAt', source_kind, source_code, o ->> 'classifier', o -> 'time',
                  o #>> '{place,unlocode}', o #>> '{place,timeZone}', o #>> '{vessel,imo}', o #>> '{vessel,name}',
                  o ->> 'voyage'
        union all
        select e.shipment_id, e.made_at, 'own', jsonb_build_object(
                 'heardAt', e.made_at, 'statedAt', null, 'saidBy', 'landfall', 'sourceCode', 'landfall',
                 'classifier', 'EST', 'time', jsonb_build_object('kind', 'instant', 'at', e.eta),
                 'unlocode', e.unlocode, 'timeZone', null, 'vesselImo', e.vessel_imo, 'vesselName', null,
                 'voyage', null, 'containerNumbers', '[]'::jsonb,
                 'isStanding', e.made_at = max(e.made_at) over (partition by e.shipment_id),
                 'own', jsonb_build_object('earliest', e.earliest, 'latest', e.latest, 'fixAt', e.fix_at,
                                           'remainingNm', e.remaining_nm, 'speedKnots', e.speed_knots,
                                           'madeOf', e.made_of))
          from sought p
          join shipment_etas e on e.account_id = $1 and e.shipment_id = p.shipment_id and e.unlocode = p.unlocode
      )`

/** Postgres writes times inside JSON in another form than the code uses. */
export function readEtaStatement<Row extends EtaStatementRow>(eta: Row): Row {
  const heardAt = getJsonInstant(eta.heardAt)
  const { own, time } = eta
  if (own === null) return { ...eta, heardAt }
  return {
    ...eta,
    heardAt,
    time: { kind: 'instant', at: time.kind === 'instant' ? getJsonInstant(time.at) : heardAt },
    own: {
      ...own,
      earliest: getJsonInstant(own.earliest),
      latest: getJsonInstant(own.latest),
      fixAt: getJsonInstant(own.fixAt),
    },
  }
}
