/**
 * What changed since a position of the feed, or since a time: each event with the value before and after, and its
 * source. One event may be several changes.
 */

import type { SourceKind } from '../../domain/statements/observation.ts'
import { membersOf } from '../../domain/values/json-value.ts'
import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import { getTransportEvents, listTransportEvents } from '../transport-events/list-transport-events.ts'
import type { TransportEventReading } from '../transport-events/list-transport-events-sql.ts'
import { readPayloadsBefore, readSequenceAt } from './list-changes-sql.ts'
import { lastSequenceOf, listEvents } from './list-events.ts'
import { type EventFilter, type EventReading, readNewestEvents } from './list-events-sql.ts'

export interface ChangeOfEvent {
  readonly sequence: number
  readonly at: string
  readonly event: string
  readonly shipmentId: string | null
  readonly containerId: string | null
  readonly trackingRequestId: string | null
  /** The value that changed. */
  readonly attribute: string
  /** Undefined where the event does not contain the value before. */
  readonly before: unknown
  readonly after: unknown
  readonly source: SourceKind | string | null
  readonly claimId: string | null
  readonly timeZone: string | null
  /** UN/LOCODE of where it happened or is expected. */
  readonly unlocode: string | null
}

export interface ChangesSince {
  readonly changes: readonly ChangeOfEvent[]
  /** The position after these: with it the next call continues. */
  readonly cursor: number
  readonly hasMore: boolean
}

/** A position of the feed, or a time on the clock of the account's journeys. */
export type Since = { readonly after: number } | { readonly at: string }

const arrival = 'shipment.estimated.arrival'

export async function listChanges(
  service: Service,
  context: Context,
  query: {
    readonly since: Since
    readonly limit: number
    readonly filter: EventFilter
  },
): Promise<ChangesSince> {
  requireScope(context, 'read')
  const { since, limit, filter } = query
  const after = await positionOf(service, context, since)
  const { events, examined, lastSequence } = await listEvents(service, context, { after, limit, filter })
  const isFull = events.length === limit
  const cursor = isFull ? (events.at(-1)?.sequence ?? examined) : examined
  return {
    changes: await readChanges(service, context, events),
    cursor,
    hasMore: cursor < lastSequence && isFull,
  }
}

/** The newest events first, and how many there are since that time; of more than `limit` the older ones are left out. */
export async function listNewestChanges(
  service: Service,
  context: Context,
  query: { readonly since: Since; readonly limit: number },
): Promise<Pick<ChangesSince, 'changes' | 'cursor'> & { readonly events: number }> {
  const accountId = context.account.id
  const cursor = await lastSequenceOf(service, context)
  const after = await positionOf(service, context, query.since)
  const before = { accountId, shipmentId: null, before: cursor + 1, limit: query.limit }
  const events = (await readNewestEvents(service.pool, before)).filter(({ sequence }) => sequence > after)
  return { changes: await readChanges(service, context, events), cursor, events: cursor - after }
}

async function positionOf({ pool }: Service, { account }: Context, since: Since): Promise<number> {
  return 'after' in since ? since.after : readSequenceAt(pool, { accountId: account.id, since: since.at })
}

/** The changes of each event, in the order of the events. */
export async function readChanges(
  service: Service,
  context: Context,
  events: readonly EventReading[],
): Promise<readonly ChangeOfEvent[]> {
  const [rows, before] = await Promise.all([
    readRows(service, context, events),
    readPayloadsBefore(service.pool, {
      accountId: context.account.id,
      events: events.flatMap(({ sequence, event: { name, shipmentId } }) =>
        name === arrival && shipmentId !== null ? [{ sequence, name, shipmentId }] : [],
      ),
    }),
  ])
  return events.flatMap((each) => changesOf(each, { rows, before: before.get(each.sequence) }))
}

interface TransportEventRows {
  readonly byId: ReadonlyMap<string, TransportEventReading>
  /** Of an event with a value, such as a last free day: the row of the same name before it. */
  readonly before: ReadonlyMap<string, TransportEventReading>
}

async function readRows(
  service: Service,
  context: Context,
  events: readonly EventReading[],
): Promise<TransportEventRows> {
  const ids = events.flatMap(({ event }) => (event.referenceType === 'transport_event' ? [event.referenceId] : []))
  const rows = await getTransportEvents(service, context, { ids })
  const previous = rows.flatMap(({ previousVersionId }) => previousVersionId ?? [])
  const valued = rows.filter(({ value }) => value !== null)
  const [older, all] = await Promise.all([
    getTransportEvents(service, context, { ids: previous }),
    listTransportEvents(service, context, {
      containerIds: [...new Set(valued.map(({ containerId }) => containerId))],
      withInvalidated: true,
    }),
  ])
  const byName = Map.groupBy(all, ({ containerId, event }) => `${containerId} ${event}`)
  const before = valued.flatMap((row) => {
    const earlier = (byName.get(`${row.containerId} ${row.event}`) ?? []).filter(
      ({ createdAt }) => createdAt < row.createdAt,
    )
    const last = earlier.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]
    return last === undefined ? [] : [[row.id, last] as const]
  })
  return { byId: new Map([...rows, ...older].map((row) => [row.id, row])), before: new Map(before) }
}

function changesOf(
  { sequence, event }: EventReading,
  known: { readonly rows: TransportEventRows; readonly before: Readonly<Record<string, unknown>> | undefined },
): readonly ChangeOfEvent[] {
  const { payload, referenceType, referenceId } = event
  const common = {
    sequence,
    at: event.createdAt,
    event: event.name,
    shipmentId: event.shipmentId,
    containerId: event.containerId,
    trackingRequestId: event.trackingRequestId,
    source: textOf(payload['data_source']),
    claimId: null,
    timeZone: textOf(payload['timezone']),
    unlocode: textOf(payload['location_locode']),
  }
  if (referenceType === 'container_updated_event')
    return Object.entries(membersOf(payload['changeset'])).map(([attribute, pair]) => {
      const [before, after] = Array.isArray(pair) ? (pair as readonly unknown[]) : [undefined, pair]
      return { ...common, attribute, before, after }
    })
  if (event.name === arrival) {
    const [before, after] = [known.before?.['estimated_timestamp'], payload['estimated_timestamp']]
    return [{ ...common, attribute: 'pod_eta_at', before: before ?? null, after }]
  }
  if (referenceType === 'transport_event') {
    const row = known.rows.byId.get(referenceId)
    if (row === undefined) return [{ ...common, attribute: event.name, before: undefined, after: undefined }]
    const older =
      known.rows.before.get(row.id) ??
      (row.previousVersionId === null ? undefined : known.rows.byId.get(row.previousVersionId))
    const change = { ...common, source: row.dataSource, claimId: row.sourceClaimId, timeZone: row.timeZone }
    const isOtherShip = older !== undefined && older.vesselImo !== null && older.vesselImo !== row.vesselImo
    return [
      ...(isOtherShip && row.vesselName !== null
        ? [{ ...change, unlocode: null, attribute: 'vessel', before: older.vesselName, after: row.vesselName }]
        : []),
      {
        ...change,
        unlocode: row.unlocode,
        attribute: row.event.replace(/^container\.(transport\.)?/, '').replace(/\.changed$/, ''),
        before: older === undefined ? null : (older.value ?? older.occursAt),
        after: row.invalidatedAt !== null && event.name.endsWith('.retracted') ? null : (row.value ?? row.occursAt),
      },
    ]
  }
  const [, attribute = event.name] = /^[a-z_]+\.(.+)$/.exec(event.name) ?? []
  return [{ ...common, attribute, before: undefined, after: undefined }]
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
