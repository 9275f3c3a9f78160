/** The page itself: the key, which view the address names, what that view asks every two seconds, and what presses do. */
import { Api, sentence } from './api.js'
import { calls } from './calls.js'
import { h, morph } from './dom.js'
import { forgetKey, keepKey, maskKey, readKey, takeKeyFromAddress } from './key.js'
import { countOf, resources } from './reading.js'
import { shipmentView } from './shipment.js'
import { isNoShipmentYet, shipmentList } from './shipments.js'
import { trackForm } from './track.js'

/** @typedef {import('./reading.js').Document} Document */

const pollMs = 2_000
const pageSize = 25
/** Everything that the container's view shows, in one question. */
const containerInclude = [
  'pod_terminal',
  'raw_events',
  'transport_events.location',
  'transport_events.terminal',
  'transport_events.vessel',
  'transport_events.source_event',
  'transport_events.previous_version.previous_version',
].join(',')

const root = /** @type {HTMLElement} */ (document.getElementById('portal'))
const said = /** @type {HTMLElement} */ (document.getElementById('said'))

/** @type {Api | null} */
let api = null
let view = newView()
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
/** @type {{lines: Document | null, suggestions: readonly import('./track.js').Suggestion[]}} */
const known = { lines: null, suggestions: [] }
let keyFault = ''

function newView() {
  const address = new URLSearchParams(location.hash.slice(1))
  return {
    shipmentId: address.get('shipment'),
    containerId: address.get('container'),
    page: Math.max(1, Math.trunc(Number(address.get('page'))) || 1),
    /** @type {Document | null} */ shipments: null,
    /** @type {Document | null} */ requests: null,
    /** @type {Document | null} */ shipment: null,
    /** @type {Document | null} */ container: null,
    /** @type {string | null} */ claimId: null,
    /** @type {readonly import('./reading.js').Fault[]} */ formErrors: [],
    type: 'bill_of_lading',
    fault: '',
    polls: 0,
    /** @type {Set<string>} */ unfolded: new Set(),
  }
}

function render() {
  const wanted = h('div', null, api === null ? keyForm() : whole(api))
  morph(root, wanted)
}

function keyForm() {
  return h(
    'form',
    { class: 'key', 'data-submit': 'key', 'data-key': 'key' },
    h('h2', null, 'Your API key'),
    h('label', { for: 'key' }, 'It was printed at the first start, and is kept in the data folder as first-api-key.'),
    h('input', { id: 'key', type: 'password', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'key-fault' }),
    h('button', { type: 'submit', class: 'primary' }, 'Open'),
    h('p', { id: 'key-fault', class: 'fault', role: 'alert' }, keyFault),
    h('p', { class: 'quiet' }, 'Kept for this tab only, and sent to this service only.'),
  )
}

/** @param {Api} asked */
function whole(asked) {
  const maskedKey = maskKey(readKey() ?? '')
  return [
    view.fault !== '' && h('p', { class: 'fault', role: 'alert', 'data-key': 'fault' }, view.fault),
    view.shipmentId === null
      ? h('div', { class: 'home', 'data-key': 'home' }, trackForm({ ...known, errors: view.formErrors, type: view.type }), shipmentList(view))
      : h('div', { 'data-key': 'one' }, shipmentView(view)),
    calls([...asked.calls.values()], { unfolded: view.unfolded, maskedKey }),
    h(
      'p',
      { class: 'own', 'data-key': 'own' },
      h('span', { class: 'quiet' }, `Key ${maskedKey}, kept for this tab. `),
      h('button', { type: 'button', class: 'small', 'data-action': 'forget' }, 'Forget key'),
    ),
  ]
}

/** Asks what the view needs; what comes after the reader has gone elsewhere is dropped. */
async function read() {
  if (api === null) return
  const [asked, mine] = [api, view]
  /** @param {string} path */
  const ask = async (path) => {
    const answer = await asked.get(path)
    if (!answer.ok && answer.status === 401) return leave('The key is no longer accepted.')
    mine.fault = answer.ok ? '' : sentence(answer.errors)
    return answer.ok ? answer.document : null
  }
  if (mine.shipmentId === null) {
    mine.shipments = (await ask(`/v2/shipments?page[size]=${pageSize}&page[number]=${mine.page}`)) ?? mine.shipments
    // Rarely while nothing is waited for: the rate limit belongs to the account's own programs as well.
    const waits = mine.requests === null || resources(mine.requests).some(isNoShipmentYet) || mine.polls % 5 === 0
    if (waits) mine.requests = (await ask('/v2/tracking_requests?include=shipping_line&page[size]=10')) ?? mine.requests
  } else {
    const path = `/v2/shipments/${encodeURIComponent(mine.shipmentId)}?include=containers`
    mine.shipment = (await ask(path)) ?? mine.shipment
    const [first] = resources(mine.shipment)
    if (mine.containerId === null && first !== undefined && countOf(first, 'containers') > 0) {
      mine.containerId = /** @type {readonly {readonly id: string}[]} */ (first.relationships?.['containers']?.data)[0]?.id ?? null
    }
    if (mine.containerId !== null && mine.fault === '') {
      const address = `/v2/containers/${encodeURIComponent(mine.containerId)}?include=${containerInclude}`
      mine.container = (await ask(address)) ?? mine.container
    }
  }
  mine.polls += 1
  if (mine === view) render()
}

