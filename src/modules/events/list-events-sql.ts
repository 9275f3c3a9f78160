/** The event feed: an account's numbered events after a number, in their order, and how far this query has read. */

import type { Db } from '../../db/database.ts'
import type { DomainEventReading } from './read-domain-events-sql.ts'

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
}

interface StretchQuery {
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
    select coalesce((select last_sequence from event_counters where account_id = $1), 0) as "lastSequence")`

/** The newest number and the events are read at the same moment. An event that is not there yet gets a later number. */
export async function readEventsAfter(db: Db, stretchQuery: StretchQuery): Promise<EventStretch> {
  const { trackingRequestId, shipmentId, containerId } = stretchQuery.filter
  if (trackingRequestId !== null) return readOfRequest(db, { ...stretchQuery, trackingRequestId })
  if (shipmentId !== null || containerId !== null) return readOfShipment(db, stretchQuery)
  const until = stretchQuery.after + stretchMax
  const { rows } = await db.query<Row>({
    name: 'read_events_after',
    text: `${newest}
           select newest."lastSequence", e.*
             from newest left join lateral (
               select ${columns} from events e
                where e.account_id = $1 and e.sequence > $2 and e.sequence <= $3
                  and ($4::text[] is null or e.name = any($4))
                order by e.sequence limit $5) e on true
            order by e.sequence`,
    values: [stretchQuery.accountId, stretchQuery.after, until, stretchQuery.filter.names, stretchQuery.limit],
  })
  return stretchOf(rows, { ...stretchQuery, until })
}

/** A container's events are found among those of its shipment. */
async function readOfShipment(db: Db, stretchQuery: StretchQuery): Promise<EventStretch> {
  const { names, shipmentId, containerId } = stretchQuery.filter
  const { rows } = await db.query<Row>({
    name: 'read_events_of_shipment',
    text: `${newest}
           select newest."lastSequence", e.*
             from newest left join lateral (
               select ${columns} from events e
                where e.account_id = $1 and e.sequence > $2
                  and e.shipment_id = coalesce(
                        $4::uuid, (select shipment_id from containers where account_id = $1 and id = $5))
                  and ($5::uuid is null or e.container_id = $5)
                  and ($3::text[] is null or e.name = any($3))
                order by e.sequence limit $6) e on true
            order by e.sequence`,
    values: [stretchQuery.accountId, stretchQuery.after, names, shipmentId, containerId, stretchQuery.limit],
  })
  return stretchOf(rows, { ...stretchQuery, until: Number.POSITIVE_INFINITY })
}

async function readOfRequest(
  db: Db,
  stretchQuery: StretchQuery & { readonly trackingRequestId: string },
): Promise<EventStretch> {
  const { names, shipmentId, containerId } = stretchQuery.filter
  const { rows } = await db.query<Row>({
    name: 'read_events_of_request',
    text: `${newest}
           select newest."lastSequence", e.*
             from newest left join lateral (
               select ${columns} from events e
                where e.account_id = $1 and e.sequence > $2 and e.tracking_request_id = $4
                  and ($5::uuid is null or e.shipment_id = $5)
                  and ($6::uuid is null or e.container_id = $6)
                  and ($3::text[] is null or e.name = any($3))
                order by e.sequence limit $7) e on true
            order by e.sequence`,
    values: [
      stretchQuery.accountId,
      stretchQuery.after,
      names,
      stretchQuery.trackingRequestId,
      shipmentId,
      containerId,
      stretchQuery.limit,
    ],
  })
  return stretchOf(rows, { ...stretchQuery, until: Number.POSITIVE_INFINITY })
}

type NamedRow = Row & { readonly id: string }
const eventsBefore = `select ${columns} from events e where e.account_id = $1 and e.sequence < $2`

/** The newest events before a number, the newest first. */
export async function readNewestEvents(
  db: Db,
  of: {
    readonly accountId: string
    readonly shipmentId: string | null
    readonly before: number
    readonly limit: number
  },
): Promise<readonly EventReading[]> {
  const { accountId, shipmentId, before, limit } = of
  const { rows } =
    shipmentId === null
      ? await db.query<NamedRow>({
          name: 'read_newest_events',
          text: `${eventsBefore} order by e.sequence desc limit $3`,
          values: [accountId, before, limit],
        })
      : await db.query<NamedRow>({
          name: 'read_newest_events_of_shipment',
          text: `${eventsBefore} and e.shipment_id = $4 order by e.sequence desc limit $3`,
          values: [accountId, before, limit, shipmentId],
        })
  return rows.map((row) => ({ type: 'event', id: row.id, sequence: row.sequence, event: eventOf(row, row.id) }))
}

/** Newest numbers by account. Accounts without events are not in it. */
export async function readLastSequences(db: Db, accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ accountId: string; lastSequence: number }>({
    name: 'read_last_sequences',
    text: `select account_id as "accountId", last_sequence as "lastSequence"
             from event_counters where account_id = any($1::uuid[])`,
    values: [accountIds],
  })
  return new Map(rows.map(({ accountId, lastSequence }) => [accountId, lastSequence]))
}

/** A row without an event has only the newest number. */
interface Row extends Omit<DomainEventReading, 'id'> {
  readonly lastSequence: number
  readonly id: string | null
  readonly sequence: number
}

function stretchOf(
  rows: readonly Row[],
  range: { readonly after: number; readonly limit: number; readonly until: number },
): EventStretch {
  const lastSequence = rows[0]?.lastSequence ?? 0
  const events = rows.flatMap((row): readonly EventReading[] => {
    const { id, sequence } = row
    return id === null ? [] : [{ type: 'event', id, sequence, event: eventOf(row, id) }]
  })
  const isFull = events.length === range.limit
  const examined = isFull ? (events.at(-1)?.sequence ?? range.after) : Math.min(lastSequence, range.until)
  return { events, examined: Math.max(examined, range.after), lastSequence }
}

function eventOf(row: Row, id: string): DomainEventReading {
  const { lastSequence: _last, sequence: _sequence, ...event } = row
  return { ...event, id }
}
