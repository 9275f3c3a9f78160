/**
 * The frame around every view: the form for the key, and below the view the requests that were made and the key that is
 * used.
 */
import { calls } from './calls.js'
import { h } from './dom.js'
import { maskKey } from './key.js'
import { pasteView } from './paste.js'
import { shipmentView } from './shipment.js'
import { shipmentList } from './shipments.js'
import { trackForm } from './track.js'

/** @param {string} fault */
export function keyForm(fault) {
  return h(
    'form',
    { class: 'key', 'data-submit': 'key', 'data-key': 'key' },
    h('h2', null, 'Your API key'),
    h(
      'label',
      { for: 'key' },
      'The first one was printed at the first start and is kept in the data folder as first-api-key.',
    ),
    h(
      'div',
      { class: 'line' },
      h('input', {
        id: 'key',
        type: 'password',
        autocomplete: 'off',
        spellcheck: 'false',
        'aria-describedby': 'key-fault',
      }),
      h('button', { type: 'submit', class: 'primary' }, 'Open'),
    ),
    h('p', { id: 'key-fault', class: 'fault', role: 'alert' }, fault),
    h(
      'p',
      { class: 'quiet' },
      'Kept for this tab only, and sent to this service only. Or sign in, above, and do without.',
    ),
  )
}

/**
 * @param {{readonly view: import('./view.js').View, readonly calls: readonly import('./api.js').Call[],
 *   readonly key: string | null, readonly lines: import('./reading.js').Document | null,
 *   readonly suggestions: readonly import('./track.js').Suggestion[]}} state
 */
export function frame({ view, calls: asked, key, lines, suggestions }) {
  const maskedKey = key === null ? '…' : maskKey(key)
  const form = { lines, suggestions, errors: view.formErrors, type: view.type }
  return h(
    'div',
    { 'data-key': 'frame' },
    view.fault !== '' &&
      !view.isPaste &&
      h('p', { class: 'fault', role: 'alert', 'data-key': 'fault' }, view.fault),
    view.shipmentId !== null
      ? h('div', { 'data-key': 'one' }, shipmentView(view))
      : view.isPaste
        ? pasteView({ lines, told: view.told, fault: view.fault })
        : h('div', { class: 'home', 'data-key': 'home' }, trackForm(form), shipmentList(view), pasteLink()),
    calls(asked, { unfolded: view.unfolded, maskedKey }),
    key !== null &&
      h(
        'p',
        { class: 'own', 'data-key': 'own' },
        h('span', { class: 'quiet' }, `Key ${maskedKey}, kept for this tab. `),
        h('button', { type: 'button', class: 'small', 'data-action': 'forget' }, 'Forget key'),
      ),
  )
}

function pasteLink() {
  return h(
    'p',
    { class: 'quiet', 'data-key': 'paste-link' },
    'An answer of a line in hand? ',
    h('a', { href: '#read=answer' }, 'See what is made of it'),
    '.',
  )
}
