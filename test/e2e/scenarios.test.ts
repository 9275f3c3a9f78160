/** The hand-written sandbox scenarios, from the request to the API: what comes out is what was written down by hand. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSandbox } from '../../sandbox/server.ts'
import { parseEventTime } from '../../src/core/time.ts'
import { instantOf } from '../../src/core/time.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'
import { sandboxProfile } from '../../src/sources/dcsa/profiles/sandbox.ts'
import { openTestApi, type TestApi, type WireResource } from '../support/api.ts'
import { giveAccess } from '../support/service.ts'
import { type BoxOutcome, type Milestone, type Outcome, readOutcomes, type Statement } from './outcome.ts'

const stepMs = 12 * 3_600_000
const requestTypes = { bill_of_lading: 'bill_of_lading', booking: 'booking_number', container: 'container' }

/** One world for all: it is a function of its epoch and the time of the question. */
let world: { readonly url: string; readonly close: () => Promise<void> }
let worldNow = 0

before(async () => {
  world = await startSandbox({ port: 0, host: '127.0.0.1', seed: 1, epoch: epochOf(), now: () => worldNow })
})
after(() => world.close())

test('each scenario of the sandbox has an outcome written by hand, in the same world', () => {
  assert.ok(readOutcomes().length >= 10)
  for (const { name, epoch, boxes, request } of readOutcomes()) {
    assert.equal(Date.parse(epoch), epochOf(), name)
    assert.ok(boxes.length > 0 || request !== null, name)
  }
})

for (const outcome of readOutcomes()) {
  const { name, questions } = outcome
  test(`${name}: followed from its first word on, the API tells the journey as written down`, async (t) => {
    const { api, request } = await track(outcome, await firstHeardMs(outcome))
    t.after(() => api.close())
    await check(api, request, outcome)
  })

  test(`${name}: asked only at the end, the API tells the same journey`, async (t) => {
    const { api, request } = await track(outcome, Date.parse(questions.at(-1)?.at ?? ''))
    t.after(() => api.close())
    await check(api, request, outcome)
  })
}

function epochOf(): number {
  return Date.parse('2026-01-01T00:00:00Z')
}

/** When the first answer comes; where the scenario begins with a question that the line cannot answer yet, that one. */
async function firstHeardMs(outcome: Outcome): Promise<number> {
  const unanswered = outcome.questions.find(({ isFound }) => !isFound)
  if (unanswered !== undefined) return Date.parse(unanswered.at)
  const names = {
    bill_of_lading: 'transportDocumentReference',
    booking: 'carrierBookingReference',
    container: 'equipmentReference',
  }
  const url = `${world.url}/${outcome.scac.toLowerCase()}/v2/events?${names[outcome.kind]}=${outcome.number}`
  for (worldNow = epochOf(); ; worldNow += stepMs / 2) {
    const response = await fetch(url)
    const body = await response.text()
    if (response.status === 200 && body.includes('eventID')) return worldNow
    assert.ok(worldNow < epochOf() + 90 * 86_400_000, `${outcome.name}: the line never answers`)
  }
}

/** Requests the number through the router, then lets time pass half a day at a time until the last question. */
async function track(outcome: Outcome, fromMs: number): Promise<{ readonly api: TestApi; readonly request: string }> {
  const api = await openTestApi({ startAt: new Date(fromMs).toISOString() })
  worldNow = fromMs
  const { scac } = outcome
  await giveAccess(api, { scac, profile: { ...sandboxProfile(scac, world.url) }, isFiction: true })
  const fiction = await api.newAccount({ isFiction: true })
  const key = await api.newKey(fiction, ['read', 'write'])
  const attributes = { request_type: requestTypes[outcome.kind], request_number: outcome.number, scac }
  const created = await api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    key,
    body: { data: { type: 'tracking_request', attributes } },
  })
  assert.equal(created.status, 201, created.text)
  const request = created.one().id
  const asFiction: TestApi = { ...api, key, call: (call) => api.call({ key, ...call }) }
  await api.drain()
  const endMs = Date.parse(outcome.questions.at(-1)?.at ?? '')
  while (worldNow < endMs) {
    const unanswered = outcome.questions.find(({ at, isFound }) => !isFound && Date.parse(at) === worldNow)
    if (unanswered !== undefined) await checkAwaiting(asFiction, request)
    const passedMs = Math.min(stepMs, endMs - worldNow)
    worldNow += passedMs
    api.clock.advance(passedMs)
    await api.drain()
  }
  return { api: asFiction, request }
}

