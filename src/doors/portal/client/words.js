/**
 * Readable words for the names of the wire, and the tone in which a status is shown. An unknown name is shown as it is.
 */

/** @typedef {'wait' | 'move' | 'here' | 'done' | 'bad'} Tone */

/** @type {Readonly<Record<string, readonly [string, Tone]>>} */
const statuses = {
  pending: ['Waiting to sail', 'wait'],
  in_transit: ['On the way', 'move'],
  arrived: ['Arrived', 'here'],
  picked_up: ['Picked up', 'done'],
  completed: ['Returned empty', 'done'],
  cancelled: ['Booking cancelled', 'bad'],
  new: ['Nothing loaded yet', 'wait'],
  loaded: ['Loaded', 'wait'],
  on_ship: ['On the ship', 'move'],
  grounded: ['Discharged, on the ground', 'here'],
  available: ['Available for pick-up', 'here'],
  not_available: ['Not available', 'bad'],
  awaiting_inland_transfer: ['Waits to go inland', 'here'],
  on_rail: ['On the train', 'move'],
  off_dock: ['Off dock', 'here'],
  dropped: ['Dropped', 'done'],
  delivered: ['Delivered', 'done'],
  empty_returned: ['Returned empty', 'done'],
}

/** @type {Readonly<Record<string, readonly [string, Tone]>>} */
const requestStatuses = {
  pending: ['Being asked of the line', 'wait'],
  awaiting_manifest: ['The line does not know it yet; asked again daily', 'wait'],
  created: ['Tracked', 'done'],
  failed: ['Failed', 'bad'],
  tracking_stopped: ['Tracking stopped', 'wait'],
}

/** @type {Readonly<Record<string, string>>} */
const reasons = {
  all_containers_terminated: 'every container was returned empty',
  past_arrival_window: 'it arrived too long ago',
  past_full_out_window: 'it was picked up too long ago',
  no_updates_at_line: 'the line had nothing new for too long',
  cancelled_by_user: 'you stopped it',
  booking_cancelled: 'the booking was cancelled',
  duplicate: 'it is tracked already',
  expired: 'the line knows the number but never told anything',
  internal_processing_error: 'something went wrong here',
  invalid_number: 'the line says that the number is none of its own',
  not_found: 'the line does not know the number',
  retries_exhausted: 'the line could not be asked, however often',
  shipping_line_unreachable: 'the line cannot be reached',
  unrecognized_response: 'the answer of the line could not be read',
  data_unavailable: 'the line has no data',
  scac_auto_detect_failed: 'no line was recognised',
  awaiting_manifest: 'the line does not know it yet',
}

/** @type {Readonly<Record<string, string>>} */
const sources = {
  shipping_line: 'shipping line',
  terminal: 'terminal',
  rail: 'railway',
  ais: 'ship position (AIS)',
  user: 'you',
  document: 'document',
}

/** @type {Readonly<Record<string, string>>} */
const events = {
  empty_out: 'Empty picked up',
  full_in: 'Full, into the terminal',
  full_out: 'Full, out of the gate',
  empty_in: 'Empty returned',
  vgm_received: 'Weight (VGM) received',
  pickup_lfd: 'Last free day',
  pickup_lfd_line: 'Last free day, by the line',
  pickup_lfd_terminal: 'Last free day, by the terminal',
  pickup_lfd_rail: 'Last free day, by the railway',
  pickup_appointment: 'Pick-up appointment',
}

/** @param {string | null} status */
export function statusWords(status) {
  return statuses[status ?? ''] ?? /** @type {const} */ ([plain(status ?? 'unknown'), 'wait'])
}

/** @param {string | null} status */
export function requestStatusWords(status) {
  return requestStatuses[status ?? ''] ?? /** @type {const} */ ([plain(status ?? 'unknown'), 'wait'])
}

/** @param {string} reason */
export function reasonWords(reason) {
  return reasons[reason] ?? plain(reason)
}

/** @param {string | null} source */
export function sourceWords(source) {
  return sources[source ?? ''] ?? plain(source ?? 'unknown')
}

/**
 * `container.transport.estimated.vessel_arrived` becomes "Vessel arrived". Whether it is estimated is shown elsewhere.
 * @param {string} event
 */
export function eventWords(event) {
  const name = event
    .replace(/^container\.(transport\.)?/, '')
    .replace(/^estimated\./, '')
    .replace(/\.changed$/, '')
  const words = events[name] ?? plain(name)
  return isEstimate(event)
    ? words.replace(/ (depart|arriv)ed/, (_, verb) => ` ${verb}${verb === 'arriv' ? 'es' : 's'}`)
    : words
}

/** @param {string} event */
export function isEstimate(event) {
  return event.includes('.estimated.')
}

/** @param {string} name */
function plain(name) {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
