// Inference over the API: a number goes in and a result document comes out; the scorecard; a number without a line is
// tracked.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { refreshPredictionBasis } from '../../../src/modules/inference/learnt.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { journey } from '../../support/tracking-harness.ts'
import { boxesOf, leasedBox, teach } from './inference-harness.ts'

async function open(t: TestContext): Promise<TestApi> {
  const api = await openTestApi({ startAt: '2026-02-01T00:00:00Z' })
  t.after(() => api.close())
  return api
}

const url = '/v2/tracking_requests/infer_number'

test('answers a container number with its kind, its check digit and its line', async (t) => {
  const api = await open(t)
  const { status, body } = await api.call({
    method: 'POST',
    url,
    body: { number: 'msku 123456-5' },
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(status, 200)
  const { id, type, attributes } = body.data as {
    id: string
    type: string
    attributes: Record<string, never>
  }
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(type, 'infer_number_results')
  assert.deepEqual(Object.keys(attributes), ['number_type', 'validation', 'shipping_line'])
  const { number_type, validation, shipping_line } = attributes as Record<string, unknown>
  assert.equal(number_type, 'container')
  assert.deepEqual(validation, {
    is_valid: true,
    type: 'container',
    check_digit_passed: true,
    parsed_number: 'MSKU1234565',
    reason: null,
  })
  const { decision, selected, candidates } = shipping_line as Record<string, { scac: string; name: string }[]>
  assert.deepEqual([decision, (selected as unknown as { scac: string }).scac], ['auto_select', 'MAEU'])
  assert.deepEqual(Object.keys(candidates?.[0] ?? {}), ['scac', 'name', 'confidence'])
  assert.ok(((body.meta as { explanation: string[] }).explanation[0] ?? '').length > 10)
})

test('suggests the number that was probably intended, with an answer as with a refusal', async (t) => {
  const api = await open(t)
  const infer = async (number: string) => (await api.call({ method: 'POST', url, body: { number } })).body
  const suggested = async (number: string) => (await infer(number)).meta?.['suggested_number']
  assert.equal(await suggested('MSKU1234565'), null)
  assert.equal(await suggested('MSKU1234567'), 'MSKU1234565')
  assert.equal(await suggested('MSKU123456S'), 'MSKU1234565')
  const refusal = await infer('263123456.0')
  assert.match(JSON.stringify(refusal.errors), /"meta":\{"suggested_number":"263123456"\}/)
})

test('accepts the media type of JSON:API too, with the same plain object', async (t) => {
  const api = await open(t)
  const { status } = await api.call({ method: 'POST', url, body: { number: 'HLCUSHA2601AB123' } })
  assert.equal(status, 200)
})

test('refuses a number that cannot be a reference number, and a body without a number', async (t) => {
  const api = await open(t)
  const texts = ['12', '', 'hello world', '     ', 'X'.repeat(60), '1234567890123456789012345']
  for (const number of [...texts, 5, 263123456, null, true, ['MSKU1234565']]) {
    const answer = await api.call({ method: 'POST', url, body: { number } })
    const { status, detail } = answer.error()
    assert.deepEqual([answer.status, status, detail], [422, '422', 'This reference number is not valid.'])
  }
  assert.equal((await api.call({ method: 'POST', url, body: {} })).error().source?.pointer, '/number')
  assert.equal((await api.call({ method: 'POST', url, body: { number: 'MSKU1234565' }, key: null })).status, 401)
})

test('outcomes of an account change only the predictions for that account', async (t) => {
  const api = await open(t)
  const other = await api.newAccount()
  await teach(api.service, api.context, boxesOf('WHLC', 4))
  await refreshPredictionBasis(api.service)
  const top = async (key: string): Promise<string | undefined> => {
    const { body } = await api.call({ method: 'POST', url, body: { number: leasedBox(0) }, key })
    return (body.data as { attributes: { shipping_line: { candidates: { scac: string }[] } } }).attributes.shipping_line
      .candidates[0]?.scac
  }
  assert.equal(await top(api.key), 'WHLC')
  assert.notEqual(await top(await api.newKey(other, ['read'])), 'WHLC')
})

test('accepts a number without a line at once, and tracks it at the line that knows it', async (t) => {
  const api = await open(t)
  const carrier = await openCarrier()
  t.after(() => carrier.close())
  const bill = 'HLCUSHA2601AB123'
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  carrier.answers({ json: journey(bill, 'sailed') }, bill)
  const body = {
    data: {
      type: 'tracking_request',
      attributes: { request_number: bill, auto_detect_vocc_scac: true, scac: '' },
    },
  }
  const made = await api.call({ method: 'POST', url: '/v2/tracking_requests', body })
  assert.equal(made.status, 201)
  const { id, attributes, relationships } = made.one()
  assert.deepEqual(
    [attributes['status'], attributes['scac'], attributes['request_type']],
    ['pending', null, 'bill_of_lading'],
  )
  assert.equal(relationships?.['shipping_line']?.data, null)
  const again = await api.call({ method: 'POST', url: '/v2/tracking_requests', body })
  assert.deepEqual([again.status, again.error().code], [422, 'duplicate'])
  await api.drain()
  const found = (await api.call({ url: `/v2/tracking_requests/${id}` })).one()
  assert.deepEqual([found.attributes['status'], found.attributes['scac']], ['created', 'HLCU'])
  const listed = await api.call({ url: '/v2/tracking_requests?filter[scac]=HLCU' })
  assert.equal(listed.many().length, 1)
})

test('requires the SCAC if neither a line nor auto-detection is given', async (t) => {
  const api = await open(t)
  const attributes = { request_type: 'bill_of_lading', request_number: 'HLCUSHA2601AB123' }
  const post = (more: object) =>
    api.call({
      method: 'POST',
      url: '/v2/tracking_requests',
      body: { data: { type: 'tracking_request', attributes: { ...attributes, ...more } } },
    })
  for (const more of [{}, { scac: null }, { auto_detect_vocc_scac: false }])
    assert.equal((await post(more)).error().source?.pointer, '/data/attributes/scac')
  const { error } = await post({ request_number: 'no number', auto_detect_vocc_scac: true })
  assert.equal(error().source?.pointer, '/data/attributes/request_number')
})

test('the scorecard shows figures of the installation only if they are anonymous', async (t) => {
  const api = await open(t)
  const { status, body } = await api.call({ url: '/v2/inference/scorecard' })
  assert.equal(status, 200)
  const { type, id, attributes } = body.data as {
    type: string
    id: string
    attributes: Record<string, unknown>
  }
  assert.deepEqual([type, id], ['inference_scorecard', api.context.account.id])
  assert.deepEqual(
    [attributes['predictions'], attributes['accuracy'], attributes['installation'], attributes['precision_min']],
    [0, null, null, 0.97],
  )
  assert.equal((await api.call({ url: '/v2/inference/scorecard?x=1' })).status, 400)
})
