/** A page of every predicted arrival of one shipment, as the APIs read it. */

import type { Db } from '../../db/database.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { type EtaStatementRow, foretoldSql, readEtaStatement } from '../../pipeline/projection/eta-statements-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'

export interface ShipmentEtaReading extends EtaStatementRow {
  readonly type: 'shipment_eta'
  readonly id: string
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
      with ${foretoldSql('select $2::uuid as shipment_id, $3::text as unlocode')}, page as (
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

function readEta(shipmentId: string, row: ShipmentEtaReading): ShipmentEtaReading {
  const eta = readEtaStatement(row)
  const id = eta.own === null ? eta.id : uuidV5(LANDFALL_NAMESPACE, `eta:${shipmentId}:${eta.heardAt}`)
  return { ...eta, type: 'shipment_eta', id }
}

export interface SlipBases {
  /** The first planned arrival that a source stated. */
  readonly plan: EventTime | null
  /** The arrival that was published a day ago. */
  readonly yesterday: string | null
}

const shown = 'from shipments s where s.account_id = $1 and s.id = any($2::uuid[])'
const etasOfShipments = foretoldSql(`select s.id as shipment_id, s.pod as unlocode ${shown}`)

/** By the id of the shipment: what its arrival at the present port of discharge is compared with. */
export async function readSlipBases(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[]; readonly dayAgo: string },
): Promise<ReadonlyMap<string, SlipBases>> {
  const { rows } = await db.query<SlipBases & { readonly id: string }>({
    name: 'read_slip_bases',
    text: `
      with ${etasOfShipments}, plans as (
        select distinct on (shipment_id) shipment_id, eta -> 'time' as plan from foretold
         where eta ->> 'classifier' = 'PLN' order by shipment_id, heard_at, id
      ), wanted as (select s.id, s.pod ${shown})
      select s.id, p.plan, y.eta as yesterday
        from wanted s
        left join plans p on p.shipment_id = s.id
        left join lateral (
          select (e.payload ->> 'estimated_timestamp')::timestamptz as eta from events e
           where e.account_id = $1 and e.shipment_id = s.id and e.name = 'shipment.estimated.arrival'
             and e.sequence is not null and e.created_at <= $3
             and e.payload ->> 'location_locode' is not distinct from s.pod
           order by e.sequence desc limit 1) y on true`,
    values: [of.accountId, of.ids, of.dayAgo],
  })
  return new Map(rows.map(({ id, ...bases }) => [id, bases]))
}
