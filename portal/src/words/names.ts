/** Readable words for the names of the wire. A name that is not listed is shown as it is, with spaces. */

import type { Container, Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { moveWords } from '../../../src/domain/changes/move-words.ts'

export type Tone = 'wait' | 'move' | 'here' | 'done' | 'bad'

type ShipmentStatus = NonNullable<Shipment['attributes']['status']>
type ContainerStatus = NonNullable<Container['attributes']['current_status']>

/** In the order of a journey. */
export const shipmentStatuses: Readonly<Record<ShipmentStatus, readonly [string, Tone]>> = {
  pending: ['Waiting to sail', 'wait'],
  in_transit: ['On the way', 'move'],
  arrived: ['Arrived', 'here'],
  picked_up: ['Picked up', 'done'],
  completed: ['Completed', 'done'],
  cancelled: ['Booking cancelled', 'bad'],
}

/** In the order of a journey. */
export const containerStatuses: Readonly<Record<ContainerStatus, readonly [string, Tone]>> = {
  new: ['Nothing loaded yet', 'wait'],
  loaded: ['Loaded', 'wait'],
  on_ship: ['On the ship', 'move'],
  grounded: ['Discharged', 'here'],
  available: ['Available for pick-up', 'here'],
  not_available: ['Not available', 'bad'],
  awaiting_inland_transfer: ['Waiting for a train', 'here'],
  on_rail: ['On the train', 'move'],
  off_dock: ['Off dock', 'here'],
  picked_up: ['Picked up', 'done'],
  dropped: ['Dropped', 'done'],
  delivered: ['Delivered', 'done'],
  empty_returned: ['Returned empty', 'done'],
}

const statuses: Readonly<Record<string, readonly [string, Tone]>> = {
  ...shipmentStatuses,
  ...containerStatuses,
}

const requestStatuses: Readonly<Record<string, readonly [string, Tone]>> = {
  pending: ['Being asked of the line', 'wait'],
  awaiting_manifest: ['Not known yet; asked again daily', 'wait'],
  created: ['Tracked', 'done'],
  failed: ['Failed', 'bad'],
  tracking_stopped: ['Tracking stopped', 'wait'],
}

/** Why a request failed or tracking stopped, and what a person can do about it. */
const reasons: Readonly<Record<string, readonly [string, string]>> = {
  all_containers_terminated: ['every container was returned empty', ''],
  past_arrival_window: ['it arrived too long ago', ''],
  past_full_out_window: ['it was picked up too long ago', ''],
  no_updates_at_line: ['the line had nothing new for too long', 'Resume it if the cargo still moves.'],
  cancelled_by_user: ['a person stopped it', ''],
  booking_cancelled: ['the booking was cancelled', 'Track the new booking.'],
  duplicate: ['it is tracked already', 'Find it with the search.'],
  expired: ['the line knows the number but never gave data', 'Ask the line whether the cargo was shipped.'],
  internal_processing_error: ['something went wrong here', 'Try again; the log has the cause.'],
  invalid_number: ['the line says that the number is not one of its own', 'Check the number and the line.'],
  not_found: ['the line does not know the number', 'Check the number and the line.'],
  retries_exhausted: ['the line could not be asked, however often', 'Try again later.'],
  shipping_line_unreachable: ['the line cannot be reached', 'It is asked again when it answers.'],
  unrecognized_response: ['the answer of the line could not be read', 'The operator sees it under Issues.'],
  data_unavailable: ['the line has no data', 'Try another number of the same shipment.'],
  scac_auto_detect_failed: ['no line that was asked knows the number', 'Choose the line yourself.'],
  awaiting_manifest: ['the line does not know it yet', ''],
}

/** What else the wire calls by a code: states of messages, what an issue lost, states of holds, who speaks. */
const codes: Readonly<Record<string, string>> = {
  heard: 'understood',
  waiting: 'waits for its shipment',
  expired: 'waited in vain',
  unmapped: 'in a form that is not known',
  faulty: 'could not be read',
  answer: 'the whole answer',
  event: 'an event',
  field: 'a field',
  nothing: 'nothing',
  message: 'the whole message',
  part: 'a part of the message',
  hold: 'in force',
  pending: 'announced',
  release: 'lifted',
  released: 'lifted',
}

/** An unknown code is shown as it is. */
export function codeWords(code: string | null | undefined): string {
  return codes[code ?? ''] ?? reasons[code ?? '']?.[0] ?? code ?? ''
}

const sources: Readonly<Record<string, string>> = {
  shipping_line: 'shipping line',
  terminal: 'terminal',
  rail: 'railway',
  ais: 'ship position (AIS)',
  user: 'a person',
  document: 'document',
}

/** Besides the moves. */
const events: Readonly<Record<string, string>> = {
  available: 'Can be picked up',
  not_available: 'Can no longer be picked up',
  vgm_received: 'Weight (VGM) received',
  pickup_lfd: 'Last free day',
  pickup_lfd_line: 'Last free day, by the line',
  pickup_lfd_terminal: 'Last free day, by the terminal',
  pickup_lfd_rail: 'Last free day, by the railway',
  pickup_appointment: 'Pick-up appointment',
  pod_terminal_changed: 'Terminal changed',
  'charges.started': 'Charges have begun',
  charges: 'Charges changed',
  'charges.stopped': 'Free time or charges ended',
  'overdue.started': 'Event overdue',
  'overdue.ended': 'No longer overdue',
}

const fallback = (name: string | null | undefined): readonly [string, Tone] => [plain(name ?? 'unknown'), 'wait']

export function statusWords(status: string | null | undefined): readonly [string, Tone] {
  return statuses[status ?? ''] ?? fallback(status)
}

export function requestStatusWords(status: string | null | undefined): readonly [string, Tone] {
  return requestStatuses[status ?? ''] ?? fallback(status)
}

/** The reason, and what to do; the second is empty where nothing is to be done. */
export function reasonWords(reason: string): readonly [string, string] {
  return reasons[reason] ?? [plain(reason), '']
}

export function sourceWords(source: string | null | undefined): string {
  return sources[source ?? ''] ?? plain(source ?? 'unknown')
}

/** The name of a source as a mark: "ONE", "SBXP terminal", "AIS". `line`: the line whose code is known by a name. */
export function sourceMark(
  { kind, code }: { readonly kind: string; readonly code: string },
  line: { readonly code: string; readonly name: string } | null,
): string {
  if (kind === 'shipping_line') return code === line?.code ? line.name : code
  if (kind === 'terminal') return `${code} terminal`
  return { rail: code, ais: 'AIS', user: 'a person', document: 'a document' }[kind] ?? code
}

/** `container.transport.estimated.vessel_arrived` → "Ship arrives". */
export function eventWords(event: string): string {
  const name = event
    .replace(/^(container|shipment|tracking_request|document(_representation)?)\.(transport\.)?/, '')
    .replace(/^estimated\./, '')
    .replace(/\.changed$/, '')
  const words = moveWords[name]?.split('@')[0] ?? events[name] ?? plain(name)
  return isEstimate(event)
    ? words.replace(/left|arrived/i, (verb) => ({ left: 'leaves', arrived: 'arrives' })[verb] ?? 'Arrives')
    : words
}

export function isEstimate(event: string): boolean {
  return event.includes('.estimated.')
}

export function plain(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
