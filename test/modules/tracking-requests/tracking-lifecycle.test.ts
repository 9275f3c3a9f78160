// A tracking request from its creation to its end, through the verbs and the workers, with a line on loopback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { box, journey, openStage, unknown } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100001'

/** The answer of a line that knows the booking and no movements yet. */
function documentEvent(code: string, number: string, type: 'BKG' | 'TRD'): unknown {
  return {
    eventID: '00000000-0000-4000-8000-00000000beef',
    eventCreatedDateTime: '2026-01-01T00:00:00Z',
    eventType: 'SHIPMENT',
    eventClassifierCode: 'ACT',
    eventDateTime: '2026-01-01T00:00:00Z',
    shipmentEventTypeCode: code,
    documentID: number,
    documentTypeCode: type,
  }
}

test('a container that the line does not know fails at once', async (t) => {
  const stage = await openStage(t)
  const id = await stage.track(box, { type: 'container' })
  assert.equal((await stage.request(id)).status, 'pending')
  await stage.drain()
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'failed',
    failedReason: 'not_found',
    shipmentId: null,
  })
  assert.deepEqual(await stage.heard(), ['tracking_request.failed'])
  assert.equal(await stage.nextLook(), null, 'nothing is looked at any more')
})

test('polls daily for a bill that is not found yet, and succeeds when the line finds it', async (t) => {
  const stage = await openStage(t)
  const id = await stage.track(bill)
  await stage.drain()
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'awaiting_manifest',
    failedReason: 'awaiting_manifest',
  })
  for (let day = 1; day <= 5; day += 1) {
    assert.equal(await stage.nextLook(), 24)
    assert.equal((await stage.request(id)).status, 'awaiting_manifest')
  }
  assert.deepEqual(await stage.heard(), ['tracking_request.awaiting_manifest'], 'said the first time only')
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  assert.equal(await stage.nextLook(), 24)
  const request = await stage.request(id)
  assert.partialDeepStrictEqual(request, { status: 'created', failedReason: null })
  assert.notEqual(request.shipmentId, null)
  assert.deepEqual((await stage.heard()).slice(0, 3), [
    'tracking_request.awaiting_manifest',
    'tracking_request.succeeded',
    'container.created',
  ])
  assert.equal(stage.carrier.asked.length, 8, 'once as a booking, and seven times as what it is')
})

test('fails a bill as not found if the line does not know the bill for seven days', async (t) => {
  const stage = await openStage(t)
  const id = await stage.track(bill)
  await stage.drain()
  for (let day = 1; day <= 7; day += 1) await stage.nextLook()
  assert.partialDeepStrictEqual(await stage.request(id), { status: 'failed', failedReason: 'not_found' })
  assert.deepEqual(await stage.heard(), ['tracking_request.awaiting_manifest', 'tracking_request.failed'])
  assert.equal(await stage.nextLook(), null)
  assert.equal(
    (await stage.rows('select 1 from ledger')).length,
    10,
    'the making, eight answers, the same bytes each, and one to the number as a booking',
  )
})

test('a booking without transport data expires after seven days', async (t) => {
  const stage = await openStage(t)
  const id = await stage.track('12345678', { type: 'booking_number' })
  stage.carrier.answers({ json: [documentEvent('CONF', '12345678', 'BKG')] })
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'awaiting_manifest')
  stage.carrier.answers(unknown)
  for (let day = 1; day <= 7; day += 1) await stage.nextLook()
  assert.partialDeepStrictEqual(await stage.request(id), { status: 'failed', failedReason: 'expired' })
})

test('fails a container as data_unavailable if the line knows it but has no data', async (t) => {
  const stage = await openStage(t, {
    profile: { notFound: { statuses: [404], emptyAnswer: 'known_without_data', phrases: [] } },
  })
  stage.carrier.answers({ json: [] })
  const id = await stage.track(box, { type: 'container' })
  await stage.drain()
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'failed',
    failedReason: 'data_unavailable',
  })
})

test('fails a booking as booking_cancelled if it is cancelled before any movement', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: [documentEvent('CANC', '12345678', 'BKG')] })
  const id = await stage.track('12345678', { type: 'booking_number' })
  await stage.drain()
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'failed',
    failedReason: 'booking_cancelled',
  })
  assert.deepEqual(await stage.heard(), ['tracking_request.failed'])
})

test('stops tracking of a booking that is cancelled while it is tracked', async (t) => {
  const stage = await openStage(t)
  const answer = journey('12345678', 'loaded').map((each) => ({
    ...each,
    documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: '12345678' }],
  }))
  stage.carrier.answers({ json: answer })
  const id = await stage.track('12345678', { type: 'booking_number' })
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  stage.carrier.answers({ json: [...answer, documentEvent('CANC', '12345678', 'BKG')] })
  await stage.nextLook()
  assert.equal((await stage.request(id)).status, 'tracking_stopped')
  const shipment = await stage.row<{ reason: string; stopped: string }>(
    'select tracking_stopped_reason as reason, tracking_stopped_at as stopped from shipments',
  )
  assert.equal(shipment.reason, 'booking_cancelled')
  assert.equal((await stage.heard()).at(-1), 'tracking_request.tracking_stopped')
  assert.equal(await stage.nextLook(), null)
})

