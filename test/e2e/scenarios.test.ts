/**
 * The handwritten sandbox scenarios, from the request through the router to what the API serves, over real HTTP to the
 * simulated line: the result is the handwritten outcome. All of them run side by side through the same two
 * months, each tracked twice: by an account from the first statement on, and by another only at the end.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSandbox } from '../../sandbox/server.ts'
import { writeTime } from '../../src/api/shape/whole-times.ts'
import { sandboxProfile } from '../../src/connectors/dcsa/profiles/sandbox.ts'
import { instantOf, parseEventTime } from '../../src/domain/values/time.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'
import { openTestApi, type TestApi, type WireResource } from '../support/api.ts'
import { giveAccess } from '../support/service.ts'
import { type BoxOutcome, type Outcome, readOutcomes, type Statement } from './outcome.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const stepMs = 24 * hourMs
const epochMs = Date.parse('2026-01-01T00:00:00Z')
/** A container that is tracked before its trip has begun shows the previous one; that is tested elsewhere. */
const boxAskedAfterMs = 6 * hourMs

const requestTypes = {
  bill_of_lading: 'bill_of_lading',
  booking: 'booking_number',
  container: 'container',
} as const
const questionNames = {
  bill_of_lading: 'transportDocumentReference',
  booking: 'carrierBookingReference',
  container: 'equipmentReference',
} as const

/** What the API showed of one request at the end of its scenario. */
interface Told {
  readonly request: WireResource
  readonly stoppedReason: unknown
  readonly boxes: readonly ToldBox[]
}

interface ToldBox {
  readonly number: string
  readonly status: unknown
  readonly milestones: readonly string[]
  readonly raw: readonly WireResource[]
}

interface Asking {
  readonly outcome: Outcome
  readonly key: string
  readonly fromMs: number
  request: string | null
  /** Statuses of the request after polls that the line could not answer. */
  readonly unanswered: string[]
  told: Told | null
}

const outcomes = readOutcomes()
let worldMs = epochMs
let world: Awaited<ReturnType<typeof startSandbox>>
let api: TestApi
const followed = new Map<string, Asking>()
const askedAtTheEnd = new Map<string, Asking>()

before(async () => {
  world = await startSandbox({ port: 0, host: '127.0.0.1', seed: 1, epoch: epochMs, now: () => worldMs })
  const firstHeard = await firstHeardMs()
  api = await openTestApi({ startAt: new Date(epochMs).toISOString() })
  for (const scac of new Set(outcomes.map((outcome) => outcome.scac)))
    await giveAccess(api, { scac, profile: { ...sandboxProfile(scac, world.url) }, isSandbox: true })
  const [follower, latecomer] = [await newKey(), await newKey()]
  for (const outcome of outcomes) {
    const start = { outcome, request: null, told: null }
    followed.set(outcome.name, {
      ...start,
      unanswered: [],
      key: follower,
      fromMs: followFromMs(outcome, firstHeard),
    })
    askedAtTheEnd.set(outcome.name, { ...start, unanswered: [], key: latecomer, fromMs: endOf(outcome) })
  }
  await passTime([...followed.values(), ...askedAtTheEnd.values()])
})

after(async () => {
  await api?.close()
  await world?.close()
})

test('there are at least ten scenarios, each with a handwritten outcome', () => {
  assert.ok(outcomes.length >= 10)
  for (const { name, epoch, boxes, request } of outcomes) {
    assert.equal(Date.parse(epoch), epochMs, name)
    assert.ok(boxes.length > 0 || request !== null, name)
  }
})

