/**
 * "What would you make of this?": the reader pastes an answer of a line, and the page shows how it would be read.
 * Nothing is stored.
 */
import { h } from './dom.js'
import { kindWords, table } from './issues.js'
import { resources, textOf } from './reading.js'

/**
 * @typedef {{readonly kind: string, readonly lost: string, readonly page: number, readonly pointer: string,
 *   readonly detail: string}} Loss
 * @typedef {{readonly asked: {readonly scac: string, readonly kind: string, readonly number: string},
 *   readonly has_profile: boolean, readonly verdict: string,
 *   readonly events: Readonly<Record<'told' | 'understood' | 'partly_understood' | 'lost' | 'set_aside', number>>,
 *   readonly partly_understood_answer: boolean | null, readonly said: readonly string[],
 *   readonly issues: readonly Loss[], readonly not_believed: readonly {readonly kind: string, readonly detail: string}[],
 *   readonly containers: readonly {readonly number: string, readonly current_status: string,
 *     readonly milestones: readonly string[]}[]}} Told
 */

/** @param {{readonly lines: import('./reading.js').Document | null, readonly told: Told | null, readonly fault: string}} state */
export function pasteView({ lines, told, fault }) {
  return h(
    'section',
    { class: 'track paste', 'aria-labelledby': 'paste-title', 'data-key': 'paste' },
    h('p', { class: 'back' }, h('a', { href: '#' }, '← All shipments')),
    h('h2', { id: 'paste-title' }, 'What would you make of this?'),
    h(
      'p',
      { class: 'quiet' },
      'Paste an answer of a line (DCSA Track & Trace) and see what is read of it, and what is lost and why. Nothing is stored.',
    ),
    h(
      'form',
      { 'data-submit': 'paste', autocomplete: 'off', novalidate: true },
      labelled('Shipping line', 'paste-scac', (attributes) =>
        h(
          'select',
          attributes,
          resources(lines).map((line) => {
            const scac = textOf(line, 'scac') ?? ''
            return h('option', { value: scac, 'data-key': scac }, `${textOf(line, 'name') ?? scac} · ${scac}`)
          }),
        ),
      ),
      labelled('Number that was asked, if it matters', 'paste-number', (attributes) =>
        h('input', { ...attributes, type: 'text', spellcheck: 'false', maxlength: 40 }),
      ),
      labelled('Answer', 'paste-answer', (attributes) =>
        h('textarea', { ...attributes, rows: 12, spellcheck: 'false', class: 'answer' }),
      ),
      h('button', { type: 'submit', class: 'primary submit' }, 'Read'),
    ),
    fault !== '' && h('p', { class: 'fault', role: 'alert' }, fault),
    told !== null && reading(told),
  )
}

/**
 * @param {string} label
 * @param {string} id
 * @param {(attributes: import('./dom.js').Attributes) => HTMLElement} control
 */
function labelled(label, id, control) {
  return h('div', { class: 'field' }, h('label', { for: id }, label), control({ id, name: id }))
}

/** @param {Told} told */
function reading(told) {
  const { events, asked } = told
  return h(
    'div',
    { class: 'told', role: 'status', 'data-key': 'told' },
    h('h3', null, `${asked.number || 'No number'}: ${kindWords(told.verdict)}`),
    h(
      'p',
      null,
      `${events.told} events: ${events.understood} understood, ${events.partly_understood} in part, ${events.lost} lost, ${events.set_aside} set aside.`,
      told.partly_understood_answer === true && ' Partly understood.',
    ),
    !told.has_profile &&
      h('p', { class: 'quiet' }, 'No interface of this line is known: it is read as the standard has it.'),
    h('h3', null, 'Read'),
    h('pre', { tabindex: '0', 'aria-label': 'In the journey notation' }, told.said.join('\n') || 'nothing'),
    h('h3', null, 'Lost, and other issues'),
    told.issues.length + told.not_believed.length === 0
      ? h('p', { class: 'quiet' }, 'Nothing.')
      : table(
          ['Missing by it', 'What', 'Where in the answer'],
          [
            ...told.issues.map(({ kind, lost, pointer, detail }) => [
              lost,
              `${kindWords(kind)}: ${detail}`,
              pointer || 'the whole',
            ]),
            ...told.not_believed.map(({ kind, detail }) => ['–', `${kindWords(kind)}: ${detail}`, '–']),
          ],
          'Issues',
        ),
    told.containers.map(({ number, current_status: status, milestones }) =>
      h(
        'div',
        { 'data-key': number },
        h('h3', null, `${number}: ${kindWords(status)}`),
        h('pre', { tabindex: '0', 'aria-label': `Milestones of ${number}` }, milestones.join('\n') || 'none'),
      ),
    ),
  )
}
