/** Which numbers shipments and requests have become known by while entries were folded. */

import { findShippingLine, normalizedNumber } from '../../reference/shipping-lines.ts'
import type { Db } from '../../store/database.ts'
import type { JourneyState, ShipmentState } from '../../store/journey-state/state.ts'
import { type DocumentKind, noteNumbers, type ShipmentDocument } from '../../store/known-numbers.ts'
import { wake } from '../../store/wake.ts'

/** In the transaction of the entries, so that none is forgotten. */
export async function noteNewNumbers(
  db: Db,
  before: JourneyState,
  after: JourneyState,
  at: string,
): Promise<void> {
  const documents: ShipmentDocument[] = []
  const shipmentIds: string[] = []
  for (const [id, shipment] of after.shipments) {
    const was = before.shipments.get(id)
    if (was === shipment || (was !== undefined && haveSameNumbers(was, shipment))) continue
    documents.push(...documentsOf(shipment))
    shipmentIds.push(id)
  }
  const requestIds = [...after.requests.keys()].filter((id) => !before.requests.has(id))
  const joins = await noteNumbers(db, { accountId: after.accountId, documents, shipmentIds, requestIds, at })
  if (joins > 0) await wake(db, 'mentions')
}

function haveSameNumbers(a: ShipmentState, b: ShipmentState): boolean {
  if (a.row.projection.billOfLadingNumber !== b.row.projection.billOfLadingNumber) return false
  if (a.row.projection.bookingNumber !== b.row.projection.bookingNumber) return false
  return (
    a.containers === b.containers ||
    (a.containers.length === b.containers.length &&
      a.containers.every((box, place) => box.number === b.containers[place]?.number))
  )
}

function documentsOf({ row }: ShipmentState): readonly ShipmentDocument[] {
  const { id: shipmentId, scac, projection } = row
  const of = (kind: DocumentKind, number: string): readonly ShipmentDocument[] =>
    spellingsOf(scac, number).map((spelling) => ({ shipmentId, kind, number: spelling }))
  const { billOfLadingNumber: bill = null, bookingNumber: booking = null } = projection
  return [
    ...(bill === null ? [] : of('bill_of_lading', bill)),
    ...(booking === null ? [] : of('booking', booking)),
  ]
}

/** As anybody may write it: with the code of its line and without. */
export function spellingsOf(scac: string, number: string): readonly string[] {
  const tidied = tidyMentioned(number)
  const line = findShippingLine(scac)
  const normalized = line === null ? tidied : normalizedNumber(line, tidied)
  return [...new Set([tidied, normalized, `${scac}${normalized}`])].filter((spelling) => spelling !== '')
}

/** Letters and digits alone: senders put in spaces and dashes of their own. */
export function tidyMentioned(number: string): string {
  return number.toUpperCase().replace(/[^A-Z0-9]/g, '')
}
