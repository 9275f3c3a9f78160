/** Words that people use for one status or several: `at the terminal` means three. `readValues` uses them. */

import type { RequestStatus, RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { ContainerStatus } from '../../domain/view/projection.ts'
import type { ShipmentStatus } from '../../domain/view/shipment-status.ts'

type Synonyms<Status> = Readonly<Record<string, readonly Status[]>>

const atTerminal = ['grounded', 'available', 'not_available'] as const
const inland = ['awaiting_inland_transfer', 'on_rail', 'off_dock'] as const
const beforeDeparture = ['new', 'loaded'] as const

export const containerSynonyms: Synonyms<ContainerStatus> = {
  before_departure: beforeDeparture,
  at_sea: ['on_ship'],
  on_the_water: ['on_ship'],
  on_vessel: ['on_ship'],
  in_transit: ['on_ship', ...inland],
  at_terminal: atTerminal,
  at_the_terminal: atTerminal,
  at_port: atTerminal,
  discharged: atTerminal,
  arrived: [...atTerminal, ...inland],
  ready: ['available'],
  ready_for_pickup: ['available'],
  available_for_pickup: ['available'],
  inland,
  on_train: ['on_rail'],
  not_picked_up: [...beforeDeparture, 'on_ship', ...atTerminal, ...inland],
  returned: ['empty_returned'],
  completed: ['empty_returned'],
}

export const shipmentSynonyms: Synonyms<ShipmentStatus> = {
  at_sea: ['in_transit'],
  on_the_water: ['in_transit'],
  on_ship: ['in_transit'],
  not_departed: ['pending'],
  done: ['completed'],
  finished: ['completed'],
  active: ['pending', 'in_transit', 'arrived', 'picked_up'],
}

export const requestSynonyms: Synonyms<RequestStatus> = {
  waiting: ['awaiting_manifest'],
  awaiting: ['awaiting_manifest'],
  tracking: ['created'],
  tracked: ['created'],
  succeeded: ['created'],
  active: ['created'],
  stopped: ['tracking_stopped'],
}

export const requestTypeSynonyms: Synonyms<RequestType> = {
  bill: ['bill_of_lading'],
  bl: ['bill_of_lading'],
  bol: ['bill_of_lading'],
  booking: ['booking_number'],
}
