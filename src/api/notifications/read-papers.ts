/**
 * Reads for many deliveries at once what they are written from: their events, the objects of these events, and related
 * objects.
 */

import { eventTable } from '../../domain/changes/event-table.ts'
import { getContainers } from '../../modules/containers/get-container.ts'
import { type EventToDeliver, readEvents } from '../../modules/events/read-events.ts'
import type { Service } from '../../modules/service.ts'
import { getShipments } from '../../modules/shipments/get-shipment.ts'
import { getTransportEvents } from '../../modules/transport-events/list-transport-events.ts'
import type { NotificationToRender } from '../../pipeline/delivery/payloads.ts'
import { type LinkedIds, readLinkedIds } from '../json-api/linkage.ts'
import type { Reading } from '../json-api/resource-kinds.ts'

export interface NotificationData extends EventToDeliver {
  /** Readings of the event's own account. Whatever else a document needs is read when it is written. */
  readonly known: readonly Reading[]
  /** What the linkage of these readings needs. */
  readonly linkedIds: LinkedIds
}

/**
 * One result for each notification, in order; null when its event does not exist. There is one query for each kind and
 * account.
 */
export async function readNotificationData(
  service: Service,
  notifications: readonly NotificationToRender[],
): Promise<readonly (NotificationData | null)[]> {
  const events = await readEvents(
    service,
    notifications.map(({ accountId, eventId, id }) => ({ accountId, id: eventId, requestId: id })),
  )
  const byAccount = Map.groupBy(
    events.filter((each) => each !== null),
    ({ context }) => context.account.id,
  )
  const papers = new Map<EventToDeliver, NotificationData>()
  await Promise.all(
    [...byAccount.values()].map(async (ofAccount) => {
      const knownOf = await readKnown(service, ofAccount)
      const [first] = ofAccount
      if (first === undefined) return
      const all = new Set(ofAccount.flatMap((each) => knownOf(each)))
      const linkedIds = await readLinkedIds({ service, context: first.context }, [...all])
      for (const each of ofAccount) papers.set(each, { ...each, known: knownOf(each), linkedIds })
    }),
  )
  return events.map((each) => (each === null ? null : (papers.get(each) ?? null)))
}

/** `events` are of one account only, so the context of the first one may read for all. */
async function readKnown(
  service: Service,
  events: readonly EventToDeliver[],
): Promise<(each: EventToDeliver) => readonly Reading[]> {
  const [first] = events
  if (first === undefined) return () => []
  const { context } = first
  const loadRecords = async <Found extends Reading>(
    ids: readonly (string | null)[],
    get: (ids: readonly string[]) => Promise<readonly Found[]>,
  ): Promise<ReadonlyMap<string, Found>> => {
    const wanted = [...new Set(ids)].filter((id) => id !== null)
    const found = wanted.length === 0 ? [] : await get(wanted)
    return new Map(found.map((reading) => [reading.id, reading]))
  }
  const transportId = ({ event }: EventToDeliver) =>
    event.referenceType === 'transport_event' ? event.referenceId : null
  const includes = ({ event }: EventToDeliver, relation: string) =>
    Object.hasOwn(eventTable[event.name].included, relation)
  const containerId = (each: EventToDeliver) => (includes(each, 'container') ? each.event.containerId : null)
  const shipmentId = (each: EventToDeliver) => (includes(each, 'shipment') ? each.event.shipmentId : null)
  const [transports, containers, shipments] = await Promise.all([
    loadRecords(events.map(transportId), (ids) => getTransportEvents(service, context, { ids })),
    loadRecords(events.map(containerId), (ids) => getContainers(service, context, { ids })),
    loadRecords(events.map(shipmentId), (ids) => getShipments(service, context, { ids })),
  ])
  return (each) =>
    [
      transports.get(transportId(each) ?? ''),
      containers.get(containerId(each) ?? ''),
      shipments.get(shipmentId(each) ?? ''),
    ].filter((reading) => reading !== undefined)
}
