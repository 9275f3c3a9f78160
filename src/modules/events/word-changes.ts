/** Changes in words, with the names and numbers by which people know what changed. */

import { changeText, foreignIn } from '../../domain/changes/change-text.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import type { Context } from '../access/context.ts'
import { getContainers } from '../containers/get-container.ts'
import type { Service } from '../service.ts'
import { getShipments } from '../shipments/get-shipment.ts'
import { getTrackingRequests } from '../tracking-requests/get-tracking-request.ts'
import type { ChangeOfEvent } from './list-changes.ts'

export interface Words {
  /** Null when people need not read of it. */
  readonly text: string | null
  /** The parts of `text` that sources wrote. */
  readonly foreign: readonly string[]
  readonly containerNumber: string | null
  readonly billOfLadingNumber: string | null
  readonly requestNumber: string | null
}

export type ChangeInWords = ChangeOfEvent & Words

/** A change that may be of no event of the feed. */
export type WordableChange = Omit<ChangeOfEvent, 'sequence'>

export async function wordChanges<Change extends WordableChange>(
  service: Service,
  context: Context,
  changes: readonly Change[],
): Promise<readonly (Change & Words)[]> {
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
  return changes.map((change) => {
    const shipment = shipmentById.get(change.shipmentId ?? '')
    return {
      ...change,
      ...wordChange(change, shipment?.scac ?? null),
      containerNumber: containerById.get(change.containerId ?? '') ?? null,
      billOfLadingNumber: shipment?.billOfLadingNumber ?? null,
      requestNumber: requestById.get(change.trackingRequestId ?? '') ?? null,
    }
  })
}

/** `scac`: the line of the shipment. */
function wordChange(change: WordableChange, scac: string | null): Pick<Words, 'text' | 'foreign'> {
  const { attribute, before, after, source, unlocode } = change
  const worded = {
    ...change,
    place: unlocode === null ? null : (findPlaceByCode(unlocode)?.name ?? unlocode),
    by: sourceName(source, scac),
    ...(attribute === 'pod_terminal' ? { before: terminalName(before), after: terminalName(after) } : {}),
  }
  return { text: changeText(worded), foreign: foreignIn(worded) }
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
