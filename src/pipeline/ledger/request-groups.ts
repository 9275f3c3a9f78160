/** Sorts requests into groups by what they share. Two groups have nothing in common. */

import type { RequestLink } from './ledger-groups-sql.ts'

export interface RequestGroup {
  readonly requestIds: readonly string[]
  readonly shipmentIds: ReadonlySet<string>
  /** Ids of requests and shipments. An entry about one of them belongs to the group. */
  readonly ids: readonly string[]
  /** True when an entry of the group could not be folded. */
  isBroken: boolean
}

export function groupLinkedRequests(ties: readonly RequestLink[]): readonly RequestGroup[] {
  const leads = new Map<string, string>()
  const leadOf = (id: string): string => {
    let lead = id
    for (let next = leads.get(lead); next !== undefined; next = leads.get(lead)) lead = next
    // Shortens the way, so that the next search from this id finds the lead at once.
    if (lead !== id) leads.set(id, lead)
    return lead
  }
  const requestOf = ({ requestId }: RequestLink): string => `request ${requestId}`
  for (const tie of ties) {
    const [one, other] = [leadOf(requestOf(tie)), leadOf(`${tie.of} ${tie.tie}`)]
    if (one !== other) leads.set(other, one)
  }
  return [...Map.groupBy(ties, (tie) => leadOf(requestOf(tie))).values()].map((of) => {
    const requestIds = [...new Set(of.map(({ requestId }) => requestId))]
    const shipmentIds = new Set(of.flatMap((tie) => (tie.of === 'shipment' ? tie.tie : [])))
    return { requestIds, shipmentIds, ids: [...requestIds, ...shipmentIds], isBroken: false }
  })
}
