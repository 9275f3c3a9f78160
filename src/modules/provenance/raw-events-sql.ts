/**
 * Raw events: every event that any source stated, also withdrawn ones, numbered in the order of their times among all
 * events of the container. A claim that names no container is about all containers of its shipment. If one speaker
 * stated an event in several ways, it is one event, known by the first of its claims that was not replaced; it shows
 * the active claim.
 */

import type { Db } from '../../db/database.ts'
import { type Page, type PageRequest, readCounted } from '../../db/listing/page.ts'
import type { EventObservation, SourceKind } from '../../domain/statements/observation.ts'

export interface RawEventReading {
  readonly type: 'raw_event'
  readonly id: string
  /** Null when the claim is about the complete shipment. */
  readonly containerId: string | null
  readonly index: number
  readonly sourceKind: SourceKind
  readonly sourceCode: string
  readonly observation: EventObservation
  readonly recordedAt: string
  /** When the last claim about it was retired, corrected through another channel of its speaker, or withdrawn. */
  readonly retiredAt: string | null
  /** Each claim that states it, the first one first. */
  readonly ways: readonly RawEventOrigin[]
  /** UN/LOCODEs of the shipment's route. They show which role the claim's place has in it. */
  readonly portOfLoading: string | null
  readonly portOfDischarge: string | null
  readonly destination: string | null
}

export interface RawEventOrigin {
  readonly claimId: string
  /** The reader that read it, without its version: `dcsa`. */
  readonly language: string
  /** Whether the source was polled, or sent it by itself. */
  readonly came: 'asked' | 'sent'
}

export interface RawEventOfContainer {
  readonly ofContainerId: string
  readonly event: RawEventReading
}

interface RawEventQuery {
  readonly accountId: string
  readonly containerIds: readonly string[]
}

/**
 * By container, in `index` order. A claim about the complete shipment comes once for each of its containers. With
 * `ids`, only those claims, with the numbers that they have among all. A time is read as the domain's `instantOf` reads
 * it: a day or a local time in the zone of its place, or in UTC when the zone is unknown.
 */
export async function readRawEvents(
  db: Db,
  of: RawEventQuery & { readonly ids: readonly string[] | null },
): Promise<readonly RawEventOfContainer[]> {
  const rows = await readNumberedRawEvents(db, of)
  return rows.map((event) => ({ ofContainerId: event.ofContainerId, event }))
}

/** One page of the raw events of one container. */
export async function readRawEventPage(
  db: Db,
  of: { readonly accountId: string; readonly containerId: string; readonly page: PageRequest },
): Promise<Page<RawEventReading>> {
  const rawEventQuery = { accountId: of.accountId, containerIds: [of.containerId], ids: null }
  return readCounted(of.page, (limit, offset) => readNumberedRawEvents(db, { ...rawEventQuery, limit, offset }))
}

type Row = RawEventReading & { readonly ofContainerId: string; readonly ofAll: number }

/** Claims are looked up by the container's own number, because a bill may have hundreds of containers. */
async function readNumberedRawEvents(
  db: Db,
  of: RawEventQuery & {
    readonly ids: readonly string[] | null
    readonly limit?: number
    readonly offset?: number
  },
): Promise<readonly Row[]> {
  const { rows } = await db.query<Row>({
    name: 'read_raw_events',
    text: `
      with asked as (
        select c.id, c.shipment_id, c.number from containers c where c.account_id = $1 and c.id = any($2::uuid[])
      ), spoken as (
        select distinct a.id, a.number, a.shipment_id, t.subject_id
          from asked a
          join tracking_requests t on t.account_id = $1 and t.shipment_id = a.shipment_id and t.subject_id is not null
      ), said as (
        select p.id as container_id, p.shipment_id as of_shipment, cl.*
          from spoken p
          join claims cl on cl.account_id = $1 and cl.subject_id = p.subject_id and cl.equipment = p.number
        union all
        select p.id, p.shipment_id, cl.*
          from spoken p
          join claims cl on cl.account_id = $1 and cl.subject_id = p.subject_id and cl.equipment is null
        union all
        select a.id, a.shipment_id, cl.*
          from asked a
          join claims cl on cl.account_id = $1 and cl.shipment_id = a.shipment_id
           and (cl.equipment is null or cl.equipment = a.number)
      ), standing as (
        select r.*, ${eventTimeSql('r')} as at, ${terminalOf('r', 'r.container_id')} as terminal,
               case when (r.observation ->> 'isRetracted')::boolean then coalesce(r.retired_at, r.recorded_at)
                    when r.retired_at is null and ${contentOf('r')} <> first_value(${contentOf('r')}) over by_key
                    then greatest(r.recorded_at, first_value(r.recorded_at) over by_key)
                    else r.retired_at end as ended_at
          from said r
         where r.observation ->> 'kind' = 'event' and r.source_kind <> 'user'
        window by_key as (partition by r.container_id, ${distinctKeyOrderSql('r')})
      ), alike as (
        select t.*, first_value(t.observation) over (partition by t.container_id, ${sameEvent('t')}, t.terminal
                                                     order by t.ended_at is null desc, ${firstClaimOrder('t')}) as shown,
               first_value(t.id) over told as first_id, first_value(t.recorded_at) over told as first_at,
               case when bool_and(t.ended_at is not null) over told then max(t.ended_at) over told end as gone_at,
               jsonb_agg(jsonb_build_object('claimId', t.id, 'language', split_part(t.reader, '/', 1),
                                            'came', case when t.delivery_key is null then 'asked' else 'sent' end))
                 over told as ways
          from standing t
        window told as (partition by t.container_id, ${sameEvent('t')}, t.terminal order by ${firstClaimOrder('t')}
                        rows between unbounded preceding and unbounded following)
      ), numbered as (
        select a.*, dense_rank() over (partition by a.container_id order by a.at, a.first_at, a.first_id) - 1 as index
          from alike a
      )
      select n.container_id as "ofContainerId", 'raw_event' as type, n.id,
             case when n.equipment is not null then n.container_id end as "containerId", n.index,
             n.source_kind as "sourceKind", n.source_code as "sourceCode",
             case when n.id = n.first_id then n.shown else n.observation end as observation,
             n.recorded_at as "recordedAt", n.gone_at as "retiredAt", n.ways,
             s.projection #>> '{portOfLoading,place,unlocode}' as "portOfLoading",
             s.projection #>> '{portOfDischarge,place,unlocode}' as "portOfDischarge",
             s.projection #>> '{destination,place,unlocode}' as "destination",
             count(*) over () as "ofAll"
        from numbered n join shipments s on s.account_id = $1 and s.id = n.of_shipment
       where case when $3::uuid[] is null then n.id = n.first_id else n.id = any($3::uuid[]) end
       order by n.container_id, n.index
       limit $4::int offset $5::int`,
    values: [of.accountId, of.containerIds, of.ids, of.limit ?? null, of.offset ?? null],
  })
  return rows
}