async function checkAwaiting(api: TestApi, request: string): Promise<void> {
  const { attributes } = (await api.call({ url: `/v2/tracking_requests/${request}` })).one()
  assert.equal(attributes['status'], 'awaiting_manifest')
}

async function check(api: TestApi, request: string, outcome: Outcome): Promise<void> {
  const tracked = await api.call({ url: `/v2/tracking_requests/${request}?include=tracked_object.containers` })
  const { attributes } = tracked.one()
  if (outcome.request !== null) {
    assert.equal(attributes['status'], outcome.request.status)
    assert.equal(attributes['failed_reason'], outcome.request.failedReason)
    return
  }
  assert.ok(['created', 'tracking_stopped'].includes(String(attributes['status'])), tracked.text)
  const containers = (tracked.body.included ?? []).filter(({ type }) => type === 'container')
  assert.deepEqual(
    containers.map((container) => container.attributes['number']).toSorted(),
    outcome.boxes.map(({ number }) => number).toSorted(),
    'the containers',
  )
  for (const box of outcome.boxes) {
    const container = containers.find((candidate) => candidate.attributes['number'] === box.number)
    assert.ok(container)
    await checkBox(api, container, box)
  }
}

async function checkBox(api: TestApi, container: WireResource, box: BoxOutcome): Promise<void> {
  const { id } = container
  const events = (await api.call({ url: `/v2/containers/${id}/transport_events` })).many()
  const milestones = events
    .filter(({ attributes }) => String(attributes['event']).startsWith('container.transport.'))
    .map(({ attributes }) => ({
      name: String(attributes['event']).replace('container.transport.', ''),
      unlocode: attributes['location_locode'],
      at: attributes['timestamp'],
    }))
  assert.deepEqual(sorted(milestones), sorted(box.milestones.map(onTheWire)), `${box.number}: transport events`)
  const raw = (await api.call({ url: `/v2/containers/${id}/raw_events` })).many()
  const live = raw.filter(({ attributes }) => attributes['invalidated_at'] === null)
  for (const said of box.said) {
    assert.ok(
      live.some((event) => isOf(event, said)),
      `${box.number}: no raw event for ${said.classifier} ${said.code} ${said.unlocode} ${said.time}`,
    )
  }
  const known = (await api.call({ url: `/v2/containers/${id}` })).one()
  assert.equal(known.attributes['current_status'], box.status, `${box.number}: current_status`)
}

interface WireMilestone {
  readonly name: string
  readonly unlocode: unknown
  readonly at: unknown
}

function onTheWire({ name, unlocode, time }: Milestone): WireMilestone {
  return { name, unlocode, at: instantAt(unlocode, time) }
}

/** A day is midnight at the place, a wall clock without a zone is stamped as UTC. */
function instantAt(unlocode: string, time: string): string {
  const parsed = parseEventTime(time)
  assert.ok(parsed, time)
  if (parsed.kind === 'local') return new Date(`${parsed.local}Z`).toISOString()
  return instantOf(parsed, findPlaceByCode(unlocode)?.timeZone ?? null).at
}

function sorted(milestones: readonly WireMilestone[]): readonly string[] {
  return milestones.map(({ name, unlocode, at }) => `${String(at)} ${String(unlocode)} ${name}`).toSorted()
}

function isOf({ attributes }: WireResource, said: Statement): boolean {
  return (
    attributes['estimated'] === (said.classifier !== 'ACT') &&
    attributes['location_locode'] === said.unlocode &&
    attributes['timestamp'] === instantAt(said.unlocode, said.time) &&
    String(attributes['original_event']).includes(said.code)
  )
}
