/**
 * Reads for many deliveries at once what they are written from: their events, the objects of these events, and related
 * objects.
 */

import type { Service } from '../../service/service.ts'
import { type EventToTell, readEvents } from '../../service/telling/events/read-event.ts'
import type { NotificationToRender } from '../../service/telling/webhooks/attempt-delivery.ts'
import { getContainers } from '../../service/tracking/containers/get-container.ts'
import { getShipments } from '../../service/tracking/shipments/get-shipment.ts'
import { getTransportEvents } from '../../service/tracking/transport-events/list-transport-events.ts'
import type { Reading } from '../documents/resources.ts'
import { inclusionOf } from './inclusions.ts'

export interface Papers extends EventToTell {
  /** Readings of the event's own account. Whatever else a document needs is read when it is written. */
  readonly known: readonly Reading[]
}

/**
 * One result for each notification, in order; null when its event does not exist. There is one query for each kind and
 * account.
 */
export async function readPapers(
  service: Service,
  notifications: readonly NotificationToRender[],
): Promise<readonly (Papers | null)[]> {
  const told = await readEvents(
    service,
    notifications.map(({ accountId, eventId, sequence, id }) => ({
      accountId,
      id: eventId,
      sequence,
      requestId: id,
    })),
  )
  const byAccount = Map.groupBy(
    told.filter((each) => each !== null),
    ({ context }) => context.account.id,
  )
  const papers = new Map<EventToTell, Papers>()
  await Promise.all(
    [...byAccount.values()].map(async (ofAccount) => {
      const knownOf = await readKnown(service, ofAccount)
      for (const each of ofAccount) papers.set(each, { ...each, known: knownOf(each) })
    }),
  )
  return told.map((each) => (each === null ? null : (papers.get(each) ?? null)))
}

/** `told` has events of one account only, so the context of the first one may read for all. */
async function readKnown(
  service: Service,
  told: readonly EventToTell[],
): Promise<(each: EventToTell) => readonly Reading[]> {
  const [first] = told
  if (first === undefined) return () => []
  const { context } = first
  const ask = async <Found extends Reading>(
    ids: readonly (string | null)[],
    get: (ids: readonly string[]) => Promise<readonly Found[]>,
  ): Promise<ReadonlyMap<string, Found>> => {
    const wanted = [...new Set(ids)].filter((id) => id !== null)
    const found = wanted.length === 0 ? [] : await get(wanted)
    return new Map(found.map((reading) => [reading.id, reading]))
  }
  const transportId = ({ event }: EventToTell) =>
    event.referenceType === 'transport_event' ? event.referenceId : null
  const includes = ({ event }: EventToTell, relation: string) =>
    Object.hasOwn(inclusionOf(event.name)['reference_object'] ?? {}, relation)
  const containerId = (each: EventToTell) => (includes(each, 'container') ? each.event.containerId : null)
  const shipmentId = (each: EventToTell) => (includes(each, 'shipment') ? each.event.shipmentId : null)
  const [transports, containers, shipments] = await Promise.all([
    ask(told.map(transportId), (ids) => getTransportEvents(service, context, { ids })),
    ask(told.map(containerId), (ids) => getContainers(service, context, { ids })),
    ask(told.map(shipmentId), (ids) => getShipments(service, context, { ids })),
  ])
  return (each) =>
    [
      transports.get(transportId(each) ?? ''),
      containers.get(containerId(each) ?? ''),
      shipments.get(shipmentId(each) ?? ''),
    ].filter((reading) => reading !== undefined)
}
