/** How estimates turned out: the shipments whose outcomes are due, what they are made of, and their rows. */

import type { Db } from '../../db/database.ts'
import { acquireFromFirstAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'
import type { CountedArrival, EtaOutcome, findCountedArrival } from '../../domain/scorecards/eta-outcomes.ts'
import type { Leg } from '../../domain/view/projection.ts'
import { type EtaStatementRow, foretoldSql, readEtaStatement } from '../../pipeline/projection/eta-statements-sql.ts'

/** How many accounts are tried while other workers have their rows. */
const triedMax = 8

export interface DueShipments {
  readonly accountId: string
  readonly shipmentIds: readonly string[]
}

/** Locks some of one account. Null when there are none. */
export async function lockDueShipments(db: Db, limit: number): Promise<DueShipments | null> {
  const due = await db.query<RowOfAccount>({
    name: 'eta_outcomes_due',
    text: `select a.id as "accountId", a.id from accounts a
            where exists (select from eta_outcomes_due d where d.account_id = a.id)
            order by a.id limit ${triedMax}`,
  })
  const locked = await acquireFromFirstAccount(due.rows, async (accountId) => {
    const { rows } = await db.query<RowOfAccount>({
      name: 'eta_outcomes_lock',
      text: `select d.account_id as "accountId", d.shipment_id as id from eta_outcomes_due d
              where d.account_id = $1 order by d.shipment_id limit $2 for update skip locked`,
      values: [accountId, limit],
    })
    return rows
  })
  const [first] = locked
  return first === undefined ? null : { accountId: first.accountId, shipmentIds: locked.map(({ id }) => id) }
}

export async function deleteDueShipments(db: Db, { accountId, shipmentIds }: DueShipments): Promise<void> {
  await db.query({
    name: 'eta_outcomes_done',
    text: 'delete from eta_outcomes_due where account_id = $1 and shipment_id = any($2::uuid[])',
    values: [accountId, shipmentIds],
  })
}

/** A shipment that has arrived, with every estimate of its arrival. */
export interface ArrivedShipment {
  readonly id: string
  readonly scac: string
  readonly pol: string | null
  readonly pod: string
  readonly portOfDischarge: Leg
  /** Their milestones are only the arrivals. */
  readonly containers: Parameters<typeof findCountedArrival>[1]
  readonly etas: readonly EtaStatementRow[]
}

const foretoldOfArrived = foretoldSql(`
        select s.id as shipment_id, s.projection #>> '{portOfDischarge,place,unlocode}' as unlocode
          from shipments s
         where s.account_id = $1 and s.id = any($2::uuid[]) and s.projection #>> '{portOfDischarge,ata}' is not null`)

/** Those of the shipments that have arrived at a port of discharge that we know. */
export async function readArrivedShipments(
  db: Db,
  { accountId, shipmentIds }: DueShipments,
): Promise<readonly ArrivedShipment[]> {
  const { rows } = await db.query<ArrivedShipment>({
    name: 'eta_outcomes_read',
    text: `
      with ${foretoldOfArrived},
      etas as (
        select shipment_id, jsonb_agg(eta order by heard_at, id) as etas from foretold group by shipment_id
      ), boxes as (
        select c.shipment_id, jsonb_agg(jsonb_build_object(
                 'number', c.number, 'portOfDischarge', c.projection -> 'portOfDischarge',
                 'milestones', jsonb_path_query_array(c.projection,
                   '$.milestones[*] ? (@.name == "vessel_arrived" || @.name == "vessel_berthed")'))
                 order by c.number, c.trip) as containers
          from sought p join containers c on c.account_id = $1 and c.shipment_id = p.shipment_id
         group by c.shipment_id
      )
      select s.id, s.scac, s.projection #>> '{portOfLoading,place,unlocode}' as pol, e.pod,
             s.projection -> 'portOfDischarge' as "portOfDischarge", coalesce(b.containers, '[]') as containers, e.etas
        from (select p.unlocode as pod, e.* from sought p join etas e using (shipment_id)) e
        join shipments s on s.account_id = $1 and s.id = e.shipment_id
        left join boxes b on b.shipment_id = e.shipment_id
       order by s.id`,
    values: [accountId, shipmentIds],
  })
  return rows.map((row) => ({ ...row, etas: row.etas.map(readEtaStatement) }))
}

/** The outcomes of one shipment. */
export interface ShipmentOutcomes extends Pick<ArrivedShipment, 'id' | 'scac' | 'pol' | 'pod'> {
  readonly arrival: CountedArrival
  readonly outcomes: readonly EtaOutcome[]
}

const key = 'shipment_id, kind, source_code, told_at'
const values = 'scac, pol, pod, days_ahead, error_hours, arrived_at, arrival_by, is_within, moved_hours'
const listOf = (row: string): string =>
  values
    .split(', ')
    .map((name) => `${row}.${name}`)
    .join(', ')

/** Replaces all rows of the shipments. A row that is as it was is not written. */
export async function replaceEtaOutcomes(
  db: Db,
  of: DueShipments & { readonly judged: readonly ShipmentOutcomes[] },
): Promise<void> {
  const { judged } = of
  const rows = judged.flatMap(({ id, outcomes }) => outcomes.map((outcome) => ({ id, ...outcome })))
  await db.query({
    name: 'eta_outcomes_replace',
    // A million rows in JSON take half a minute longer.
    text: `
      with made as materialized (
        select *
          from unnest($3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::real[], $8::real[], $9::boolean[], $10::real[])
            as m (shipment_id, kind, source_code, told_at, days_ahead, error_hours, is_within, moved_hours)
          join unnest($11::uuid[], $12::text[], $13::text[], $14::text[], $15::timestamptz[], $16::text[])
            as s (shipment_id, scac, pol, pod, arrived_at, arrival_by) using (shipment_id)
      ), gone as (
        delete from eta_outcomes o
         where o.account_id = $1 and o.shipment_id = any($2::uuid[])
           and (o.shipment_id, o.kind, o.source_code, o.told_at) not in (select ${key} from made)
      )
      insert into eta_outcomes as o (account_id, ${key}, ${values})
      select $1, ${key}, ${values} from made
          on conflict (account_id, ${key}) do update
         set (${values}) = row(${listOf('excluded')})
       where (${listOf('o')}) is distinct from (${listOf('excluded')})`,
    values: [
      of.accountId,
      of.shipmentIds,
      rows.map(({ id }) => id),
      rows.map(({ kind }) => kind),
      rows.map(({ sourceCode }) => sourceCode),
      rows.map(({ toldAt }) => toldAt),
      rows.map(({ daysAhead }) => daysAhead),
      rows.map(({ errorHours }) => errorHours),
      rows.map(({ isWithin }) => isWithin),
      rows.map(({ movedHours }) => movedHours),
      judged.map(({ id }) => id),
      judged.map(({ scac }) => scac),
      judged.map(({ pol }) => pol),
      judged.map(({ pod }) => pod),
      judged.map(({ arrival }) => arrival.at),
      judged.map(({ arrival }) => arrival.by),
    ],
  })
}