test('retries a line that is down 14 times within about a day, and then fails the request', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ status: 503, text: 'down' })
  const id = await stage.track(bill)
  await stage.drain()
  const startedAt = stage.clock.now()
  for (let retry = 1; retry <= 14; retry += 1) {
    assert.deepEqual(await stage.request(id), {
      status: 'pending',
      failedReason: 'shipping_line_unreachable',
      isRetrying: true,
      retryCount: retry,
      shipmentId: null,
    })
    assert.notEqual(await stage.nextLook(), null)
  }
  const hours = (stage.clock.now() - startedAt) / 3_600_000
  assert.ok(hours > 23 && hours < 25, `${hours} hours`)
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'failed',
    failedReason: 'retries_exhausted',
    isRetrying: false,
  })
  assert.deepEqual(await stage.heard(), ['tracking_request.failed'])
  assert.equal(stage.carrier.asked.length, 15)
  const looks = await stage.rows<{ outcome: string; status_code: number }>('select outcome, status_code from looks')
  assert.equal(looks.length, 15)
  assert.ok(looks.every((look) => look.outcome === 'unreachable' && look.status_code === 503))
})

test('an answer between two failures resets the retry count of the request', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ status: 500, text: '' })
  const id = await stage.track(bill)
  await stage.drain()
  await stage.nextLook()
  assert.equal((await stage.request(id)).retryCount, 2)
  stage.carrier.answers(unknown)
  await stage.nextLook()
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'awaiting_manifest',
    isRetrying: false,
    retryCount: null,
  })
  stage.carrier.answers({ status: 500, text: '' })
  await stage.nextLook()
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'awaiting_manifest',
    failedReason: 'shipping_line_unreachable',
    isRetrying: true,
    retryCount: 1,
  })
})

test('never reports a number as not found while the line is down', async (t) => {
  const stage = await openStage(t)
  const id = await stage.track(bill)
  await stage.drain()
  for (let day = 1; day <= 6; day += 1) await stage.nextLook()
  stage.carrier.answers({ status: 502, text: '' })
  for (let tries = 1; tries <= 5; tries += 1) await stage.nextLook()
  assert.equal((await stage.request(id)).failedReason, 'shipping_line_unreachable')
  for (;;) if ((await stage.nextLook()) === null) break
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'failed',
    failedReason: 'retries_exhausted',
  })
})

test('shows an internal error on the request and tries again', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  const id = await stage.track(bill)
  const profile = await stage.row<{ profile: unknown }>('select profile from credentials')
  await stage.rows(`update credentials set profile = profile - 'timeoutMs'`)
  await stage.drain()
  assert.partialDeepStrictEqual(await stage.request(id), {
    status: 'pending',
    failedReason: 'internal_processing_error',
    isRetrying: true,
    retryCount: 1,
  })
  assert.equal((await stage.row<{ outcome: string }>('select outcome from looks')).outcome, 'internal_error')
  await stage.rows('update credentials set profile = $1', [JSON.stringify(profile.profile)])
  await stage.nextLook()
  assert.equal((await stage.request(id)).status, 'created')
})

test('the test numbers give fixed results in every installation, and may be repeated', async (t) => {
  const stage = await openStage(t, { startAt: '2026-02-01T00:00:00Z' })
  await stage.rows(
    `insert into credentials (id, scac, source, profile, is_fiction, created_at)
     values (gen_random_uuid(), 'TEST', 'test', '{}', false, now())`,
  )
  const good = await Promise.all([1, 2, 3].map(() => stage.track('TEST-TR-SUCCEEDED', { scac: 'TEST' })))
  const bad = await stage.track('TEST-TR-FAILED', { scac: 'TEST' })
  const boxless = await stage.track('TEST-TR-FAILED', { scac: 'TEST', type: 'container' })
  await stage.drain()
  for (const id of good) assert.equal((await stage.request(id)).status, 'created')
  assert.equal((await stage.rows('select 1 from shipments')).length, 1)
  const eventNames = await stage.heard()
  assert.equal(eventNames.filter((name) => name === 'tracking_request.succeeded').length, 3)
  assert.equal(eventNames.filter((name) => name === 'container.created').length, 2, 'once for each of the two boxes')
  assert.equal((await stage.request(boxless)).status, 'failed')
  assert.equal((await stage.request(bad)).status, 'failed', 'TEST-TR-FAILED fails at once, also as a bill')
})
