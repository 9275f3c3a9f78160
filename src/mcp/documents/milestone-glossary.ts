/**
 * `landfall://docs/milestone-glossary`: what each milestone and status means. The names come from the lists in the
 * code.
 */

import {
  type ContainerStatus,
  containerStatuses,
  type MilestoneName,
  milestoneNames,
} from '../../domain/view/projection.ts'
import { shipmentStatuses, shipmentStatusMeanings } from '../../domain/view/shipment-status.ts'

const milestones: Readonly<Record<MilestoneName, string>> = {
  empty_out: 'the empty box left the depot to be loaded by the shipper',
  full_in: 'the laden box came in at the port of lading',
  vessel_loaded: 'loaded on the ship at the port of lading',
  vessel_departed: 'the ship left the port of lading',
  transshipment_arrived: 'the ship came to a port where the box changes ships',
  transshipment_discharged: 'taken off the ship there',
  transshipment_loaded: 'loaded on the next ship there',
  transshipment_departed: 'the next ship left',
  feeder_arrived: 'a feeder or barge came to a port on the way',
  feeder_discharged: 'taken off the feeder or barge',
  feeder_loaded: 'loaded on a feeder or barge',
  feeder_departed: 'the feeder or barge left',
  vessel_arrived: 'the ship came to the port of discharge; the box is still on board',
  vessel_berthed: 'the ship is at its berth there',
  vessel_discharged: 'taken off the ship at the port of discharge',
  rail_loaded: 'loaded on a train',
  rail_departed: 'the train left',
  rail_arrived: 'the train came to a ramp on the way',
  arrived_at_inland_destination: 'came to the ramp of its inland destination',
  rail_unloaded: 'taken off the train',
  available: 'may be picked up',
  not_available: 'may not be picked up (again)',
  full_out: 'left the terminal or ramp full',
  delivered: 'delivered to the consignee; only where somebody said so',
  empty_in: 'came back empty',
}

const statuses: Readonly<Record<ContainerStatus, string>> = {
  new: 'nothing has happened to it yet',
  loaded: 'on a ship that has not left',
  on_ship: 'at sea, or in port on board',
  grounded: 'discharged; whether it may be picked up is not known',
  available: 'may be picked up',
  not_available: 'at the terminal, may not be picked up',
  awaiting_inland_transfer: 'discharged, to go on inland',
  on_rail: 'on a train',
  off_dock: 'at a facility behind the port',
  picked_up: 'left the terminal or ramp full',
  dropped: 'left standing at the consignee',
  delivered: 'delivered',
  empty_returned: 'back empty: the trip is over',
}

export function writeMilestoneGlossary(): string {
  const table = (names: readonly string[], meanings: Readonly<Record<string, string>>): string =>
    names.map((name) => `| \`${name}\` | ${meanings[name] ?? ''} |`).join('\n')
  return `# Milestones and statuses

Milestones come as \`container.transport.<name>\`. Three of them also come as
\`container.transport.estimated.<name>\` (\`vessel_departed\`, \`vessel_arrived\`, \`arrived_at_inland_destination\`):
those are expectations and may move.

## Milestones
| Name | Meaning |
|---|---|
${table(milestoneNames, milestones)}

## Status of a container
| Status | Meaning |
|---|---|
${table(containerStatuses, statuses)}

## Status of a shipment
The container that is furthest behind decides.

| Status | Meaning |
|---|---|
${table(shipmentStatuses, shipmentStatusMeanings)}
`
}
