// The questions to the line for a request, the results of the answers, and what comes next; also under another kind of
// number.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { box, journey, unknown } from '../../support/tracking-harness.ts'

let api: TestApi
let carrier: Carrier
let key: string

before(async () => {
  api = await openTestApi({ startAt: '2026-02-01T00:00:00Z' })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
})
after(async () => {
  await carrier.close()
  await api.close()
})
beforeEach(async () => {
  key = await api.newKey(await api.newAccount(), ['read', 'write'])
})

async function track(number: string, type = 'bill_of_lading'): Promise<string> {
  const attributes = { request_type: type, request_number: number, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  const answer = await api.call({ method: 'POST', url: '/v2/tracking_requests', body, key })
  assert.equal(answer.status, 201, answer.text)
  return answer.one().id
}

interface Attempt {
  readonly asked_as: string
  readonly asked_number: string
  readonly outcome: string
  readonly http_status: number | null
  readonly attempted_at: string
  readonly next: { readonly step: string; readonly at: string | null; readonly retry_count: number }
}
async function attempts(id: string): Promise<readonly Attempt[]> {
  const answer = await api.call({ url: `/v2/tracking_requests/${id}/attempts?page[size]=100`, key })
  assert.doesNotMatch(answer.text, /127\.0\.0\.1|secret|credential/i)
  return answer.many().map(({ attributes }) => attributes as unknown as Attempt)
}
const request = async (id: string) => {
  const resource = (await api.call({ url: `/v2/tracking_requests/${id}`, key })).one()
  return { ...resource.attributes, ...(resource as unknown as { meta: { tracked_as: string | null } }).meta }
}

/** Answers only questions with the parameter of one of the two numbers. */
function knowsOnly(parameter: string, events: unknown): void {
  carrier.answersTo((query) => (query.has(parameter) ? { json: events } : unknown))
}

test('polls a line that is down at growing intervals, and the attempts show when', async () => {
  carrier.answersTo(() => ({ status: 503, json: {} }))
  const id = await track('HLCUATTEMPT00001')
  await api.drain()
  await api.pass(2)
  const listed = await attempts(id)
  assert.ok(listed.length >= 3)
  assert.ok(listed.every(({ outcome, http_status: status }) => outcome === 'unreachable' && status === 503))
  const inOrder = listed.toReversed()
  assert.deepEqual(
    inOrder.map(({ next }) => [next.step, next.retry_count]),
    inOrder.map((_, index) => ['retry', index + 1]),
  )
  for (const [index, { next }] of inOrder.slice(0, -1).entries())
    assert.ok((inOrder[index + 1]?.attempted_at ?? '') >= (next.at ?? 'z'), 'not before it was announced')
})

test('finds a booking that was sent as a bill as a booking, and states this', async () => {
  const number = 'HLCUATTEMPT00002'
  knowsOnly('carrierBookingReference', journey(number, 'sailed'))
  const id = await track(number)
  await api.drain()
  const seen = await request(id)
  assert.partialDeepStrictEqual(seen, {
    status: 'created',
    request_type: 'bill_of_lading',
    tracked_as: 'booking_number',
  })
  const listed = (await attempts(id)).toReversed()
  assert.deepEqual(
    listed.map(({ asked_as, outcome, next }) => [asked_as, outcome, next.step]),
    [
      ['bill_of_lading', 'not_found', 'other_kind'],
      ['booking_number', 'found', 'track'],
    ],
  )
  assert.ok((listed[1]?.next.at ?? '') > '2026-02-01', 'the next look is planned')
  const shipments = (await api.call({ url: '/v2/shipments', key })).many()
  assert.equal(shipments.length, 1)
})

test('finds a container that was sent as a booking as a container', async () => {
  knowsOnly('equipmentReference', journey('HLCUATTEMPT00003', 'sailed'))
  const id = await track(box, 'booking_number')
  await api.drain()
  assert.partialDeepStrictEqual(await request(id), { status: 'created', tracked_as: 'container' })
  assert.deepEqual(
    (await attempts(id)).map(({ asked_as }) => asked_as),
    ['container', 'bill_of_lading', 'booking_number'],
  )
})

test('polls an unknown number once as each other kind, then only as the kind that was sent', async () => {
  carrier.answersTo(() => unknown)
  const id = await track('HLCUATTEMPT00004')
  await api.drain()
  await api.pass(50)
  const listed = (await attempts(id)).toReversed()
  assert.deepEqual(
    listed.map(({ asked_as, next }) => [asked_as, next.step]),
    [
      ['bill_of_lading', 'other_kind'],
      ['booking_number', 'ask_again'],
      ['bill_of_lading', 'ask_again'],
      ['bill_of_lading', 'ask_again'],
    ],
  )
  assert.partialDeepStrictEqual(await request(id), { status: 'awaiting_manifest', tracked_as: null })
})

test('does not show attempts of another account’s request, nor its polls of the same number', async () => {
  const number = 'HLCUATTEMPT00005'
  carrier.answersTo(() => ({ json: journey(number, 'sailed') }))
  const first = await track(number)
  await api.drain()
  await api.pass(30)
  const before = (await attempts(first)).length
  const foreign = await api.newKey(await api.newAccount(), ['read', 'write'])
  assert.equal((await api.call({ url: `/v2/tracking_requests/${first}/attempts`, key: foreign })).status, 404)
  key = foreign
  api.clock.advance(60_000)
  const second = await track(number)
  await api.drain()
  assert.ok(before > 1)
  assert.equal((await attempts(second)).length, 1)
})

test('a rebuild restores requests that were tried as other kinds of number, byte for byte', async () => {
  const fold = foldBy(readRules(api.service.config))
  const report = await rebuildProjections(api.service, fold, {
    repair: false,
    differencesMax: 10,
    progress: () => {},
  })
  assert.deepEqual(report.differences, [])
})
