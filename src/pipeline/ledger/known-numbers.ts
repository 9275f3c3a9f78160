/** Notes by which numbers shipments and requests have become known while entries were folded. */

import type { Db } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { kindOfType } from '../../domain/tracking-requests/tracking-request-state.ts'
import { isSameJson } from '../../domain/values/json-value.ts'
import { findShippingLine, normalizedNumber } from '../../reference/shipping-lines.ts'
import type { JourneyState, ShipmentState } from '../projection/journey-state-sql.ts'
import { noteNumbers, type ShipmentDocument } from '../projection/known-numbers-sql.ts'
import { requestsOf } from './state-rows.ts'

/** Runs in the transaction of the entries, so that no number is forgotten. */
export async function noteNewNumbers(db: Db, before: JourneyState, after: JourneyState, at: string): Promise<void> {
  const documents: ShipmentDocument[] = []
  const shipmentIds: string[] = []
  for (const [id, shipment] of after.shipments) {
    const was = before.shipments.get(id)
    if (was === shipment) continue
    const known = listShipmentDocuments(after, shipment)
    if (
      was !== undefined &&
      !isResumed(was, shipment) &&
      haveSameContainers(was, shipment) &&
      haveSameDestinations(was, shipment) &&
      isSameJson(listShipmentDocuments(before, was), known)
    )
      continue
    documents.push(...known)
    shipmentIds.push(id)
  }
  const requestIds = [...after.requests.keys()].filter((id) => !before.requests.has(id))
  const joins = await noteNumbers(db, { accountId: after.accountId, documents, shipmentIds, requestIds, at })
  if (joins > 0) wakeWorkers(db, 'mentions')
}

/** A resumed shipment counts as new: nobody was polled about it while it was stopped. */
function isResumed(was: ShipmentState, shipment: ShipmentState): boolean {
  return was.row.trackingStoppedAt !== null && shipment.row.trackingStoppedAt === null
}

function haveSameContainers({ containers: a }: ShipmentState, { containers: b }: ShipmentState): boolean {
  return a === b || (a.length === b.length && a.every((container, place) => container.number === b[place]?.number))
}

/** Whether the containers still go to the same terminals and railways, which are polled about them besides the line. */
function haveSameDestinations({ containers: a }: ShipmentState, { containers: b }: ShipmentState): boolean {
  return (
    a === b ||
    a.every((container, place) => isSameJson(listDestinations(container), listDestinations(b[place] ?? container)))
  )
}

function listDestinations({ projection }: ShipmentState['containers'][number]): readonly (string | null | undefined)[] {
  const { portOfDischarge, podTerminal, podRailCarrier, destinationRailCarrier, destination } = projection
  const terminal = podTerminal?.terminalId
  const ends = [portOfDischarge.place?.unlocode, destination?.place?.unlocode]
  return [...ends, terminal, podRailCarrier, destinationRailCarrier]
}

/**
 * The numbers by which the line and the requests name the shipment. A number that the line did not know as a bill is
 * tracked as a booking, and may still come as a bill in a message.
 */
function listShipmentDocuments(state: JourneyState, { row }: ShipmentState): readonly ShipmentDocument[] {
  const { id: shipmentId, scac, projection } = row
  const { billOfLadingNumber: bill = null, bookingNumber: booking = null } = projection
  const requestedNumbers = requestsOf(state, shipmentId).flatMap(({ requestType, number }) =>
    requestType === 'container' ? [] : [{ kind: kindOfType[requestType], number }],
  )
  const named = [
    ...(bill === null ? [] : [{ kind: 'bill_of_lading' as const, number: bill }]),
    ...(booking === null ? [] : [{ kind: 'booking' as const, number: booking }]),
    ...requestedNumbers,
  ]
  return named.flatMap(({ kind, number }) =>
    spellingsOf(scac, number).map((spelling) => ({ shipmentId, kind, number: spelling })),
  )
}

/** The number as anybody may write it: with the code of its line and without. */
export function spellingsOf(scac: string, number: string): readonly string[] {
  const tidied = normalizeMentionedNumber(number)
  const bare = bareNumber(scac, tidied)
  return [...new Set([tidied, bare, `${scac}${bare}`])].filter((spelling) => spelling !== '')
}

/** The number without the code of its line, unless that code is a part of it. */
export function bareNumber(scac: string, tidied: string): string {
  const line = findShippingLine(scac)
  return line === null ? tidied : normalizedNumber(line, tidied)
}

/** Letters and digits alone: senders put in spaces and dashes of their own. */
export function normalizeMentionedNumber(number: string): string {
  return number.toUpperCase().replace(/[^A-Z0-9]/g, '')
}
