/**
 * Raw events: every event claim of every source, retired ones included, numbered in the order of their times among
 * all claims about the container. A claim that names no container is about all of its shipment.
 */

import type { EventObservation, SourceKind } from '../../core/observation.ts'
import type { Db } from '../database.ts'

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
  /** UN/LOCODEs of the shipment's route, for the role that the claim's place plays in it. */
  readonly portOfLoading: string | null
  readonly portOfDischarge: string | null
  readonly destination: string | null
}

export interface RawEventOfContainer {
  readonly ofContainerId: string
  readonly event: RawEventReading
}

/**
 * By container, in `index` order; a claim about the whole shipment comes once for each of its containers. With `ids`,
 * only those claims, numbered as they are among all. The moment is read as core's `instantOf` reads it: a day or a
 * wall clock in the zone of its place, else as if UTC.
 */
export async function readRawEvents(
  db: Db,
  of: {
    readonly accountId: string
    readonly containerIds: readonly string[]
    readonly ids: readonly string[] | null
  },
): Promise<readonly RawEventOfContainer[]> {
  const { rows } = await db.query<RawEventReading & { readonly ofContainerId: string }>({
    name: 'read_raw_events',
    text: `
      with asked as (
        select c.id, c.shipment_id, c.number from containers c where c.account_id = $1 and c.id = any($2::uuid[])
      ), spoken as (
        select t.shipment_id, t.subject_id
          from tracking_requests t
         where t.account_id = $1 and t.shipment_id in (select shipment_id from asked) and t.subject_id is not null
         group by t.shipment_id, t.subject_id
      ), said as (
        select p.shipment_id, cl.id, cl.source_kind, cl.source_code, cl.equipment, cl.observation, cl.recorded_at,
               cl.retired_at
          from spoken p join claims cl on cl.account_id = $1 and cl.subject_id = p.subject_id
        union all
        select cl.shipment_id, cl.id, cl.source_kind, cl.source_code, cl.equipment, cl.observation, cl.recorded_at,
               cl.retired_at
          from claims cl
         where cl.account_id = $1 and cl.shipment_id in (select shipment_id from asked)
      ), numbered as (
        select a.id as container_id, r.*,
               row_number() over (partition by a.id order by
                 case r.observation #>> '{time,kind}'
                   when 'instant' then (r.observation #>> '{time,at}')::timestamptz
                   else coalesce(r.observation #>> '{time,local}', r.observation #>> '{time,on}')::timestamp
                        at time zone coalesce(r.observation #>> '{place,timeZone}', 'UTC')
                 end, r.recorded_at, r.id) - 1 as index
          from asked a
          join said r on r.shipment_id = a.shipment_id and (r.equipment is null or r.equipment = a.number)
         where r.observation ->> 'kind' = 'event' and r.source_kind <> 'user'
      )
      select n.container_id as "ofContainerId", 'raw_event' as type, n.id,
             case when n.equipment is not null then n.container_id end as "containerId", n.index,
             n.source_kind as "sourceKind", n.source_code as "sourceCode", n.observation,
             n.recorded_at as "recordedAt", n.retired_at as "retiredAt",
             s.projection #>> '{portOfLoading,place,unlocode}' as "portOfLoading",
             s.projection #>> '{portOfDischarge,place,unlocode}' as "portOfDischarge",
             s.projection #>> '{destination,place,unlocode}' as "destination"
        from numbered n join shipments s on s.account_id = $1 and s.id = n.shipment_id
       where $3::uuid[] is null or n.id = any($3::uuid[])
       order by n.container_id, n.index`,
    values: [of.accountId, of.containerIds, of.ids],
  })
  return rows.map((event) => ({
    ofContainerId: event.ofContainerId,
    event,
  }))
}
