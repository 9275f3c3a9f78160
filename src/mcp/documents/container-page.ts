/** A container or shipment as a page of markdown, for clients that read it as a resource by its address. */

import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import type { TransportEventReading } from '../../modules/transport-events/list-transport-events-sql.ts'
import type { ContainerParts } from '../presenters/container-metadata.ts'
import { writeContainerSnapshot, writeShipmentOfContainer } from '../presenters/container-snapshot.ts'
import { fenceRule } from '../presenters/fence.ts'
import { writeShipmentDetails } from '../presenters/shipment-details.ts'
import { writeTimeline } from '../presenters/timeline.ts'

export function writeContainerPage(parts: ContainerParts, events: readonly TransportEventReading[]): string {
  const snapshot = writeContainerSnapshot(parts)
  const { location, demurrage, _metadata: metadata } = snapshot
  const shipment = writeShipmentOfContainer(parts.shipment)
  return writePage([
    `# Container ${snapshot.container_number}`,
    writeFacts([
      ['Status', snapshot.status],
      ['Bill of lading', shipment.bill_of_lading],
      ['Line', `${shipment.shipping_line.name} (${shipment.shipping_line.scac})`],
      ['Terminal', snapshot.pod_terminal?.name ?? null],
      ['Arrived', location.pod_arrived_at_local],
      ['Arrival expected', shipment.pod_eta_local],
      ['Available for pick-up', describeAvailability(location.available_for_pickup, demurrage.holds)],
      [
        'Holds',
        describeList(demurrage.holds, ({ name, status, description }) => joinParts([name, status, description])),
      ],
      [
        'Fees',
        describeList(demurrage.fees, ({ type, amount, currency_code: currency }) =>
          joinParts([type, `${amount}`, currency]),
        ),
      ],
      ['Last free day', demurrage.pickup_lfd],
      ['Last free day by the terminal', demurrage.last_free_days.terminal],
      ['About it', demurrage.urgency_reason],
      ['Sources last answered', metadata.sources_last_answered],
    ]),
    '## Timeline',
    events.length === 0
      ? 'No source has reported anything yet.'
      : writeTimeline(events)
          .map(({ local, event, location: at }) => `- ${local ?? 'unknown'} ${event}${at?.name ? `, ${at.name}` : ''}`)
          .join('\n'),
    `## Not known\n${metadata.needs_more_data_for.map((each) => `- ${each}`).join('\n')}`,
  ])
}

const notStated = 'unknown: no terminal has reported'

function describeAvailability(isAvailable: boolean | null, holds: readonly unknown[] | null): string {
  if (isAvailable !== null) return isAvailable ? 'yes' : 'no'
  return holds === null ? notStated : 'unknown: the terminal has not reported it'
}

/** An empty list is written as `none` only when a terminal has given information. Otherwise it is unknown. */
function describeList<Entry>(entries: readonly Entry[] | null, write: (entry: Entry) => string): string {
  if (entries === null) return notStated
  return entries.length === 0 ? 'none' : entries.map(write).join('; ')
}

function joinParts(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' ')
}

export function writeShipmentPage(shipment: ShipmentReading, status: string): string {
  const details = writeShipmentDetails(shipment, { status, containers: null })
  const { port_of_lading: from, port_of_discharge: to, destination } = details.routing
  return writePage([
    `# Shipment ${details.bill_of_lading ?? details.id}`,
    writeFacts([
      ['Status', status],
      ['Line', `${details.shipping_line.name} (${details.shipping_line.scac})`],
      ['From', from.place?.name ?? null],
      ['Departed', from.atd_local],
      ['To', to.place?.name ?? null],
      ['Arrival expected (carrier)', to.eta_local],
      ['Arrival expected (Landfall)', details.estimate_by_landfall?.eta_local ?? null],
      ['Arrived', to.ata_local],
      ['Destination', destination?.place?.name ?? null],
      ['Containers', String(details.containers.count)],
      ['Tracking', shipment.trackingStoppedAt === null ? 'on' : `stopped: ${shipment.trackingStoppedReason}`],
    ]),
  ])
}

function writeFacts(pairs: readonly (readonly [string, string | null])[]): string {
  return pairs.map(([name, value]) => `- ${name}: ${value ?? 'unknown'}`).join('\n')
}

function writePage(parts: readonly string[]): string {
  return `${[...parts, `_${fenceRule}_`].join('\n\n')}\n`
}
