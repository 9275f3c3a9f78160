/** A container or shipment as a page of markdown, for clients that read it as a resource by its address. */

import type { ShipmentReading } from '../../../store/read/shipments.ts'
import type { TransportEventReading } from '../../../store/read/transport-events.ts'
import type { ContainerParts } from '../words/container-metadata.ts'
import { writeContainerSnapshot, writeShipmentOfContainer } from '../words/container-snapshot.ts'
import { fenceRule } from '../words/fence.ts'
import { writeShipmentDetails } from '../words/shipment-details.ts'
import { writeTimeline } from '../words/timeline.ts'

export function writeContainerPage(parts: ContainerParts, events: readonly TransportEventReading[]): string {
  const snapshot = writeContainerSnapshot(parts)
  const { location, demurrage, _metadata: metadata } = snapshot
  const shipment = writeShipmentOfContainer(parts.shipment)
  return page([
    `# Container ${snapshot.container_number}`,
    facts([
      ['Status', snapshot.status],
      ['Bill of lading', shipment.bill_of_lading],
      ['Line', `${shipment.shipping_line.name} (${shipment.shipping_line.scac})`],
      ['Terminal', snapshot.pod_terminal?.name ?? null],
      ['Arrived', location.pod_arrived_at_local],
      ['Arrival expected', shipment.pod_eta_local],
      ['Available for pick-up', availabilityInWords(location.available_for_pickup, demurrage.holds)],
      [
        'Holds',
        listInWords(demurrage.holds, ({ name, status, description }) => joined([name, status, description])),
      ],
      [
        'Fees',
        listInWords(demurrage.fees, ({ type, amount, currency_code: currency }) =>
          joined([type, `${amount}`, currency]),
        ),
      ],
      ['Last free day', demurrage.pickup_lfd],
      ['Last free day by the terminal', demurrage.last_free_days.terminal],
      ['About it', demurrage.urgency_reason],
      ['Sources last answered', metadata.sources_last_answered],
    ]),
    '## Timeline',
    events.length === 0
      ? 'Nothing has been said yet.'
      : writeTimeline(events)
          .map(
            ({ local, event, location: at }) =>
              `- ${local ?? 'unknown'} ${event}${at?.name ? `, ${at.name}` : ''}`,
          )
          .join('\n'),
    `## Not known\n${metadata.needs_more_data_for.map((each) => `- ${each}`).join('\n')}`,
  ])
}

const notSpoken = 'unknown: no terminal has spoken'

function availabilityInWords(isAvailable: boolean | null, holds: readonly unknown[] | null): string {
  if (isAvailable !== null) return isAvailable ? 'yes' : 'no'
  return holds === null ? notSpoken : 'unknown: the terminal has not said'
}

/** An empty list is written as `none` only when a terminal has given information. Otherwise it is unknown. */
function listInWords<Entry>(entries: readonly Entry[] | null, write: (entry: Entry) => string): string {
  if (entries === null) return notSpoken
  return entries.length === 0 ? 'none' : entries.map(write).join('; ')
}

function joined(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' ')
}

export function writeShipmentPage(shipment: ShipmentReading, status: string): string {
  const details = writeShipmentDetails(shipment, { status, containers: null })
  const { port_of_lading: from, port_of_discharge: to, destination } = details.routing
  return page([
    `# Shipment ${details.bill_of_lading ?? details.id}`,
    facts([
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

function facts(pairs: readonly (readonly [string, string | null])[]): string {
  return pairs.map(([name, value]) => `- ${name}: ${value ?? 'unknown'}`).join('\n')
}

function page(parts: readonly string[]): string {
  return `${[...parts, `_${fenceRule}_`].join('\n\n')}\n`
}
