/**
 * Shipments and requests of which a reason for attention holds. Candidates come from indexes that have few shipments
 * besides those that are listed (`told_moves`, `told_ships`, sailings, silence), in the order in which they are listed.
 * Their reported arrivals are then read from the events.
 */

import type { Db } from '../../db/database.ts'
import { acquirePerAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'
import type { Binder } from '../../db/listing/conditions.ts'
import type { AttentionRequest } from '../../domain/tracking-requests/attention-of-requests.ts'
import { addDays } from '../../domain/values/time.ts'
import type { AttentionShipment, ShipmentReason } from '../../domain/view/attention-of-shipments.ts'
import { etaDays, failedDays, quietDays, unreachedDays } from '../../domain/view/attention-reasons.ts'
import { pollTargetIdsSql } from '../../pipeline/polling/last-polled-sql.ts'
import {
  type AttentionQuestion,
  buildNarrowing,
  createAttentionBinder,
  ofRequests,
  ofShipments,
} from './attention-narrowing-sql.ts'

/** What each shipment needs besides its row, `s`: its reported arrivals. */
const joinArrivals = (weekAgo: string) => `
  left join lateral (
    select (array_agg(eta order by sequence desc) filter (where created_at <= ${weekAgo} and is_here))[1] as eta_then,
           (array_agg(eta order by sequence) filter (where is_here))[1] as eta_first,
           (array_agg(eta order by sequence desc) filter (where is_here))[1] as eta,
           (array_agg(imo order by sequence) filter (where imo is not null))[1] as first_imo,
           (array_agg(imo order by sequence desc) filter (where imo is not null))[1] as imo,
           (array_agg(voyage order by sequence) filter (where voyage is not null))[1] as first_voyage,
           (array_agg(voyage order by sequence desc) filter (where voyage is not null))[1] as voyage,
           (array_agg(source order by sequence desc))[1] as source, max(created_at) as told_at
      from (select e.sequence, e.created_at, (e.payload ->> 'estimated_timestamp')::timestamptz as eta,
                   e.payload ->> 'vessel_imo' as imo, e.payload ->> 'voyage_number' as voyage,
                   e.payload ->> 'data_source' as source, e.payload ->> 'location_locode' is not distinct from s.pod as is_here
              from events e
             where e.account_id = $1 and e.shipment_id = s.id and e.sequence is not null
               and e.name = 'shipment.estimated.arrival') e) told on true`
const zone = `s.projection #>> '{portOfLoading,place,timeZone}'`
const sailsFirst = `moment_of(nullif(s.projection -> 'originalEtd', 'null'), ${zone})`
const sails = `moment_of(coalesce(nullif(s.projection #> '{portOfLoading,atd}', 'null'),
                                  nullif(s.projection #> '{portOfLoading,etd}', 'null')), ${zone})`
const lastAnswer = 'coalesce(u.last_succeeded_at, u.created_at)'

/** What is shown of a shipment `s` for any reason. */
const columns = `s.id, s.scac, s.bill_of_lading_number as bill, s.updated_at as "updatedAt", s.pod as port,
  s.projection #>> '{podVessel,name}' as "shipName", ${sailsFirst} as "sailsFirst", ${sails} as sails,
  s.projection #>> '{podEta,claimId}' as "claimId"`

interface ShipmentSearch {
  /** The alias of the shipments is `s`, each once. */
  readonly candidates: string
  readonly order: string
  readonly joins: string
  readonly hit: string
}

const underWay = `s.tracking_stopped_at is null and s.status in ('pending', 'in_transit')`
const live = `s.tracking_stopped_at is null and s.status in ('pending', 'in_transit', 'arrived')`

interface SearchInput {
  readonly now: string
  readonly bind: Binder['bind']
  readonly limit: string
  readonly narrowed: string
}

/** Shipments that any of the searches finds. Each search ends at the limit, so that none has to find all. */
const joinFoundShipments = (
  searches: readonly string[],
) => `(${searches.map((each) => `(${each})`).join(' union ')}) found
  join shipments s on s.account_id = $1 and s.id = found.id`

const searches: Readonly<Record<Exclude<ShipmentReason, 'no_news'>, (input: SearchInput) => ShipmentSearch>> = {
  eta_moved: ({ now, bind, narrowed }) => {
    const weekAgo = `${bind(addDays(now, -etaDays))}::timestamptz`
    return {
      candidates: `(select s.*, m.moved_at from told_moves m
                      join shipments s on s.account_id = $1 and s.id = m.shipment_id and coalesce(s.pod, '') = m.locode
                     where m.account_id = $1 and m.moved_at > ${weekAgo} and ${underWay} ${narrowed}) s`,
      order: 's.moved_at desc, s.id',
      joins: joinArrivals(weekAgo),
      hit: `told.told_at > ${weekAgo} and told.eta >= coalesce(told.eta_then, told.eta_first) + interval '1 day'`,
    }
  },
  rolled: ({ now, bind, limit, narrowed }) => ({
    candidates: joinFoundShipments([
      `select s.id from told_ships m join shipments s on s.account_id = $1 and s.id = m.shipment_id
        where m.account_id = $1 and ${underWay} ${narrowed} order by m.told_at desc, m.shipment_id limit ${limit}`,
      `select s.id from shipments s where s.account_id = $1 and ${underWay} and sails_later(s.projection) ${narrowed}
        order by s.updated_at desc, s.id limit ${limit}`,
    ]),
    order: 's.updated_at desc, s.id',
    joins: joinArrivals(`${bind(addDays(now, -etaDays))}::timestamptz`),
    hit: `(told.first_imo <> told.imo or told.first_voyage <> told.voyage or ${sails} >= ${sailsFirst} + interval '1 day')`,
  }),
}

export async function readAttentionShipments(
  db: Db,
  reason: ShipmentReason,
  question: AttentionQuestion,
): Promise<readonly AttentionShipment[]> {
  if (reason === 'no_news') return readShipmentsWithoutNews(db, question)
  const { values, bind } = createAttentionBinder(question)
  const narrowed = buildNarrowing(reason, question, { columns: ofShipments, bind })
  const limit = bind(question.limit)
  const search = searches[reason]({ now: question.now, bind, limit, narrowed })
  const { rows } = await db.query<Row>({
    text: `select ${columns}, coalesce(told.eta_then, told.eta_first) as "etaBefore", told.eta, told.told_at as "statedAt", told.source,
                  told.first_imo as "firstImo", told.imo, told.first_voyage as "firstVoyage", told.voyage, null as "polledAt"
             from ${search.candidates} ${search.joins}
            where ${search.hit}
            order by ${search.order} limit ${limit}`,
    values,
  })
  return rows.map(readRow)
}

/**
 * Poll targets may lie on another machine than shipments. So silent poll targets are found first, then their shipments,
 * then the other poll targets of these. Where others have answered for most of the shipments, more silent ones are
 * checked.
 */
async function readShipmentsWithoutNews(db: Db, question: AttentionQuestion): Promise<readonly AttentionShipment[]> {
  for (let silentMax = 2 * question.limit; ; silentMax *= 8) {
    const { values, bind } = createAttentionBinder(question)
    const narrowed = buildNarrowing('no_news', question, { columns: ofShipments, bind })
    const unreached = `${bind(addDays(question.now, -unreachedDays))}::timestamptz`
    const quiet = `${bind(addDays(question.now, -quietDays))}::timestamptz`
    const limit = bind(question.limit)
    const { rows } = await db.query<Row & { readonly silent: number }>({
      text: `with silent as (
               select u.id, ${lastAnswer} as last_at from subjects u
                where u.next_look_at is not null and ${lastAnswer} <= ${unreached}
             ), candidates as materialized (
               select s.id from silent u
                 join tracking_requests t on t.account_id = $1 and t.subject_id = u.id
                 join shipments s on s.account_id = $1 and s.id = t.shipment_id
                where ${live} and s.updated_at <= ${unreached} and s.updated_at > ${quiet} ${narrowed}
                order by u.last_at, s.id limit ${bind(silentMax)}
             ), found as materialized (
               select ${columns}, null::timestamptz as "statedAt", ${pollTargetIdsSql('s.id')}
                 from ${joinFoundShipments([
                   `select s.id from shipments s where s.account_id = $1 and ${live} and s.updated_at <= ${quiet} ${narrowed}
                     order by s.updated_at, s.id limit ${limit}`,
                   'select id from candidates',
                 ])}
             )
             select hit.*, counted.silent
               from (select count(*)::integer as silent from candidates) counted
               left join (select f.*, asking.last_at as "polledAt"
                            from found f
                            left join lateral (select max(${lastAnswer}) as last_at from subjects u
                                                where u.id = any(f.subject_ids) and u.next_look_at is not null) asking on true
                           where f."updatedAt" <= ${quiet} or asking.last_at <= ${unreached}
                           order by f."updatedAt", f.id limit ${limit}) hit on true
              order by hit."updatedAt", hit.id`,
      values,
    })
    const hits = rows.filter(({ id }) => id !== null)
    if (hits.length >= question.limit || (rows[0]?.silent ?? 0) < silentMax) return hits.map(readRow)
  }
}

type StatedArrival = NonNullable<AttentionShipment['published']>

interface Row
  extends Pick<AttentionShipment, 'id' | 'scac' | 'bill' | 'updatedAt' | 'port' | 'shipName'>,
    Omit<StatedArrival, 'at'> {
  readonly statedAt: string | null
  readonly polledAt: string | null
  readonly sailsFirst: string | null
  readonly sails: string | null
}

function readRow(row: Row): AttentionShipment {
  const { id, scac, bill, updatedAt, port, shipName, polledAt, statedAt } = row
  const { etaBefore, eta, source, claimId, firstImo, imo, firstVoyage, voyage } = row
  return {
    id,
    scac,
    bill,
    updatedAt,
    port,
    shipName,
    published:
      statedAt === null ? null : { etaBefore, eta, at: statedAt, source, claimId, firstImo, imo, firstVoyage, voyage },
    sailing: { first: row.sailsFirst, now: row.sails },
    polled: polledAt === null ? null : { lastAt: polledAt },
  }
}

/** A request whose number is tracked by another request needs nobody. */
export async function readAttentionRequests(db: Db, question: AttentionQuestion): Promise<readonly AttentionRequest[]> {
  const { values, bind } = createAttentionBinder(question)
  const narrowed = buildNarrowing('tracking_failed', question, { columns: ofRequests, bind })
  const { rows } = await db.query<AttentionRequest>({
    text: `select t.id, t.request_number as number, t.scac, t.shipment_id as "shipmentId",
                  t.failed_reason as "failedReason", t.updated_at as "updatedAt"
             from tracking_requests t
            where t.account_id = $1 and t.status = 'failed' and t.failed_reason <> 'duplicate'
              and t.created_at > ${bind(addDays(question.now, -4 * failedDays))}
              and t.updated_at > ${bind(addDays(question.now, -failedDays))}
              and not exists (select from tracking_requests o
                               where o.account_id = $1 and o.number = t.number
                                 and (o.status in ('pending', 'awaiting_manifest', 'created') or o.created_at > t.created_at))
              ${narrowed}
            order by t.created_at desc, t.id limit ${bind(question.limit)}`,
    values,
  })
  return rows
}

/** SQL: the shipment of `t` is no longer under way. */
const isOver = (account: string) => `
  not exists (select from shipments s where s.account_id = ${account} and s.id = t.shipment_id
                                        and s.status in ('pending', 'in_transit'))`

const selectFinishedSql = (table: 'told_moves' | 'told_ships') => `(
  select t.account_id, t.shipment_id from ${table} t where ${isOver('t.account_id')} limit $1)`

const deleteFinishedSql = (table: 'told_moves' | 'told_ships') => `
  delete from ${table} t where t.account_id = $1 and t.shipment_id = any($2::uuid[]) and ${isOver('$1')}`

/**
 * Removes shipments from `told_moves` and `told_ships` that are no longer under way, so that these tables stay as small as
 * what is under way. A shipment that sails again is added with its next reported arrival.
 */
export async function deleteFinishedMoves(db: Db, limit: number): Promise<number> {
  const found = await db.query<RowOfAccount>({
    name: 'told_moves_over',
    text: `select account_id as "accountId", shipment_id as id from ${selectFinishedSql('told_moves')} m
           union select account_id, shipment_id from ${selectFinishedSql('told_ships')} s`,
    values: [limit],
  })
  const deleted = await acquirePerAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query({
      name: 'told_moves_forget',
      text: `with moves as (${deleteFinishedSql('told_moves')} returning 1), ships as (${deleteFinishedSql('told_ships')} returning 1)
             select from moves union all select from ships`,
      values: [accountId, ids],
    })
    return rows
  })
  return deleted.length
}
