/** A page of every predicted arrival of one shipment, as the APIs read it. */

import type { Db } from '../../db/database.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'
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
