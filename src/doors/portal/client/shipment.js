/** One shipment: its state, its route, and its containers, one of them unfolded. */
import { container } from './container.js'
import { h } from './dom.js'
import { issues } from './issues.js'
import { related, resources, textOf } from './reading.js'
import { arrival, badge, hasDestination, route, stopped } from './shipments.js'
import { localTime, ourTime } from './time.js'
import { statusWords } from './words.js'

/** @typedef {import('./reading.js').Document} Document */
/** @typedef {import('./reading.js').Resource} Resource */

/**
 * @param {{readonly shipment: Document | null, readonly container: Document | null, readonly containerId: string | null,
 *   readonly claimId: string | null, readonly issues: Document | null}} state
 */
export function shipmentView({ shipment: document, container: opened, containerId, claimId, issues: lost }) {
  const shipment = resources(document)[0]
  if (document === null || shipment === undefined) return h('p', { class: 'quiet' }, 'Reading …')
  const containers = related(document, shipment, 'containers')
  return h(
    'article',
    { class: 'shipment', 'data-key': shipment.id },
    h('p', { class: 'back' }, h('a', { href: '#' }, '← All shipments')),
    h(
      'header',
      null,
      h(
        'div',
        { class: 'title' },
        h('h2', { class: 'number' }, textOf(shipment, 'bill_of_lading_number')),
        h(
          'p',
          { class: 'quiet' },
          `${textOf(shipment, 'shipping_line_name')} · ${textOf(shipment, 'shipping_line_scac')}`,
        ),
      ),
      h('div', { class: 'standing' }, badge(statusWords(textOf(shipment, 'status'))), stopped(shipment)),
      h('div', { class: 'buttons' }, trackingButton(shipment)),
    ),
    route(shipment),
    h(
      'div',
      { class: 'moments' },
      departure(shipment),
      arrival(shipment, 'pod', 'Arrival'),
      hasDestination(shipment) && arrival(shipment, 'destination', 'Inland arrival'),
      ship(shipment),
      asked(shipment),
    ),
    containers.length > 0 && choice(shipment, containers, containerId),
    opened === null
      ? h(
          'p',
          { class: 'quiet' },
          containers.length === 0 ? 'The line has named no container yet.' : 'Reading …',
        )
      : container(opened, claimId),
    issues(lost),
  )
}

/** @param {Resource} shipment */
function trackingButton(shipment) {
  const isStopped = textOf(shipment, 'line_tracking_stopped_at') !== null
  const verb = isStopped ? 'resume_tracking' : 'stop_tracking'
  return h(
    'button',
    { type: 'button', 'data-action': 'tell', 'data-path': `/v2/shipments/${shipment.id}/${verb}` },
    isStopped ? 'Resume tracking' : 'Stop tracking',
  )
}

/** @param {Resource} shipment */
function departure(shipment) {
  const [actual, planned] = [textOf(shipment, 'pol_atd_at'), textOf(shipment, 'pol_etd_at')]
  const at = actual ?? planned
  return h(
    'span',
    { class: 'moment' },
    h('span', { class: 'label' }, actual === null ? 'Departure, estimated' : 'Departure'),
    at === null
      ? h('span', { class: 'quiet' }, 'nobody has said')
      : localTime(at, textOf(shipment, 'pol_timezone')),
  )
}

/** @param {Resource} shipment */
function ship(shipment) {
  const [name, voyage] = [textOf(shipment, 'pod_vessel_name'), textOf(shipment, 'pod_voyage_number')]
  if (name === null) return null
  return h(
    'span',
    { class: 'moment' },
    h('span', { class: 'label' }, 'Ship'),
    h('span', null, name),
    voyage !== null && h('span', { class: 'quiet' }, `voyage ${voyage}`),
  )
}

/** @param {Resource} shipment */
function asked(shipment) {
  const at = textOf(shipment, 'line_tracking_last_succeeded_at')
  return h(
    'span',
    { class: 'moment' },
    h('span', { class: 'label' }, 'The line last answered'),
    at === null ? h('span', { class: 'quiet' }, 'not yet') : ourTime(at),
  )
}

/**
 * @param {Resource} shipment
 * @param {readonly Resource[]} containers
 * @param {string | null} containerId
 */
function choice(shipment, containers, containerId) {
  return h(
    'nav',
    { class: 'containers', 'aria-label': `Containers (${containers.length})` },
    h('h3', null, containers.length === 1 ? 'Container' : `${containers.length} containers`),
    h(
      'ul',
      null,
      containers.map((each) => {
        const address = new URLSearchParams({ shipment: shipment.id, container: each.id })
        return h(
          'li',
          { 'data-key': each.id },
          h(
            'a',
            { href: `#${address}`, 'aria-current': each.id === containerId ? 'true' : null },
            h('span', { class: 'number' }, textOf(each, 'number')),
            badge(statusWords(textOf(each, 'current_status'))),
          ),
        )
      }),
    ),
  )
}
