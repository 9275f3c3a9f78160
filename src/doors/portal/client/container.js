/** One container: its journey, what is needed to pick it up, and everything that was ever stated about it. */
import { claims } from './claims.js'
import { h } from './dom.js'
import { journey } from './journey.js'
import { listOf, relatedOne, resources, textOf } from './reading.js'
import { dayOfMidnight, localTime, ourTime } from './time.js'
import { sourceWords, statusWords } from './words.js'

/** @typedef {import('./reading.js').Document} Document */
/** @typedef {import('./reading.js').Resource} Resource */

/**
 * @param {Document} document
 * @param {string | null} claimId the claim that the reader was led to
 */
export function container(document, claimId) {
  const box = resources(document)[0]
  if (box === undefined) return null
  return h(
    'section',
    { class: 'container', 'data-key': box.id, 'aria-label': `Container ${textOf(box, 'number')}` },
    h('div', { class: 'columns' }, journey(document, box), facts(document, box)),
    claims(document, box, claimId),
  )
}

/**
 * @param {Document} document
 * @param {Resource} box
 */
function facts(document, box) {
  const zones = [textOf(box, 'final_destination_timezone'), textOf(box, 'pod_timezone')]
  const appointment = textOf(box, 'pickup_appointment_at')
  const terminal = relatedOne(document, box, 'pod_terminal')
  const weight = box.attributes['weight_in_lbs']
  const asked = textOf(box, 'shipment_last_tracking_request_at')
  return h(
    'aside',
    { class: 'facts', 'aria-label': 'To pick it up' },
    h('h3', null, 'To pick it up'),
    h(
      'dl',
      null,
      fact('Status', statusWords(textOf(box, 'current_status'))[0]),
      fact('Availability', ...availability(box)),
      fact('Last free day', ...freeTime(box, zones)),
      fact(
        'Appointment',
        appointment === null ? nobody() : localTime(appointment, zones.find(Boolean) ?? null),
      ),
      fact('Holds', ...holds(box)),
      fact('Fees', ...fees(box)),
      fact('Terminal', terminal === null ? nobody() : textOf(terminal, 'name')),
      fact('Equipment', equipment(box) ?? nobody()),
      fact('Weight', typeof weight === 'number' ? `${weight.toLocaleString('en')} lb` : nobody()),
      fact('Seal', textOf(box, 'seal_number') ?? nobody()),
      fact('The line was asked', asked === null ? 'not yet' : ourTime(asked)),
    ),
    h(
      'button',
      { type: 'button', 'data-action': 'tell', 'data-path': `/v2/containers/${box.id}/refresh` },
      'Ask the sources now',
    ),
  )
}

/**
 * @param {string} term
 * @param {...import('./dom.js').Child} values
 */
function fact(term, ...values) {
  return h('div', null, h('dt', null, term), h('dd', null, values))
}

function nobody() {
  return h('span', { class: 'quiet' }, 'nobody has said')
}

/** @param {Resource} box */
function availability(box) {
  if (box.attributes['availability_known'] !== true) {
    return [h('span', { class: 'quiet' }, 'Unknown: no source has spoken of it')]
  }
  return [box.attributes['available_for_pickup'] === true ? 'Can be picked up' : 'Cannot be picked up yet']
}

/**
 * @param {Resource} box
 * @param {readonly (string | null)[]} zones
 */
function freeTime(box, zones) {
  const limit = textOf(box, 'pickup_lfd')
  if (limit === null) return [nobody()]
  const deadlines = /** @type {Readonly<Record<string, unknown>>} */ (
    box.attributes['import_deadlines'] ?? {}
  )
  const each = ['line', 'terminal', 'rail'].flatMap((who) => {
    const at = deadlines[`pickup_lfd_${who}`]
    return typeof at === 'string' ? [h('li', null, `${who}: `, dayOfMidnight(at, zones))] : []
  })
  return [
    h('strong', null, dayOfMidnight(limit, zones)),
    ' until the day ends',
    h('ul', { class: 'quiet' }, each),
  ]
}

/**
 * Text for an empty list: a source states that there are none, or no source has given information.
 * @param {Resource} box
 * @param {string} name
 */
function none(box, name) {
  const said = /** @type {Readonly<Record<string, unknown>> | undefined} */ (box.meta?.['said_by'])
  const by = said?.[name]
  return typeof by === 'string'
    ? [`None, says the ${sourceWords(by).toLowerCase()}`]
    : [h('span', { class: 'quiet' }, 'Unknown: no terminal has spoken')]
}

/** @param {Resource} box */
function holds(box) {
  const all = listOf(box, 'holds_at_pod_terminal')
  if (all.length === 0) return none(box, 'holds_at_pod_terminal')
  return [
    h(
      'ul',
      null,
      all.map(({ name, status, description }) =>
        h('li', null, h('strong', null, `${name}: ${status}`), description ? ` (${description})` : ''),
      ),
    ),
  ]
}

/** @param {Resource} box */
function fees(box) {
  const all = listOf(box, 'fees_at_pod_terminal')
  if (all.length === 0) return none(box, 'fees_at_pod_terminal')
  return [
    h(
      'ul',
      null,
      all.map(({ type, amount, currency_code }) =>
        h('li', null, `${String(type).replaceAll('_', ' ')}: ${amount} ${currency_code}`),
      ),
    ),
  ]
}

/** @param {Resource} box */
function equipment(box) {
  const { equipment_length: length, equipment_type: type, equipment_height: height } = box.attributes
  if (typeof type !== 'string') return null
  return `${length} ft ${type}${height === 'high_cube' ? ', high cube' : ''}`
}
