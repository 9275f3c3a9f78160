/**
 * Raw events: every event claim of every source, retired ones included, numbered in the order of their times among all
 * claims about the container. A claim that names no container is about all containers of its shipment.
 */

import type { EventObservation, SourceKind } from '../../core/statements/observation.ts'
import type { Db } from '../database.ts'
import { type Page, type PageRequest, readCounted } from '../lists/page.ts'

export interface RawEventReading {
  readonly type: 'raw_event'
  readonly id: string
  /** Null when the claim is about the whole shipment. */
  readonly containerId: string | null
  readonly index: number
  readonly sourceKind: SourceKind
  readonly sourceCode: string
  readonly observation: EventObservation
  readonly recordedAt: string
  readonly retiredAt: string | null
  /** UN/LOCODEs of the shipment's route. They show which role the claim's place has in it. */
  readonly portOfLoading: string | null
  readonly portOfDischarge: string | null
  readonly destination: string | null
}

export interface RawEventOfContainer {
  readonly ofContainerId: string
  readonly event: RawEventReading
}

interface Asked {
  readonly accountId: string
  readonly containerIds: readonly string[]
}

/**
 * By container, in `index` order. A claim about the whole shipment comes once for each of its containers. With `ids`,
 * only those claims, with the numbers that they have among all. A time is read as core's `instantOf` reads it: a day or
 * a local time in the zone of its place, or in UTC when the zone is unknown.
 */
export async function readRawEvents(
  db: Db,
  of: Asked & { readonly ids: readonly string[] | null },
): Promise<readonly RawEventOfContainer[]> {
  const rows = await readNumbered(db, of)
  return rows.map((event) => ({ ofContainerId: event.ofContainerId, event }))
}

/** One page of the raw events of one container. */
export async function readRawEventPage(
  db: Db,
  of: { readonly accountId: string; readonly containerId: string; readonly page: PageRequest },
): Promise<Page<RawEventReading>> {
  const asked = { accountId: of.accountId, containerIds: [of.containerId], ids: null }
  return readCounted(of.page, (limit, offset) => readNumbered(db, { ...asked, limit, offset }))
}

type Row = RawEventReading & { readonly ofContainerId: string; readonly ofAll: number }

/** Claims are looked up by the box's own number, because a bill may have hundreds of boxes. */
async function readNumbered(
  db: Db,
  of: Asked & { readonly ids: readonly string[] | null; readonly limit?: number; readonly offset?: number },
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
      ), numbered as (
        select r.*,
               row_number() over (partition by r.container_id order by
                 case r.observation #>> '{time,kind}'
                   when 'instant' then (r.observation #>> '{time,at}')::timestamptz
                   else coalesce(r.observation #>> '{time,local}', r.observation #>> '{time,on}')::timestamp
                        at time zone coalesce(r.observation #>> '{place,timeZone}', 'UTC')
                 end, r.recorded_at, r.id) - 1 as index
          from said r
         where r.observation ->> 'kind' = 'event' and r.source_kind <> 'user'
      )
      select n.container_id as "ofContainerId", 'raw_event' as type, n.id,
             case when n.equipment is not null then n.container_id end as "containerId", n.index,
             n.source_kind as "sourceKind", n.source_code as "sourceCode", n.observation,
             n.recorded_at as "recordedAt", n.retired_at as "retiredAt",
             s.projection #>> '{portOfLoading,place,unlocode}' as "portOfLoading",
             s.projection #>> '{portOfDischarge,place,unlocode}' as "portOfDischarge",
             s.projection #>> '{destination,place,unlocode}' as "destination",
             count(*) over () as "ofAll"
        from numbered n join shipments s on s.account_id = $1 and s.id = n.of_shipment
       where $3::uuid[] is null or n.id = any($3::uuid[])
       order by n.container_id, n.index
       limit $4::int offset $5::int`,
    values: [of.accountId, of.containerIds, of.ids, of.limit ?? null, of.offset ?? null],
  })
  return rows
}
