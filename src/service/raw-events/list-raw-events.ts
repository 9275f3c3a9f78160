/** Raw events: what every source said about containers, word for word, also what it took back. */

import {
  type RawEventReading,
  readRawEvents,
  readRawEventsOfContainers,
} from '../../store/read/raw-events.ts'
import { type Context, requireScope } from '../context.ts'
import type { Service } from '../service.ts'

interface OfContainer {
  readonly id: string
  readonly shipmentId: string
}

/** In `index` order within each container. */
export async function listRawEvents(
  service: Service,
  context: Context,
  input: { readonly containers: readonly OfContainer[] },
): Promise<readonly { readonly ofContainerId: string; readonly event: RawEventReading }[]> {
  requireScope(context, 'read')
  return readRawEventsOfContainers(service.pool, {
    accountId: context.account.id,
    containerIds: input.containers.map(({ id }) => id),
    shipmentIds: distinct(input.containers.map(({ shipmentId }) => shipmentId)),
  })
}

/** Claims by id, within the shipments that they are about. */
export async function getRawEvents(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[]; readonly shipmentIds: readonly string[] },
): Promise<readonly RawEventReading[]> {
  requireScope(context, 'read')
  const { ids, shipmentIds } = input
  return readRawEvents(service.pool, {
    accountId: context.account.id,
    ids,
    shipmentIds: distinct(shipmentIds),
  })
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}