async function poll() {
  clearTimeout(timer)
  if (document.visibilityState === 'visible' && api !== null && !api.isResting) await read()
  clearTimeout(timer)
  if (document.visibilityState === 'visible' && api !== null) timer = setTimeout(poll, pollMs)
}

/** @param {string} key */
async function enter(key) {
  const candidate = new Api(key)
  const answer = await candidate.get('/v2/shipping_lines')
  if (!answer.ok) return leave(sentence(answer.errors))
  keepKey(key)
  keyFault = ''
  api = candidate
  known.lines = answer.document
  const suggested = await candidate.get('/portal/suggestions')
  const offered = suggested.ok ? /** @type {{readonly suggestions?: unknown}} */ (suggested.document).suggestions : []
  known.suggestions = Array.isArray(offered) ? offered : []
  candidate.calls.clear()
  await poll()
}

/** @param {string} why */
function leave(why) {
  forgetKey()
  api = null
  keyFault = why
  view = newView()
  render()
  return null
}

/** @param {{readonly request_type: string, readonly request_number: string, readonly scac: string}} attributes */
async function track(attributes) {
  const answer = await api?.post('/v2/tracking_requests', { data: { type: 'tracking_request', attributes } })
  if (answer === undefined) return
  view.formErrors = answer.ok ? [] : answer.errors
  say(answer.ok ? `${attributes.request_number} is being asked of the line.` : '')
  view.requests = null
  await poll()
}

/** @param {string} path of a verb without a body */
async function tell(path) {
  const answer = await api?.patch(path)
  if (answer === undefined) return
  const message = answer.ok ? /** @type {{readonly message?: unknown}} */ (answer.document).message : null
  say(answer.ok ? (typeof message === 'string' ? message : 'Done.') : sentence(answer.errors))
  await poll()
}

/** @param {string} words */
function say(words) {
  said.textContent = words
}

/** @param {string} id */
function showClaim(id) {
  view.claimId = id
  render()
  const row = document.getElementById(`claim-${id}`)
  const table = document.getElementById('claims')
  if (table instanceof HTMLDetailsElement) table.open = true
  row?.scrollIntoView({ block: 'center' })
  row?.focus({ preventScroll: true })
}

/** @param {string} id */
function control(id) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (document.getElementById(id))
}

/** @type {Readonly<Record<string, (data: DOMStringMap) => unknown>>} */
const actions = {
  forget: () => leave(''),
  tell: ({ path = '' }) => tell(path),
  copy: ({ text = '' }) => navigator.clipboard.writeText(text).then(() => say('Copied.')),
  'show-claim': ({ claim = '' }) => showClaim(claim),
  try: ({ type = '', number = '', scac = '' }) => {
    view.type = type
    control('track-request_type').value = type
    control('track-request_number').value = number
    control('track-scac').value = scac
    return track({ request_type: type, request_number: number, scac })
  },
}

document.addEventListener('click', ({ target }) => {
  const pressed = target instanceof Element ? target.closest('[data-action]') : null
  if (pressed instanceof HTMLElement) actions[pressed.dataset['action'] ?? '']?.(pressed.dataset)
})
document.addEventListener('submit', (event) => {
  event.preventDefault()
  const form = /** @type {HTMLElement} */ (event.target).dataset['submit']
  if (form === 'key') enter(control('key').value.trim())
  if (form === 'track') {
    const [request_type, request_number, scac] = ['request_type', 'request_number', 'scac'].map((name) => control(`track-${name}`).value)
    track({ request_type: request_type ?? '', request_number: (request_number ?? '').trim(), scac: scac ?? '' })
  }
})
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLSelectElement) || target.name !== 'request_type') return
  view.type = target.value
  render()
})
// `toggle` does not rise: it is caught on its way down.
document.addEventListener(
  'toggle',
  ({ target }) => {
    const key = target instanceof HTMLDetailsElement ? target.dataset['unfolds'] : undefined
    if (key === undefined || !(target instanceof HTMLDetailsElement)) return
    if (target.open) view.unfolded.add(key)
    else view.unfolded.delete(key)
    render()
  },
  true,
)
document.addEventListener('visibilitychange', poll)
addEventListener('hashchange', () => {
  takeKeyFromAddress()
  const before = view
  view = newView()
  // The same shipment stays in sight while another of its containers is read.
  if (before.shipmentId === view.shipmentId) view.shipment = before.shipment
  api?.calls.clear()
  say('')
  render()
  poll()
})

takeKeyFromAddress()
const key = readKey()
if (key === null) render()
else enter(key)
