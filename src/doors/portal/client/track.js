/**
 * The form that starts the tracking of a number. It shows the API's own messages beside the field that they are about.
 */
import { sentence } from './api.js'
import { h } from './dom.js'
import { resources, textOf } from './reading.js'

/** @typedef {import('./reading.js').Fault} Fault */
/**
 * @typedef {{readonly request_type: string, readonly request_number: string, readonly scac: string,
 *   readonly line_name: string, readonly from: string, readonly to: string, readonly about: string}} Suggestion
 * @typedef {{readonly lines: import('./reading.js').Document | null, readonly suggestions: readonly Suggestion[],
 *   readonly errors: readonly Fault[], readonly type: string}} TrackState
 */

/** @type {readonly (readonly [string, string, string])[]} */
const types = [
  ['bill_of_lading', 'Bill of lading', 'bill_of_lading_tracking_support'],
  ['booking_number', 'Booking', 'booking_number_tracking_support'],
  ['container', 'Container', 'container_number_tracking_support'],
]
const fields = ['request_type', 'request_number', 'scac']

/** @param {TrackState} state */
export function trackForm({ lines, suggestions, errors, type }) {
  const support = types.find(([value]) => value === type)?.[2] ?? ''
  const elsewhere = errors.filter((error) => !fields.includes(fieldOf(error) ?? ''))
  return h(
    'section',
    { class: 'track', 'aria-labelledby': 'track-title' },
    h('h2', { id: 'track-title' }, 'Track a number'),
    h(
      'form',
      { 'data-submit': 'track', autocomplete: 'off', novalidate: true },
      field('request_type', 'Kind', errors, (attributes) =>
        h(
          'select',
          attributes,
          types.map(([value, words]) => h('option', { value }, words)),
        ),
      ),
      field('request_number', 'Number', errors, (attributes) =>
        h('input', {
          ...attributes,
          type: 'text',
          spellcheck: 'false',
          autocapitalize: 'characters',
          maxlength: 100,
        }),
      ),
      field('scac', 'Shipping line', errors, (attributes) =>
        h(
          'select',
          attributes,
          h('option', { value: '' }, 'Choose …'),
          resources(lines).map((line) => {
            const scac = textOf(line, 'scac') ?? ''
            const lacks = line.attributes[support] === false ? ' (not by this kind of number)' : ''
            return h(
              'option',
              { value: scac, 'data-key': scac },
              `${textOf(line, 'name') ?? scac} · ${scac}${lacks}`,
            )
          }),
        ),
      ),
      h('button', { type: 'submit', class: 'primary submit' }, 'Track'),
    ),
    elsewhere.length > 0 && h('p', { class: 'fault', role: 'alert' }, sentence(elsewhere)),
    suggestions.length > 0 && numbersToTry(suggestions),
  )
}

/**
 * @param {string} name
 * @param {string} label
 * @param {readonly Fault[]} errors
 * @param {(attributes: import('./dom.js').Attributes) => HTMLElement} control
 */
function field(name, label, errors, control) {
  const own = errors.filter((error) => fieldOf(error) === name)
  const id = `track-${name}`
  return h(
    'div',
    { class: `field ${name}` },
    h('label', { for: id }, label),
    control({
      id,
      name,
      'aria-invalid': own.length > 0 ? 'true' : null,
      'aria-describedby': own.length > 0 ? `${id}-fault` : null,
    }),
    own.length > 0 && h('p', { class: 'fault', id: `${id}-fault`, role: 'alert' }, sentence(own)),
  )
}

/**
 * `/data/attributes/scac` → `scac`
 * @param {Fault} error
 */
function fieldOf(error) {
  return error.source?.pointer?.split('/').at(-1) ?? null
}

/** @param {readonly Suggestion[]} suggestions */
function numbersToTry(suggestions) {
  return h(
    'div',
    { class: 'try' },
    h('h3', null, 'Numbers to try'),
    h('p', { class: 'quiet' }, 'The carriers are simulated here. A press tracks:'),
    h(
      'ul',
      null,
      suggestions.map(({ request_type, request_number, scac, line_name, from, to, about }) =>
        h(
          'li',
          { 'data-key': request_number },
          h(
            'button',
            {
              type: 'button',
              'data-action': 'try',
              'data-type': request_type,
              'data-number': request_number,
              'data-scac': scac,
            },
            h('span', { class: 'number' }, request_number),
            h('span', { class: 'about' }, `${line_name}, ${from} → ${to}`),
            h('span', { class: 'about' }, about),
          ),
        ),
      ),
    ),
  )
}
