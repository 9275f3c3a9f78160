/**
 * Raw events: every event claim of every source, retired ones included, numbered in the order of their times among
 * all claims about the shipment. A claim that names no container is about all of them.
 */

import type { EventObservation, SourceKind } from '../../core/observation.ts'
import type { Db } from '../database.ts'

export interface RawEventReading {
  readonly type: 'raw_event'
  readonly id: string
  /** Null when the claim is about the whole shipment, or its container has no row. */
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

/**
 * $2: shipments. A subject is shared by accounts, its claims are not. The moment is read as core's `instantOf` reads
 * it: a day or wall clock in the zone of its place, else as if UTC.
 */
const ofShipments = `
  with spoken as (
    select distinct s.id as shipment_id, cl.id
      from shipments s
      join tracking_requests t on t.account_id = s.account_id and t.shipment_id = s.id
      join claims cl on cl.account_id = s.account_id and cl.subject_id = t.subject_id
     where s.account_id = $1 and s.id = any($2::uuid[]) and cl.observation ->> 'kind' = 'event'
    union
    select cl.shipment_id, cl.id
      from claims cl
     where cl.account_id = $1 and cl.shipment_id = any($2::uuid[]) and cl.observation ->> 'kind' = 'event'
  ), ranked as (
    select p.shipment_id, cl.id, cl.source_kind, cl.source_code, cl.equipment, cl.observation, cl.recorded_at,
           cl.retired_at,
           row_number() over (partition by p.shipment_id order by
             case cl.observation #>> '{time,kind}'
               when 'instant' then (cl.observation #>> '{time,at}')::timestamptz
               else coalesce(cl.observation #>> '{time,local}', cl.observation #>> '{time,on}')::timestamp
                    at time zone coalesce(cl.observation #>> '{place,timeZone}', 'UTC')
             end, cl.recorded_at, cl.id) - 1 as index
      from spoken p join claims cl on cl.account_id = $1 and cl.id = p.id
     where cl.source_kind <> 'user'
  )`

const columns = `'raw_event' as type, r.id, r.index, r.source_kind as "sourceKind", r.source_code as "sourceCode",
  r.observation, r.recorded_at as "recordedAt", r.retired_at as "retiredAt",
  s.projection #>> '{portOfLoading,place,unlocode}' as "portOfLoading",
  s.projection #>> '{portOfDischarge,place,unlocode}' as "portOfDischarge",
  s.projection #>> '{destination,place,unlocode}' as "destination"`

/** By container; a claim about the whole shipment comes once for each of them. */
export async function readRawEventsOfContainers(
  db: Db,
  of: {
    readonly accountId: string
    readonly containerIds: readonly string[]
    readonly shipmentIds: readonly string[]
  },
): Promise<readonly { readonly ofContainerId: string; readonly event: RawEventReading }[]> {
  const { rows } = await db.query<Record<string, never>>({
    name: 'read_raw_events_of_containers',
    text: `${ofShipments}
           select c.id as "ofContainerId", case when r.equipment is not null then c.id end as "containerId", ${columns}
             from containers c
             join ranked r on r.shipment_id = c.shipment_id and (r.equipment is null or r.equipment = c.number)
             join shipments s on s.account_id = c.account_id and s.id = c.shipment_id
            where c.account_id = $1 and c.id = any($3::uuid[])
            order by c.id, r.index`,
    values: [of.accountId, of.shipmentIds, of.containerIds],
  })
  return (rows as unknown as (RawEventReading & { readonly ofContainerId: string })[]).map((row) => ({
    ofContainerId: row.ofContainerId,
    event: row,
  }))
}

export async function readRawEvents(
  db: Db,
  of: {
    readonly accountId: string
    readonly ids: readonly string[]
    readonly shipmentIds: readonly string[]
  },
): Promise<readonly RawEventReading[]> {
  const { rows } = await db.query<Record<string, never>>({
    name: 'read_raw_events',
    text: `${ofShipments}
           select distinct on (r.id) c.id as "containerId", ${columns}
             from ranked r
             join shipments s on s.account_id = $1 and s.id = r.shipment_id
             left join containers c on c.account_id = $1 and c.shipment_id = r.shipment_id and c.number = r.equipment
            where r.id = any($3::uuid[])
            order by r.id, c.trip`,
    values: [of.accountId, of.shipmentIds, of.ids],
  })
  return rows as unknown as RawEventReading[]
}
