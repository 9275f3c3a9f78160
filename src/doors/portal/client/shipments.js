/** The list of shipments, and above it the requests that have no shipment yet. */
import { h } from './dom.js'
import { countOf, relatedOne, resources, textOf } from './reading.js'
import { localTime, slipOf } from './time.js'
import { reasonWords, requestStatusWords, statusWords } from './words.js'

/** @typedef {import('./reading.js').Document} Document */
/** @typedef {import('./reading.js').Resource} Resource */

/**
 * @param {{readonly shipments: Document | null, readonly requests: Document | null, readonly page: number}} state
 */
export function shipmentList({ shipments, requests, page }) {
  const waiting = requests === null ? [] : resources(requests).filter(isNoShipmentYet)
  const rows = resources(shipments)
  return h(
    'div',
    { class: 'lists' },
    waiting.length > 0 &&
      h(
        'section',
        { class: 'asked', 'data-key': 'asked', 'aria-labelledby': 'asked-title' },
        h('h2', { id: 'asked-title' }, 'Asked for'),
        h(
          'ul',
          null,
          waiting.map((request) => requestRow(/** @type {Document} */ (requests), request)),
        ),
      ),
    h(
      'section',
      { class: 'shipments', 'data-key': 'shipments', 'aria-labelledby': 'shipments-title' },
      h('h2', { id: 'shipments-title' }, 'Shipments'),
      shipments === null && h('p', { class: 'quiet' }, 'Reading …'),
      shipments !== null &&
        rows.length === 0 &&
        h('p', { class: 'quiet' }, 'None yet. Track a number, and it appears here.'),
      h('ul', { class: 'rows' }, rows.map(shipmentRow)),
      shipments !== null && pages(shipments, page),
    ),
  )
}

/** @param {Resource} request */
export function isNoShipmentYet(request) {
  return ['pending', 'awaiting_manifest', 'failed'].includes(textOf(request, 'status') ?? '')
}

/**
 * @param {Document} document
 * @param {Resource} request
 */
function requestRow(document, request) {
  const line = relatedOne(document, request, 'shipping_line')
  const reason = textOf(request, 'failed_reason')
  const status = textOf(request, 'status')
  return h(
    'li',
    { 'data-key': request.id },
    badge(requestStatusWords(status)),
    h('span', { class: 'number' }, textOf(request, 'request_number')),
    h('span', null, (line === null ? null : textOf(line, 'name')) ?? textOf(request, 'scac')),
    reason !== null && reason !== status && h('span', { class: 'quiet' }, reasonWords(reason)),
    request.attributes['is_retrying'] === true && h('span', { class: 'quiet' }, 'tried again soon'),
  )
}

/** @param {Resource} shipment */
function shipmentRow(shipment) {
  const count = countOf(shipment, 'containers')
  return h(
    'li',
    { 'data-key': shipment.id },
    h(
      'a',
      { href: `#shipment=${encodeURIComponent(shipment.id)}` },
      h(
        'span',
        { class: 'who' },
        h('span', { class: 'number' }, textOf(shipment, 'bill_of_lading_number')),
        h('span', { class: 'quiet' }, textOf(shipment, 'shipping_line_name')),
      ),
      route(shipment),
      h(
        'span',
        { class: 'when' },
        arrival(shipment, 'pod', 'Arrival'),
        arrival(shipment, 'destination', 'Inland'),
      ),
      h(
        'span',
        { class: 'standing' },
        badge(statusWords(textOf(shipment, 'status'))),
        h('span', { class: 'quiet' }, `${count} container${count === 1 ? '' : 's'}`),
        stopped(shipment),
      ),
    ),
  )
}

/** @param {Resource} shipment */
export function stopped(shipment) {
  const reason = textOf(shipment, 'line_tracking_stopped_reason')
  if (textOf(shipment, 'line_tracking_stopped_at') === null) return null
  return h('span', { class: 'quiet' }, `Tracking stopped${reason === null ? '' : `: ${reasonWords(reason)}`}`)
}

/** @param {readonly [string, import('./words.js').Tone]} words */
export function badge([words, tone]) {
  return h('span', { class: `badge ${tone}` }, words)
}

/**
 * The places of the route in order. Places that were passed are solid, those that lie ahead are open.
 * @param {Resource} shipment
 */
export function route(shipment) {
  const stops = [
    stop(shipment, 'port_of_lading', textOf(shipment, 'pol_atd_at') !== null),
    stop(shipment, 'port_of_discharge', textOf(shipment, 'pod_ata_at') !== null),
    ...(hasDestination(shipment)
      ? [stop(shipment, 'destination', textOf(shipment, 'destination_ata_at') !== null)]
      : []),
  ]
  return h('span', { class: 'route' }, stops)
}

/**
 * @param {Resource} shipment
 * @param {string} name
 * @param {boolean} isBehind
 */
function stop(shipment, name, isBehind) {
  const place = textOf(shipment, `${name}_name`) ?? 'not known yet'
  return h(
    'span',
    { class: `stop ${isBehind ? 'behind' : 'ahead'}` },
    name !== 'port_of_lading' && h('span', { class: 'to' }, ' → '),
    h('span', { class: 'place' }, place),
    ' ',
    h('span', { class: 'code' }, textOf(shipment, `${name}_locode`)),
  )
}

/** @param {Resource} shipment */
export function hasDestination(shipment) {
  return textOf(shipment, 'destination_name') !== null || textOf(shipment, 'destination_locode') !== null
}

/**
 * @param {Resource} shipment
 * @param {'pod' | 'destination'} where
 * @param {string} label
 */
export function arrival(shipment, where, label) {
  if (where === 'destination' && !hasDestination(shipment)) return null
  const zone = textOf(shipment, `${where}_timezone`)
  const [actual, eta] = [textOf(shipment, `${where}_ata_at`), textOf(shipment, `${where}_eta_at`)]
  const at = actual ?? eta
  const slip = slipOf(at, textOf(shipment, `${where}_original_eta_at`))
  return h(
    'span',
    { class: 'moment' },
    h('span', { class: 'label' }, actual === null ? `${label}, estimated` : label),
    at === null ? h('span', { class: 'quiet' }, 'nobody has said') : localTime(at, zone),
    slip !== null && h('span', { class: 'slip' }, slip),
  )
}

/**
 * @param {Document} document
 * @param {number} page
 */
function pages(document, page) {
  const meta =
    /** @type {{readonly total?: number, readonly pagination?: {readonly next?: number}} | undefined} */ (
      document.meta
    )
  const next = meta?.pagination?.next
  if (page === 1 && next === undefined) return null
  return h(
    'nav',
    { class: 'pages', 'aria-label': 'Pages' },
    page > 1 && h('a', { href: `#page=${page - 1}` }, 'Newer'),
    h('span', { class: 'quiet' }, `Page ${page}, ${meta?.total ?? '?'} shipments in all`),
    next !== undefined && h('a', { href: `#page=${next}` }, 'Older'),
  )
}