/** Of the claims of one speaker under one key, the active one comes first. */
function distinctKeyOrderSql(claim: string): string {
  return `${claim}.source_kind, ${claim}.source_code, ${claim}.hand, ${claim}.equipment, ${claim}.source_key
    order by ${claim}.retired_at is null desc, coalesce(${claim}.stands_at, ${claim}.recorded_at) desc,
             ${claim}.observation ->> 'statedAt' desc nulls last, ${claim}.id`
}

/** By the first of the claims about an event that its source has not replaced, the event is known. */
function firstClaimOrder(claim: string): string {
  return `${claim}.retired_at is null and ${claim}.observation ->> 'isRetracted' = 'false' desc, ${claim}.recorded_at, ${claim}.id`
}

/** An active claim may coexist with another under its key that has the same content. */
function contentOf(claim: string): string {
  return `${claim}.observation - 'statedAt'`
}

/** The ids of the events that these claims state, each once, with the time at which its claim was recorded. */
export function idsOfEvents(claims: string): string {
  const same = `${sameEvent('cl')}, cl.terminal`
  return `select distinct on (${same}) cl.id, cl.recorded_at
            from (select e.*, ${terminalOf('e')} as terminal from (${claims}) as e) as cl
           order by ${same}, ${firstClaimOrder('cl')}`
}

/** The terminal of the claim; of one that names none, the terminal that the same event has in the first claim that does. */
function terminalOf(claim: string, ...within: readonly string[]): string {
  const named = `${claim}.observation #>> '{place,terminalId}'`
  return `coalesce(${named}, first_value(${named}) over (
    partition by ${[...within, sameEvent(claim)].join(', ')} order by ${named} is null, ${claim}.recorded_at, ${claim}.id))`
}

/** The time of the event of the claim, as core's `instantOf` reads it. */
function eventTimeSql(claim: string): string {
  return `case ${claim}.observation #>> '{time,kind}'
    when 'instant' then (${claim}.observation #>> '{time,at}')::timestamptz
    else coalesce(${claim}.observation #>> '{time,local}', ${claim}.observation #>> '{time,on}')::timestamp
         at time zone coalesce(${claim}.observation #>> '{place,timeZone}', 'UTC') end`
}

/**
 * The values that, with the terminal, are the same in all claims about one event of a speaker. Not all languages have
 * seconds, a ship or a load state, and no container does the same thing twice in a minute.
 */
function sameEvent(claim: string): string {
  const of = `${claim}.observation`
  return `${claim}.source_kind, ${claim}.source_code, ${claim}.hand, ${claim}.equipment, ${of} ->> 'classifier',
    coalesce(${of} ->> 'code', ${of} ->> 'original'),
    coalesce(${of} #>> '{place,unlocode}', upper(${of} #>> '{place,name}'), ${of} #>> '{place,facilityCode}'),
    ${of} #>> '{time,kind}' = 'day', date_trunc('minute', ${eventTimeSql(claim)})`
}
