/** Which view the address names, and the requests that fill it. */
import { sentence } from './api.js'
import { resources } from './reading.js'
import { isNoShipmentYet } from './shipments.js'

/** @typedef {import('./reading.js').Document} Document */
/** @typedef {ReturnType<typeof openView>} View */

const pageSize = 25
/**
 * While no request is pending, the list of requests is read only every fifth time: the account's programs need the rate
 * limit too.
 */
const requestsEvery = 5
/** Everything that the view of a container shows, for one request. */
const containerInclude = [
  'pod_terminal',
  'raw_events',
  'transport_events.location',
  'transport_events.terminal',
  'transport_events.vessel',
  'transport_events.source_event',
  'transport_events.previous_version.previous_version',
].join(',')

/**
 * Reads the address: `#shipment=…&container=…`, `#page=2` or `#read=answer`. Without any of these, the first page of
 * the list.
 */
export function openView() {
  const address = new URLSearchParams(location.hash.slice(1))
  return {
    shipmentId: address.get('shipment'),
    containerId: address.get('container'),
    /** Whether the view that reads a pasted answer is open. */ isPaste: address.get('read') === 'answer',
    /** @type {import('./paste.js').Told | null} */ told: null,
    /** @type {Document | null} */ issues: null,
    page: Math.max(1, Math.trunc(Number(address.get('page'))) || 1),
    /** @type {Document | null} */ shipments: null,
    /** @type {Document | null} */ requests: null,
    /** @type {Document | null} */ shipment: null,
    /** @type {Document | null} */ container: null,
    /** The claim to which the reader was led. @type {string | null} */ claimId: null,
    /** @type {readonly import('./reading.js').Fault[]} */ formErrors: [],
    /** The kind of number that the form is set to. */ type: 'bill_of_lading',
    fault: '',
    turns: 0,
    /** @type {Set<string>} */ unfolded: new Set(),
  }
}

/**
 * Reads the view again. Parts that cannot be read keep their old content, and `fault` explains the failure.
 * @param {import('./api.js').Api} api
 * @param {View} view
 * @returns {Promise<'read' | 'refused'>} `refused`: the key is not accepted
 */
export async function readView(api, view) {
  let fault = ''
  let isRefused = false
  /** @param {string} path */
  const ask = async (path) => {
    const answer = await api.get(path)
    if (answer.ok) return answer.document
    isRefused ||= answer.status === 401
    fault ||= sentence(answer.errors)
    return null
  }
  if (view.shipmentId !== null) await readShipment(view, view.shipmentId, ask)
  else if (!view.isPaste) await readList(view, ask)
  view.fault = fault
  view.turns += 1
  return isRefused ? 'refused' : 'read'
}

/**
 * @param {View} view
 * @param {(path: string) => Promise<Document | null>} ask
 */
async function readList(view, ask) {
  const list = `/v2/shipments?page[size]=${pageSize}&page[number]=${view.page}`
  view.shipments = (await ask(list)) ?? view.shipments
  const waits = view.requests === null || resources(view.requests).some(isNoShipmentYet)
  if (!waits && view.turns % requestsEvery !== 0) return
  view.requests = (await ask('/v2/tracking_requests?include=shipping_line&page[size]=10')) ?? view.requests
}

/**
 * @param {View} view
 * @param {string} id
 * @param {(path: string) => Promise<Document | null>} ask
 */
async function readShipment(view, id, ask) {
  view.shipment = (await ask(`/v2/shipments/${encodeURIComponent(id)}?include=containers`)) ?? view.shipment
  const named = resources(view.shipment)[0]?.relationships?.['containers']?.data
  const [first] = /** @type {readonly {readonly id: string}[]} */ (named ?? [])
  view.containerId ??= first?.id ?? null
  // Issues come with answers of the line, which are rarer than events.
  if (view.turns % requestsEvery === 0)
    view.issues = (await ask(`/v2/shipments/${encodeURIComponent(id)}/issues?page[size]=20`)) ?? view.issues
  if (view.containerId === null) return
  const path = `/v2/containers/${encodeURIComponent(view.containerId)}?include=${containerInclude}`
  view.container = (await ask(path)) ?? view.container
}