for (const outcome of outcomes) {
  test(`${outcome.name}: tracked from the first statement on, the API serves the handwritten journey`, () => {
    const { told, unanswered } = findAsking(followed, outcome)
    assert.deepEqual(
      unanswered,
      outcome.questions.flatMap(({ isFound }) => (isFound ? [] : ['awaiting_manifest'])),
    )
    // The booking was valid when it was tracked, so the request succeeded and tracking stopped later.
    if (outcome.request?.failedReason === 'booking_cancelled') {
      assert.equal(told.request.attributes['status'], 'tracking_stopped')
      assert.equal(told.stoppedReason, 'booking_cancelled')
    } else checkOutcome(told, outcome)
  })

  test(`${outcome.name}: tracked only at the end, the API serves the handwritten journey`, () => {
    checkOutcome(findAsking(askedAtTheEnd, outcome).told, outcome)
  })
}

async function newKey(): Promise<string> {
  return api.newKey(await api.newAccount({ isSandbox: true }), ['read', 'write'])
}

function endOf(outcome: Outcome): number {
  return Date.parse(outcome.questions.at(-1)?.at ?? '')
}

function findAsking(askings: ReadonlyMap<string, Asking>, { name }: Outcome): Asking & { readonly told: Told } {
  const asking = askings.get(name)
  assert.ok(asking?.told, name)
  return { ...asking, told: asking.told }
}

/** When each line first knows its number, to a quarter of a day. */
async function firstHeardMs(): Promise<ReadonlyMap<string, number>> {
  const heard = new Map<string, number>()
  for (worldMs = epochMs; heard.size < outcomes.length; worldMs += stepMs / 2) {
    assert.ok(worldMs < epochMs + 90 * dayMs, 'a line never answers')
    for (const { name, scac, kind, number } of outcomes.filter((outcome) => !heard.has(outcome.name))) {
      const response = await fetch(`${world.url}/${scac.toLowerCase()}/v2/events?${questionNames[kind]}=${number}`)
      if ((await response.text()).includes('"eventID"')) heard.set(name, worldMs)
    }
  }
  worldMs = epochMs
  return heard
}

function followFromMs(outcome: Outcome, firstHeard: ReadonlyMap<string, number>): number {
  const unanswered = outcome.questions.find(({ isFound }) => !isFound)
  if (unanswered !== undefined) return Date.parse(unanswered.at)
  const heardMs = firstHeard.get(outcome.name) ?? Number.NaN
  if (outcome.kind !== 'container') return heardMs
  const [first] = outcome.boxes
    .flatMap(({ milestones }) => milestones.map(({ unlocode, time }) => instantAt(unlocode, time)))
    .toSorted()
  return Math.max(heardMs, Date.parse(first ?? '') + boxAskedAfterMs)
}

/** Half a day at a time: due numbers are polled, the workers do their jobs, and ended scenarios are read. */
async function passTime(askings: readonly Asking[]): Promise<void> {
  const moments = new Set(
    askings.flatMap(({ outcome, fromMs }) => [fromMs, ...outcome.questions.map(({ at }) => Date.parse(at))]),
  )
  const endMs = Math.max(...moments)
  for (let ms = epochMs; ms <= endMs; ms += stepMs) moments.add(ms)
  for (const ms of [...moments].toSorted((a, b) => a - b)) {
    worldMs = ms
    api.clock.set(ms)
    for (const asking of askings) if (asking.fromMs === ms) asking.request = await ask(asking)
    await api.drain()
    // A number that the line does not know is polled again as the other kind of number, when the line allows it.
    api.clock.set(ms + minuteMs)
    await api.drain()
    for (const asking of askings) {
      const question = asking.outcome.questions.find(({ at }) => Date.parse(at) === ms)
      if (question === undefined || asking.request === null) continue
      if (question.isFound) asking.told = await read(asking, asking.request)
      else asking.unanswered.push(String((await readRequest(asking, asking.request)).one().attributes['status']))
    }
  }
}

async function ask({ outcome, key }: Asking): Promise<string> {
  const attributes = {
    request_type: requestTypes[outcome.kind],
    request_number: outcome.number,
    scac: outcome.scac,
  }
  const body = { data: { type: 'tracking_request', attributes } }
  const created = await api.call({ method: 'POST', url: '/v2/tracking_requests', key, body })
  assert.equal(created.status, 201, created.text)
  return created.one().id
}

