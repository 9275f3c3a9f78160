/**
 * The events that a webhook can subscribe to: names, categories and descriptions. The names are those of the API
 * contract.
 */

import { isOneOf } from '../../../core/values/codes.ts'

export interface EventCategory {
  readonly name: string
  readonly events: readonly { readonly name: string; readonly description: string }[]
}

const catalogue = [
  {
    name: 'Tracking requests',
    events: [
      [
        'tracking_request.succeeded',
        'The shipping line knows the number: the shipment and its containers are there.',
      ],
      ['tracking_request.failed', 'The request has ended without a shipment; failed_reason says why.'],
      [
        'tracking_request.awaiting_manifest',
        'The line does not know the number yet; it is asked again daily.',
      ],
      ['tracking_request.tracking_stopped', 'The shipment is no longer looked at; the shipment says why.'],
    ],
  },
  {
    name: 'Origin',
    events: [
      ['container.transport.empty_out', 'The empty container was picked up for stuffing.'],
      ['container.transport.full_in', 'The full container was brought to the port of lading.'],
      ['container.transport.vessel_loaded', 'The container was loaded at the port of lading.'],
      ['container.transport.vessel_departed', 'The vessel left the port of lading with the container.'],
      [
        'container.transport.estimated.vessel_departed',
        'The departure from the port of lading is expected at another time.',
      ],
    ],
  },
  {
    name: 'Transshipment',
    events: [
      ['container.transport.transshipment_arrived', 'The vessel arrived at a transshipment port.'],
      [
        'container.transport.transshipment_discharged',
        'The container was discharged at a transshipment port.',
      ],
      ['container.transport.transshipment_loaded', 'The container was loaded at a transshipment port.'],
      [
        'container.transport.transshipment_departed',
        'The vessel left a transshipment port with the container.',
      ],
      ['container.transport.feeder_arrived', 'A feeder or barge arrived with the container.'],
      ['container.transport.feeder_discharged', 'The container was discharged from a feeder or barge.'],
      ['container.transport.feeder_loaded', 'The container was loaded on a feeder or barge.'],
      ['container.transport.feeder_departed', 'A feeder or barge left with the container.'],
    ],
  },
  {
    name: 'Port of discharge',
    events: [
      ['shipment.estimated.arrival', 'The shipment is expected at the port of discharge at another time.'],
      [
        'container.transport.estimated.vessel_arrived',
        'The container is expected at the port of discharge at another time.',
      ],
      ['container.transport.vessel_arrived', 'The vessel arrived at the port of discharge.'],
      ['container.transport.vessel_berthed', 'The vessel berthed at the port of discharge.'],
      ['container.transport.vessel_discharged', 'The container was discharged at the port of discharge.'],
      ['container.pod_terminal_changed', 'The terminal at the port of discharge is known or has changed.'],
    ],
  },
  {
    name: 'Rail and inland',
    events: [
      ['container.transport.rail_loaded', 'The container was loaded on a train.'],
      ['container.transport.rail_departed', 'The train left with the container.'],
      ['container.transport.rail_arrived', 'The train arrived at a ramp or interchange.'],
      ['container.transport.rail_unloaded', 'The container was unloaded from the train.'],
      [
        'container.transport.arrived_at_inland_destination',
        'The container arrived at its inland destination.',
      ],
      [
        'container.transport.estimated.arrived_at_inland_destination',
        'The arrival at the inland destination is expected at another time.',
      ],
    ],
  },
  {
    name: 'Pick-up and return',
    events: [
      ['container.transport.available', 'The container can be picked up.'],
      ['container.transport.not_available', 'The container can no longer be picked up.'],
      ['container.pickup_lfd.changed', 'The last free day that counts has changed.'],
      ['container.pickup_lfd_line.changed', "The shipping line's last free day has changed."],
      ['container.pickup_lfd_terminal.changed', "The terminal's last free day has changed."],
      ['container.pickup_lfd_rail.changed', "The railway's last free day has changed."],
      ['container.pickup_appointment.changed', 'The appointment for pick-up has changed.'],
      ['container.transport.full_out', 'The full container was picked up.'],
      ['container.transport.delivered', 'The customer says that the container was delivered.'],
      ['container.transport.empty_in', 'The empty container was returned.'],
    ],
  },
  {
    name: 'Containers',
    events: [
      ['container.created', 'A container was added to a shipment.'],
      [
        'container.updated',
        'What a terminal or line reports of the container has changed; changeset says what.',
      ],
    ],
  },
  {
    name: 'Corrections',
    events: [
      [
        'container.transport.corrected',
        'Something that had been reported as happened was reported otherwise.',
      ],
      ['container.transport.retracted', 'Something that had been reported as happened is stood by no more.'],
    ],
  },
  {
    name: 'Charges',
    events: [
      ['container.charges.started', 'The first day that costs has begun, by terms of free time on record.'],
      [
        'container.charges.changed',
        'Days, amounts or the last free day are other than foreseen, or other terms count. A day that goes by as foreseen is none.',
      ],
      ['container.charges.stopped', 'The event that stops the clock of free time has happened.'],
    ],
  },
  {
    name: 'Evidence',
    events: [
      [
        'ledger.root_made',
        'What the ledger took in since the root before was hashed. Keep the root: it shows whether something is changed later.',
      ],
    ],
  },
  {
    name: 'Documents',
    events: [
      ['document.extracted', 'A document has been read.'],
      ['document.extraction_failed', 'A document could not be read.'],
    ],
  },
] as const

export type EventName = (typeof catalogue)[number]['events'][number][0]

export const eventCategories: readonly EventCategory[] = catalogue.map(({ name, events }) => ({
  name,
  events: events.map(([event, description]) => ({ name: event, description })),
}))

/** The 43 events of the contract, the two for corrections, the three for charges and the one for evidence. */
export const eventNames: readonly EventName[] = catalogue.flatMap(({ events }) =>
  events.map(([name]) => name),
)

/** Events beyond the contract. Only a webhook that subscribes to them by name or by `landfall.*` gets them. */
export const ownEventNames: readonly EventName[] = [
  'container.transport.corrected',
  'container.transport.retracted',
  'container.charges.started',
  'container.charges.changed',
  'container.charges.stopped',
  'ledger.root_made',
]

export const contractEventNames: readonly EventName[] = eventNames.filter(
  (name) => !ownEventNames.includes(name),
)

export function isEventName(text: string): text is EventName {
  return isOneOf(eventNames, text)
}
