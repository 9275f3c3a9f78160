/** The latest changes in words, the newest first: what people read, one line a change. */

import { changeText } from '../../domain/changes/change-text.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import { type Context, requireScope } from '../access/context.ts'
import { getContainers } from '../containers/get-container.ts'
import type { Service } from '../service.ts'
import { getShipments } from '../shipments/get-shipment.ts'
import { getTrackingRequests } from '../tracking-requests/get-tracking-request.ts'
import { type ChangeOfEvent, readChanges } from './list-changes.ts'
import { readNewestEvents } from './list-events-sql.ts'

export interface ChangeLine extends Pick<ChangeOfEvent, 'sequence' | 'at' | 'shipmentId'> {
  readonly text: string
  /** Of the container, or of the shipment when it is about all of it or about several containers. */
  readonly number: string | null
  /** Null when it is about no container, or about several. */
  readonly containerNumber: string | null
}

export interface LatestChanges {
  readonly lines: readonly ChangeLine[]
  /** The next ones come before this number; null when there are none. */
  readonly before: number | null
}

export async function listLatestChanges(
  service: Service,
  context: Context,
  query: { readonly shipmentId: string | null; readonly before: number; readonly limit: number },
): Promise<LatestChanges> {
  requireScope(context, 'read')
  const events = await readNewestEvents(service.pool, { accountId: context.account.id, ...query })
  const changes = await readChanges(service, context, events)
  const names = await readNames(service, context, changes)
  const lines = new Map<string, ChangeLine>()
  for (const change of changes) {
    const { sequence, at, shipmentId } = change
    const text = changeText({ ...change, ...names.of(change) })
    if (text === null) continue
    const line = { sequence, at, shipmentId, text, ...names.numbersOf(change) }
    // An arrival that moved is an event of the shipment and of each container. It is one line.
    const key = shipmentId === null ? String(sequence) : `${shipmentId} ${at} ${text}`
    const known = lines.get(key)
    if (known === undefined) lines.set(key, line)
    else if (known.containerNumber !== line.containerNumber)
      lines.set(key, { ...known, number: names.billOf(change), containerNumber: null })
  }
  const last = events.at(-1)
  return { lines: [...lines.values()], before: events.length < query.limit ? null : (last?.sequence ?? null) }
}

async function readNames(service: Service, context: Context, changes: readonly ChangeOfEvent[]) {
  const idsOf = (name: 'containerId' | 'shipmentId' | 'trackingRequestId'): { readonly ids: readonly string[] } => ({
    ids: [...new Set(changes.flatMap((each) => each[name] ?? []))],
  })
  const [containers, shipments, requests] = await Promise.all([
    getContainers(service, context, idsOf('containerId')),
    getShipments(service, context, idsOf('shipmentId')),
    getTrackingRequests(service, context, idsOf('trackingRequestId')),
  ])
  const containerById = new Map(containers.map((each) => [each.id, each.projection.number]))
  const shipmentById = new Map(shipments.map((each) => [each.id, each]))
  const requestById = new Map(requests.map((each) => [each.id, each.requestNumber]))
  const billOf = ({ shipmentId, trackingRequestId }: ChangeOfEvent): string | null =>
    shipmentById.get(shipmentId ?? '')?.billOfLadingNumber ?? requestById.get(trackingRequestId ?? '') ?? null
  return {
    billOf,
    numbersOf: (change: ChangeOfEvent) => {
      const containerNumber = containerById.get(change.containerId ?? '') ?? null
      return { containerNumber, number: containerNumber ?? billOf(change) }
    },
    of: ({ attribute, before, after, source, unlocode, shipmentId }: ChangeOfEvent) => ({
      place: unlocode === null ? null : (findPlaceByCode(unlocode)?.name ?? unlocode),
      by: sourceName(source, shipmentById.get(shipmentId ?? '')?.scac ?? null),
      ...(attribute === 'pod_terminal' ? { before: terminalName(before), after: terminalName(after) } : {}),
    }),
  }
}

function terminalName(id: unknown): string | null {
  return typeof id === 'string' ? (findTerminalById(id)?.name ?? null) : null
}

const sources: Readonly<Record<string, string>> = {
  terminal: 'the terminal',
  rail: 'the railway',
  ais: 'the position of the ship',
  document: 'a document',
  user: 'a person',
}

function sourceName(source: string | null, scac: string | null): string | null {
  if (source === 'shipping_line') return scac === null ? 'the line' : (findShippingLine(scac)?.shortName ?? scac)
  return sources[source ?? ''] ?? null
}