function readRequest({ key }: Asking, id: string): ReturnType<TestApi['call']> {
  return api.call({ url: `/v2/tracking_requests/${id}?include=tracked_object.containers`, key })
}

async function read(asking: Asking, id: string): Promise<Told> {
  const { key } = asking
  const answer = await readRequest(asking, id)
  const included = answer.body.included ?? []
  const boxes: ToldBox[] = []
  for (const { id: containerId } of included.filter(({ type }) => type === 'container')) {
    const container = (await api.call({ url: `/v2/containers/${containerId}`, key })).one()
    const events = (
      await api.call({ url: `/v2/containers/${containerId}/transport_events?page[size]=100`, key })
    ).many()
    const raw = (await api.call({ url: `/v2/containers/${containerId}/raw_events?page[size]=100`, key })).many()
    boxes.push({
      number: String(container.attributes['number']),
      status: container.attributes['current_status'],
      milestones: events.map(writeEvent).filter((line) => line !== null),
      raw,
    })
  }
  const shipment = included.find(({ type }) => type === 'shipment')
  const stoppedReason = shipment?.attributes['line_tracking_stopped_reason'] ?? null
  return { request: answer.one(), stoppedReason, boxes }
}

const milestonePrefix = 'container.transport.'

/** `2026-01-08T07:45:00Z CNNGB full_in`; null for changed deadlines. */
function writeEvent({ attributes }: WireResource): string | null {
  const event = String(attributes['event'])
  if (!event.startsWith(milestonePrefix)) return null
  return [attributes['timestamp'], attributes['location_locode'], event.slice(milestonePrefix.length)].join(' ')
}

function checkOutcome(told: Told, outcome: Outcome): void {
  const { status, failed_reason: failedReason } = told.request.attributes
  if (outcome.request !== null) {
    assert.deepEqual({ status, failedReason }, outcome.request)
    return
  }
  assert.ok(status === 'created' || status === 'tracking_stopped', `the request is ${String(status)}`)
  assert.deepEqual(
    told.boxes.map(({ number }) => number).toSorted(),
    outcome.boxes.map(({ number }) => number).toSorted(),
    'the containers',
  )
  for (const box of outcome.boxes) {
    const container = told.boxes.find(({ number }) => number === box.number)
    assert.ok(container)
    checkBox(container, box)
  }
}

function checkBox(told: ToldBox, box: BoxOutcome): void {
  const expected = box.milestones.map(
    ({ name, unlocode, time }) => `${instantAt(unlocode, time)} ${knownCode(unlocode) ?? ''} ${name}`,
  )
  assert.deepEqual(told.milestones.toSorted(), expected.toSorted(), `${box.number}: transport events`)
  const missing = box.said.filter((said) => !told.raw.some((event) => isOf(event, said)))
  assert.deepEqual(missing, [], `${box.number}: statements without a raw event`)
  assert.equal(told.status, box.status, `${box.number}: current_status`)
}

/** A code outside of all lists is not shown, nor guessed. */
function knownCode(unlocode: string): string | null {
  return findPlaceByCode(unlocode)?.unlocode ?? null
}

/** As the API shows it: a day is its local midnight, a time without zone is local time. */
function instantAt(unlocode: string, time: string): string {
  const parsed = parseEventTime(time)
  assert.ok(parsed, time)
  return writeTime(instantOf(parsed, findPlaceByCode(unlocode)?.timeZone ?? null).at)
}

function isOf({ attributes }: WireResource, said: Statement): boolean {
  return (
    attributes['invalidated_at'] === null &&
    attributes['estimated'] === (said.classifier !== 'ACT') &&
    attributes['location_locode'] === knownCode(said.unlocode) &&
    attributes['timestamp'] === instantAt(said.unlocode, said.time) &&
    String(attributes['original_event']).includes(said.code)
  )
}
