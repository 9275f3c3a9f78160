// Inference over the API: a number goes in and a result document comes out; the scorecard; a number without a line is
// tracked.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { renewLearnt } from '../../src/service/inference/learnt.ts'
import { boxesOf, leasedBox, teach } from '../service/inference-harness.ts'
import { journey } from '../service/tracking-harness.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openCarrier } from '../support/carrier.ts'
import { giveAccess } from '../support/service.ts'

async function open(t: TestContext): Promise<TestApi> {
  const api = await openTestApi({ startAt: '2026-02-01T00:00:00Z' })
  t.after(() => api.close())
  return api
}

const url = '/v2/tracking_requests/infer_number'

test('a container number is answered with its kind, its check and its line', async (t) => {
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

test('the media type of JSON:API is taken too, with the same plain object', async (t) => {
  const api = await open(t)
  const { status } = await api.call({ method: 'POST', url, body: { number: 'HLCUSHA2601AB123' } })
  assert.equal(status, 200)
})

test('what is no reference number is refused, and so are bodies that name none', async (t) => {
  const api = await open(t)
  for (const number of ['12', '', 'hello world', '     ', 'X'.repeat(60), '1234567890123456789012345']) {
    const answer = await api.call({ method: 'POST', url, body: { number } })
    const { status, detail } = answer.error()
    assert.deepEqual([answer.status, status, detail], [422, '422', 'This reference number is not valid.'])
  }
  assert.equal((await api.call({ method: 'POST', url, body: {} })).error().source?.pointer, '/number')
  assert.equal(
    (await api.call({ method: 'POST', url, body: { number: 5 } })).error().source?.pointer,
    '/number',
  )
  assert.equal(
    (await api.call({ method: 'POST', url, body: { number: 'MSKU1234565' }, key: null })).status,
    401,
  )
})

test('each account has its own answers', async (t) => {
  const api = await open(t)
  const other = await api.newAccount()
  await teach(api.service, api.context, boxesOf('WHLC', 4))
  await renewLearnt(api.service)
  const top = async (key: string): Promise<string | undefined> => {
    const { body } = await api.call({ method: 'POST', url, body: { number: leasedBox(0) }, key })
    return (body.data as { attributes: { shipping_line: { candidates: { scac: string }[] } } }).attributes
      .shipping_line.candidates[0]?.scac
  }
  assert.equal(await top(api.key), 'WHLC')
  assert.notEqual(await top(await api.newKey(other, ['read'])), 'WHLC')
})

test('a bare number is taken in at once and is tracked at the line that knows it', async (t) => {
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

test('without a line and without the wish to find it, the SCAC is needed', async (t) => {
  const api = await open(t)
  const attributes = { request_type: 'bill_of_lading', request_number: 'HLCUSHA2601AB123' }
  const post = (more: object) =>
    api.call({
      method: 'POST',
      url: '/v2/tracking_requests',
      body: { data: { attributes: { ...attributes, ...more } } },
    })
  for (const more of [{}, { scac: null }, { auto_detect_vocc_scac: false }])
    assert.equal((await post(more)).error().source?.pointer, '/data/attributes/scac')
  const { error } = await post({ request_number: 'no number', auto_detect_vocc_scac: true })
  assert.equal(error().source?.pointer, '/data/attributes/request_number')
})

test('the scorecard has the figures of the account, and those of all accounts if they reveal no single account', async (t) => {
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
    [
      attributes['predictions'],
      attributes['accuracy'],
      attributes['installation'],
      attributes['precision_min'],
    ],
    [0, null, null, 0.97],
  )
  assert.equal((await api.call({ url: '/v2/inference/scorecard?x=1' })).status, 400)
})
