/**
 * The page itself: its key, the view that the address names, when that view is read again, and the actions of buttons
 * and forms.
 */
import { Api, sentence } from './api.js'
import { h, morph } from './dom.js'
import { frame, keyForm } from './frame.js'
import { forgetKey, keepKey, readKey, takeKeyFromAddress } from './key.js'
import { followNews, Pace } from './news.js'
import { readSession } from './session.js'
import { openView, readView } from './view.js'

/**
 * The page is read this often even without events. Some data makes no events, such as the time of the last question to
 * the line.
 */
const idleMs = 60_000
const saidMs = 8_000
const root = /** @type {HTMLElement} */ (document.getElementById('portal'))
const said = /** @type {HTMLElement} */ (document.getElementById('said'))

/** @type {Api | null} */
let api = null
let view = openView()
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
const pace = new Pace()
/** Ends the stream of events. @type {AbortController | null} */
let following = null
const suggestEveryMs = 30_000
let isReading = false
/** @type {ReturnType<typeof setTimeout> | undefined} */
let quieting
/** @type {{lines: import('./reading.js').Document | null, suggestions: readonly import('./track.js').Suggestion[]}} */
const known = { lines: null, suggestions: [] }
let keyFault = ''

function render() {
  const picture =
    api === null
      ? keyForm(keyFault)
      : frame({ view, calls: [...api.calls.values()], key: readKey(), ...known })
  morph(root, h('div', null, picture))
}

/** Reads the view. The result is discarded when the reader has moved to another view meanwhile. */
async function read() {
  if (api === null) return
  const mine = view
  if ((await readView(api, mine)) === 'refused') leave('The key or session is no longer accepted.')
  else if (mine === view) render()
}

/** Reads now, because the reader has done something. */
async function readNow() {
  clearTimeout(timer)
  if (document.visibilityState !== 'visible' || api === null) return
  follow()
  isReading = true
  if (!api.isResting) {
    pace.take(Date.now())
    await read()
  }
  isReading = false
  clearTimeout(timer)
  timer = setTimeout(readInTurn, idleMs)
}

/** Reads as soon as the pace allows, because an event arrived or the page has been idle. */
function readInTurn() {
  clearTimeout(timer)
  if (isReading) timer = setTimeout(readInTurn, 1_000)
  else if (pace.waitMs(Date.now()) === 0) void readNow()
  else timer = setTimeout(readInTurn, pace.waitMs(Date.now()))
}

/** Opens the stream of events. Called only while the page is visible. */
function follow() {
  if (following !== null || api === null) return
  following = new AbortController()
  void followNews(api, readInTurn, following.signal)
}

function stopFollowing() {
  following?.abort()
  following = null
}

/** @param {{readonly key: string} | {readonly session: string}} by */
async function enter(by) {
  const candidate = new Api(by)
  const answer = await candidate.get('/v2/shipping_lines')
  if (!answer.ok) return leave(sentence(answer.errors), { forgets: answer.status === 401 })
  if ('key' in by) keepKey(by.key)
  keyFault = ''
  api = candidate
  known.lines = answer.document
  await suggest(candidate)
  candidate.calls.clear()
  await readNow()
}

/**
 * Offers numbers to try, and new ones every half minute, because a journey in the sandbox has only just begun for a
 * short time.
 * @param {Api} by
 */
async function suggest(by) {
  const suggested = await by.get('/portal/suggestions')
  by.calls.delete('GET /portal/suggestions')
  if (by !== api) return
  const offered = suggested.ok
    ? /** @type {{readonly suggestions?: unknown}} */ (suggested.document).suggestions
    : []
  known.suggestions = Array.isArray(offered) ? offered : []
  if (known.suggestions.length > 0) setTimeout(() => suggestAgain(by), suggestEveryMs)
}

/** @param {Api} by */
async function suggestAgain(by) {
  if (by !== api) return
  if (document.hidden) return void setTimeout(() => suggestAgain(by), suggestEveryMs)
  await suggest(by)
  render()
}

/**
 * @param {string} why
 * @param {{readonly forgets: boolean}} [options] `forgets`: false when the service cannot be reached, for the key may be right
 */
function leave(why, { forgets } = { forgets: true }) {
  if (forgets) forgetKey()
  stopFollowing()
  api = null
  keyFault = why
  view = openView()
  render()
}

/** @param {{readonly request_type: string, readonly request_number: string, readonly scac: string}} attributes */
async function track(attributes) {
  const answer = await api?.post('/v2/tracking_requests', { data: { type: 'tracking_request', attributes } })
  if (answer === undefined) return
  view.formErrors = answer.ok ? [] : answer.errors
  if (answer.ok) control('track-request_number').value = ''
  say(answer.ok ? `${attributes.request_number} is being asked of the line.` : '')
  view.requests = null
  await readNow()
}

/** @param {{readonly scac: string, readonly number: string, readonly answer: string}} pasted */
async function readPasted({ scac, number, answer }) {
  const by = api
  const mine = view
  const told = await by?.post('/v2/sources/read', { scac, answer, ...(number === '' ? {} : { number }) })
  if (told === undefined) return
  // The pasted answer may be long and may be confidential, so it is not listed among the requests of the page.
  by?.calls.delete('POST /v2/sources/read')
  mine.told = told.ok
    ? /** @type {import('./paste.js').Told} */ (/** @type {unknown} */ (told.document))
    : null
  mine.fault = told.ok ? '' : sentence(told.errors)
  if (mine === view) render()
}

/** @param {string} path of a verb without a body */
async function tell(path) {
  const answer = await api?.patch(path)
  if (answer === undefined) return
  const message = answer.ok ? /** @type {{readonly message?: unknown}} */ (answer.document).message : null
  say(answer.ok ? (typeof message === 'string' ? message : 'Done.') : sentence(answer.errors))
  await readNow()
}

/** @param {string} words */
function say(words) {
  said.textContent = words
  clearTimeout(quieting)
  quieting = setTimeout(() => said.replaceChildren(), saidMs)
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
  if (form === 'key') enter({ key: control('key').value.trim() })
  if (form === 'paste') {
    const [scac = '', number = '', answer = ''] = ['scac', 'number', 'answer'].map(
      (name) => control(`paste-${name}`).value,
    )
    readPasted({ scac, number: number.trim(), answer })
  }
  if (form === 'track') {
    const [request_type, request_number, scac] = ['request_type', 'request_number', 'scac'].map(
      (name) => control(`track-${name}`).value,
    )
    track({
      request_type: request_type ?? '',
      request_number: (request_number ?? '').trim(),
      scac: scac ?? '',
    })
  }
})
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLSelectElement) || target.name !== 'request_type') return
  view.type = target.value
  render()
})
// The event `toggle` does not bubble, so it is handled in the capture phase.
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
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') readInTurn()
  else stopFollowing()
})
addEventListener('hashchange', () => {
  takeKeyFromAddress()
  const before = view
  view = openView()
  // The same shipment stays visible while another of its containers is read.
  if (before.shipmentId === view.shipmentId) view.shipment = before.shipment
  api?.calls.clear()
  say('')
  render()
  readNow()
})

takeKeyFromAddress()
const key = readKey()
const session = readSession()
if (key !== null) enter({ key })
else if (session !== null) enter({ session })
else render()
