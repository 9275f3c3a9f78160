/** The event feed: an account's numbered events after a number, in their order, and how far this read has looked. */

import type { Db } from '../database.ts'
import { readEventsBegin, readEventWalk } from '../telling/event-bounds.ts'
import type { DomainEventReading } from './domain-events.ts'

export interface EventReading {
  readonly type: 'event'
  readonly id: string
  readonly sequence: number
  readonly event: DomainEventReading
}

/** Null: no condition. */
export interface EventFilter {
  readonly names: readonly string[] | null
  readonly shipmentId: string | null
  readonly containerId: string | null
  readonly trackingRequestId: string | null
}

export interface EventStretch {
  readonly events: readonly EventReading[]
  /** Every event up to this number that matches is in `events`, or came before. */
  readonly examined: number
  /** Newest number of the account when this was read; 0 when it has none. */
  readonly lastSequence: number
  /** Events up to this number are no longer kept; 0 when all are. */
  readonly goneSequence: number
}

interface Asked {
  readonly accountId: string
  readonly after: number
  readonly limit: number
  readonly filter: EventFilter
}

/**
 * Maximum of numbers that one statement walks through. Without it, a name that hardly ever occurs would make it walk
 * through years.
 */
const stretchMax = 200_000

const columns = `e.account_id as "accountId", e.id, e.sequence, e.name, e.reference_type as "referenceType",
  e.reference_id as "referenceId", e.tracking_request_id as "trackingRequestId", e.shipment_id as "shipmentId",
  e.container_id as "containerId", e.payload, e.created_at as "createdAt"`

const newest = `with newest as materialized (
    select coalesce((select last_sequence from event_counters where account_id = $1), 0) as "lastSequence",
           coalesce((select sequence from events_gone where account_id = $1), 0) as "goneSequence")`

/**
 * The newest number and the events are read at the same moment. An event that is not there yet gets a later number. All
 * events are read part by part; those of a shipment or of a request lie in few parts.
 */
export async function readEventsAfter(db: Db, asked: Asked): Promise<EventStretch> {
  const { trackingRequestId, shipmentId, containerId } = asked.filter
  if (trackingRequestId !== null) return readOfRequest(db, { ...asked, trackingRequestId })
  if (shipmentId !== null || containerId !== null) return readOfShipment(db, asked)
  const walk = await readEventWalk(db, asked)
  const until = Math.min(asked.after + stretchMax, walk.until ?? Number.MAX_SAFE_INTEGER)
  const { rows } = await db.query<Row>({
    name: 'read_events_after',
    text: `${newest}
           select newest."lastSequence", newest."goneSequence", e.*
             from newest left join lateral (
               select ${columns} from events e
                where e.account_id = $1 and e.sequence > $2 and e.sequence <= $3
                  and e.sequence > newest."goneSequence" and e.ordinal >= $6 and e.ordinal < $7
                  and ($4::text[] is null or e.name = any($4))
                order by e.sequence limit $5) e on true
            order by e.sequence`,
    values: [asked.accountId, asked.after, until, asked.filter.names, asked.limit, walk.from, walk.before],
  })
  return stretchOf(rows, { ...asked, until })
}

/** A container's events are found among those of its shipment. */
async function readOfShipment(db: Db, asked: Asked): Promise<EventStretch> {
  const { names, shipmentId, containerId } = asked.filter
  const from = await readEventsBegin(db, { ...asked, ...asked.filter })
  const { rows } = await db.query<Row>({
    name: 'read_events_of_shipment',
    text: `${newest}
           select newest."lastSequence", newest."goneSequence", e.*
             from newest left join lateral (
               select ${columns} from events e
                where e.account_id = $1 and e.sequence > $2 and e.sequence > newest."goneSequence" and e.ordinal >= $7
                  and e.shipment_id = coalesce(
                        $4::uuid, (select shipment_id from containers where account_id = $1 and id = $5))
                  and ($5::uuid is null or e.container_id = $5)
                  and ($3::text[] is null or e.name = any($3))
                order by e.sequence limit $6) e on true
            order by e.sequence`,
    values: [asked.accountId, asked.after, names, shipmentId, containerId, asked.limit, from],
  })
  return stretchOf(rows, { ...asked, until: Number.POSITIVE_INFINITY })
}

async function readOfRequest(
  db: Db,
  asked: Asked & { readonly trackingRequestId: string },
): Promise<EventStretch> {
  const { names, shipmentId, containerId } = asked.filter
  const from = await readEventsBegin(db, { ...asked, ...asked.filter })
  const { rows } = await db.query<Row>({
    name: 'read_events_of_request',
    text: `${newest}
           select newest."lastSequence", newest."goneSequence", e.*
             from newest left join lateral (
               select ${columns} from events e
                where e.account_id = $1 and e.sequence > $2 and e.sequence > newest."goneSequence" and e.ordinal >= $8
                  and e.tracking_request_id = $4
                  and ($5::uuid is null or e.shipment_id = $5)
                  and ($6::uuid is null or e.container_id = $6)
                  and ($3::text[] is null or e.name = any($3))
                order by e.sequence limit $7) e on true
            order by e.sequence`,
    values: [
      asked.accountId,
      asked.after,
      names,
      asked.trackingRequestId,
      shipmentId,
      containerId,
      asked.limit,
      from,
    ],
  })
  return stretchOf(rows, { ...asked, until: Number.POSITIVE_INFINITY })
}

/** Newest numbers by account. Accounts without events are not in it. */
export async function readLastSequences(
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ accountId: string; lastSequence: number }>({
    name: 'read_last_sequences',
    text: `select account_id as "accountId", last_sequence as "lastSequence"
             from event_counters where account_id = any($1::uuid[])`,
    values: [accountIds],
  })
  return new Map(rows.map(({ accountId, lastSequence }) => [accountId, lastSequence]))
}

/** How far the events of an account go: its newest number, and up to which they are no longer kept. */
export async function readFeedEnds(
  db: Db,
  accountId: string,
): Promise<Pick<EventStretch, 'lastSequence' | 'goneSequence'>> {
  const { rows } = await db.query<Pick<EventStretch, 'lastSequence' | 'goneSequence'>>({
    name: 'read_feed_ends',
    text: `${newest} select "lastSequence", "goneSequence" from newest`,
    values: [accountId],
  })
  return rows[0] ?? { lastSequence: 0, goneSequence: 0 }
}

/** A row without an event has only the two ends. */
interface Row extends Omit<DomainEventReading, 'id'> {
  readonly lastSequence: number
  readonly goneSequence: number
  readonly id: string | null
  readonly sequence: number
}

function stretchOf(
  rows: readonly Row[],
  asked: { readonly after: number; readonly limit: number; readonly until: number },
): EventStretch {
  const { lastSequence = 0, goneSequence = 0 } = rows[0] ?? {}
  const events = rows.flatMap((row): readonly EventReading[] => {
    const { id, sequence } = row
    return id === null ? [] : [{ type: 'event', id, sequence, event: eventOf(row, id) }]
  })
  const isFull = events.length === asked.limit
  const examined = isFull ? (events.at(-1)?.sequence ?? asked.after) : Math.min(lastSequence, asked.until)
  return { events, examined: Math.max(examined, asked.after), lastSequence, goneSequence }
}

function eventOf(row: Row, id: string): DomainEventReading {
  const { lastSequence: _last, goneSequence: _gone, sequence: _sequence, ...event } = row
  return { ...event, id }
}
