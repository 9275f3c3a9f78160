/** What events are about: the reference object of each. */

import { getDocuments } from '../../modules/documents/get-documents.ts'
import { readOwnEvent } from '../../modules/events/domain-event-resource.ts'
import type { DomainEventReading } from '../../modules/events/read-domain-events-sql.ts'
import { readLedgerRoot } from '../../modules/evidence/ledger-root-resource.ts'
import { getRoots } from '../../modules/evidence/ledger-roots.ts'
import { getTrackingRequests } from '../../modules/tracking-requests/get-tracking-request.ts'
import { getTransportEvents } from '../../modules/transport-events/list-transport-events.ts'
import type { Caller } from '../callers/caller.ts'
import type { RelatedReadings } from './find-related.ts'
import type { Reading } from './resource-kinds.ts'

/** The reference object of an event: the row that the event names by id, or the event itself. */
export async function referenceObjects(
  caller: Caller,
  from: readonly { readonly id: string; readonly event: DomainEventReading }[],
): Promise<RelatedReadings> {
  const idsOf = (type: string) => [
    ...new Set(from.flatMap(({ event }) => (event.referenceType === type ? [event.referenceId] : []))),
  ]
  const { service, context } = caller
  const read = async (type: string, rowsOf: (ids: readonly string[]) => Promise<readonly Reading[]>) => {
    const ids = idsOf(type)
    return ids.length === 0 ? [] : rowsOf(ids)
  }
  const rows: readonly Reading[] = [
    ...(await read('transport_event', (ids) => getTransportEvents(service, context, { ids }))),
    ...(await read('tracking_request', (ids) => getTrackingRequests(service, context, { ids }))),
    ...(await read('document', (ids) => getDocuments(service, context, { ids, alsoDiscarded: true }))),
    ...(await read('ledger_root', async (ids) => (await getRoots(service, context, { ids })).map(readLedgerRoot))),
  ]
  const byReference = new Map(rows.map((reading) => [reading.id, reading]))
  return new Map(
    from.map(({ id, event }) => {
      const reading = readOwnEvent(event) ?? byReference.get(event.referenceId)
      return [id, reading === undefined ? [] : [reading as Reading]]
    }),
  )
}
