/** What a delivery includes: for each family of events, the resources besides its reference object. */

import { chargeChanges } from '../../core/charges/tally-changes.ts'
import { estimatedMilestoneNames, milestoneNames } from '../../core/shown/projection.ts'
import type { IncludeTree } from '../documents/following/include.ts'

const alone: IncludeTree = {}
const journey: IncludeTree = { container: {}, shipment: {}, location: {}, terminal: {} }
const milestone: IncludeTree = { ...journey, vessel: {} }
const ofContainer: IncludeTree = { container: {}, shipment: {} }
const papers: IncludeTree = { email_submission: {}, last_document_representation: {} }

/**
 * The contract sends these without included resources: `available` and `not_available` are states, and `delivered` is
 * stated by the customer.
 */
const sentAlone: ReadonlySet<string> = new Set(['available', 'not_available', 'delivered'])

const byEvent: Readonly<Record<string, IncludeTree>> = {
  ...Object.fromEntries(
    milestoneNames.map((name) => [`container.transport.${name}`, sentAlone.has(name) ? alone : milestone]),
  ),
  ...Object.fromEntries(
    estimatedMilestoneNames.map((name) => [`container.transport.estimated.${name}`, alone]),
  ),
  'container.transport.estimated.arrived_at_inland_destination': journey,
  'container.transport.corrected': { ...milestone, previous_version: {} },
  'container.transport.retracted': milestone,
  'container.pickup_lfd.changed': journey,
  'shipment.estimated.arrival': { shipment: {}, port: {} },
  'tracking_request.succeeded': { tracked_object: { containers: {} } },
  'tracking_request.tracking_stopped': { tracked_object: {} },
  'container.created': ofContainer,
  ...Object.fromEntries(chargeChanges.map((change) => [`container.charges.${change}`, ofContainer])),
  'container.updated': {
    container: { pod_terminal: {}, pickup_facility: {} },
    terminal: {},
    shipment: { port_of_discharge: {} },
  },
  'container.pod_terminal_changed': { ...ofContainer, terminal: {} },
  'document.extracted': papers,
  'document.extraction_failed': papers,
}

/** The tree below the notification. Events without an entry include only their reference object. */
export function inclusionOf(event: string): IncludeTree {
  return { reference_object: byEvent[event] ?? alone }
}
