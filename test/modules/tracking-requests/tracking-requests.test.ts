import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'

let api: TestApi
let carrier: Carrier

before(async () => {
  api = await openTestApi({ startAt: '2026-01-01T00:00:00Z' })
  carrier = await openCarrier()
  for (const scac of ['ONEY', 'MSCU', 'COSU']) await giveAccess(api, { scac, profile: carrier.profile(scac) })
})
after(async () => {
  await carrier.close()
  await api.close()
})

const post = (attributes: object, more: { key?: string | null; url?: string; headers?: Record<string, string> } = {}) =>
  api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    body: { data: { type: 'tracking_request', attributes } },
    ...more,
  })

async function countRequests(): Promise<number> {
  const { rows } = await api.service.pool.query<{ n: number }>('select count(*) as n from tracking_requests')
  return rows[0]?.n ?? 0
}

describe('POST /v2/tracking_requests', () => {
  test('writes the request and answers 201 with status pending at once', async () => {
    const answer = await post({
      request_type: 'bill_of_lading',
      request_number: 'CNSH00000001',
      scac: 'ONEY',
      ref_numbers: ['PO 1'],
      shipment_tags: ['urgent'],
    })
    assert.equal(answer.status, 201)
    const { id, attributes } = answer.one()
    assert.equal(attributes['status'], 'pending')
    assert.deepEqual(attributes['ref_numbers'], ['PO 1'])
    const { rows } = await api.service.pool.query(
      'select request_number, scac, status, account_id from tracking_requests where id = $1',
      [id],
    )
    assert.deepEqual(rows, [
      { request_number: 'CNSH00000001', scac: 'ONEY', status: 'pending', account_id: api.context.account.id },
    ])
  })

  test('accepts booking for booking_number, an alternative SCAC for the line, and application/json', async () => {
    const answer = await post(
      { request_type: 'booking', request_number: 'EBKG12345678', scac: 'MEDU' },
      { headers: { 'content-type': 'application/json', accept: 'application/json' } },
    )
    assert.equal(answer.status, 201)
    assert.equal(answer.headers['content-type'], 'application/json')
    assert.equal(answer.one().attributes['request_type'], 'booking_number')
    assert.equal(answer.one().attributes['scac'], 'MSCU')
  })

  test('accepts a container number with a valid check digit', async () => {
    const answer = await post({ request_type: 'container', request_number: 'mscu 400000-5', scac: 'MSCU' })
    assert.equal(answer.status, 201)
  })

  const refused: readonly (readonly [string, object, string, string])[] = [
    [
      'an unknown SCAC',
      { request_type: 'bill_of_lading', request_number: 'ABC123456', scac: 'ZZZZ' },
      'unknown_scac',
      '/data/attributes/scac',
    ],
    [
      'no SCAC',
      { request_type: 'bill_of_lading', request_number: 'ABC123456', scac: '' },
      'invalid',
      '/data/attributes/scac',
    ],
    [
      'an invalid number',
      { request_type: 'bill_of_lading', request_number: '!!!!!!', scac: 'ONEY' },
      'invalid',
      '/data/attributes/request_number',
    ],
    [
      'a number of more than 40 characters',
      { request_type: 'bill_of_lading', request_number: 'A1'.repeat(21), scac: 'ONEY' },
      'invalid',
      '/data/attributes/request_number',
    ],
    [
      'a container number with a wrong check digit',
      { request_type: 'container', request_number: 'MSCU4000001', scac: 'MSCU' },
      'invalid',
      '/data/attributes/request_number',
    ],
    [
      'a kind of number that the line does not support',
      { request_type: 'container', request_number: 'MSCU4000005', scac: 'COSU' },
      'unsupported_number_type',
      '/data/attributes/request_type',
    ],
    [
      'a line without credentials of the operator',
      { request_type: 'container', request_number: 'MSCU4000005', scac: 'WHLC' },
      'carrier_not_configured',
      '/data/attributes/scac',
    ],
    [
      'an unknown request type',
      { request_type: 'parcel', request_number: 'ABC123456', scac: 'ONEY' },
      'invalid',
      '/data/attributes/request_type',
    ],
    [
      'a missing number',
      { request_type: 'bill_of_lading', scac: 'ONEY' },
      'invalid',
      '/data/attributes/request_number',
    ],
    [
      'a container number with full-width digits',
      { request_type: 'container', request_number: 'MSCU４０００００５', scac: 'ONEY' },
      'invalid',
      '/data/attributes/request_number',
    ],
    [
      'a bill with a dotless i, which is I in upper case',
      { request_type: 'bill_of_lading', request_number: 'ONEYSHıA12345', scac: 'ONEY' },
      'invalid',
      '/data/attributes/request_number',
    ],
    [
      'Arabic digits with auto-detection of the line',
      { request_number: 'MSCU٤٠٠٠٠٠٥', auto_detect_vocc_scac: true },
      'invalid',
      '/data/attributes/request_number',
    ],
    [
      'a number that is not text',
      { request_type: 'bill_of_lading', request_number: 5, scac: 'ONEY' },
      'invalid',
      '/data/attributes/request_number',
    ],
    [
      'a read-only attribute',
      { request_type: 'bill_of_lading', request_number: 'ABC123456', scac: 'ONEY', status: 'created' },
      'invalid',
      '/data/attributes/status',
    ],
  ]
  for (const [what, attributes, code, pointer] of refused) {
    test(`refuses ${what}, names the field and writes nothing`, async () => {
      const before = await countRequests()
      const answer = await post(attributes)
      assert.equal(answer.status, 422)
      assert.equal(answer.error().code, code)
      assert.equal(answer.error().source?.pointer, pointer)
      assert.equal(await countRequests(), before)
    })
  }

  test('refuses a number that is being tracked as a duplicate, but never a TEST number', async () => {
    const attributes = { request_type: 'bill_of_lading', request_number: 'CNSH00000002', scac: 'ONEY' }
    assert.equal((await post(attributes)).status, 201)
    const again = await post(attributes)
    assert.equal(again.status, 422)
    assert.equal(again.error().code, 'duplicate')
    assert.equal(again.error().source?.pointer, '/data/attributes/request_number')
  })

  test('refuses a body without data, without its type or of another type, and writes nothing', async () => {
    const before = await countRequests()
    const empty = await api.call({ method: 'POST', url: '/v2/tracking_requests', body: {} })
    assert.equal(empty.status, 400)
    assert.equal(empty.error().source?.pointer, '/data')
    const none = await api.call({ method: 'POST', url: '/v2/tracking_requests' })
    assert.equal(none.status, 400)
    const attributes = { request_type: 'bill_of_lading', request_number: 'CNSH00000009', scac: 'ONEY' }
    for (const data of [{ attributes }, { type: null, attributes }]) {
      const untyped = await api.call({ method: 'POST', url: '/v2/tracking_requests', body: { data } })
      assert.deepEqual([untyped.status, untyped.error().source?.pointer], [422, '/data/type'])
    }
    const other = await api.call({
      method: 'POST',
      url: '/v2/tracking_requests',
      body: { data: { type: 'shipment' } },
    })
    assert.equal(other.status, 409)
    assert.equal(other.error().source?.pointer, '/data/type')
    assert.equal(await countRequests(), before)
  })

  test('refuses a customer that the account does not have, and writes nothing', async () => {
    const before = await countRequests()
    const attributes = { request_type: 'bill_of_lading', request_number: 'CNSH00000008', scac: 'ONEY' }
    const relationships = {
      customer: { data: { type: 'party', id: '018f0000-0000-7000-8000-000000000000' } },
    }
    const body = { data: { type: 'tracking_request', attributes, relationships } }
    const answer = await api.call({ method: 'POST', url: '/v2/tracking_requests', body })
    assert.equal(answer.error().source?.pointer, '/data/relationships/customer/data/id')
    assert.equal(await countRequests(), before)
  })

  test('refuses an unknown include before writing anything', async () => {
    const before = await countRequests()
    const answer = await post(
      { request_type: 'bill_of_lading', request_number: 'CNSH00000009', scac: 'ONEY' },
      { url: '/v2/tracking_requests?include=nothing' },
    )
    assert.equal(answer.status, 400)
    assert.equal(await countRequests(), before)
  })

  test('refuses a read-only key, and writes nothing', async () => {
    const before = await countRequests()
    const key = await api.newKey(api.context, ['read'])
    const answer = await post({ request_type: 'bill_of_lading', request_number: 'CNSH00000003', scac: 'ONEY' }, { key })
    assert.equal(answer.status, 403)
    assert.equal(answer.error().code, 'forbidden')
    assert.equal(await countRequests(), before)
  })
})

describe('GET and PATCH /v2/tracking_requests', () => {
  test('lists the newest first, page by page, with counts and absolute links', async () => {
    const other = await api.newAccount()
    const key = await api.newKey(other, ['read', 'write'])
    for (const number of ['LIST0000001', 'LIST0000002', 'LIST0000003']) {
      api.clock.advance(1_000)
      await post({ request_type: 'bill_of_lading', request_number: number, scac: 'ONEY' }, { key })
    }
    const first = await api.call({ url: '/v2/tracking_requests?page[size]=2', key })
    assert.deepEqual(
      first.many().map(({ attributes }) => attributes['request_number']),
      ['LIST0000003', 'LIST0000002'],
    )
    assert.deepEqual(first.body.meta, {
      size: 2,
      total: 3,
      pagination: { current: 1, next: 2, last: 2, records: 3 },
    })
    const next = first.body.links?.['next'] ?? ''
    assert.match(next, /^http:\/\/localhost(:80)?\/v2\/tracking_requests\?/)
    const second = await api.call({ url: next.replace(/^http:\/\/[^/]+/, ''), key })
    assert.deepEqual(
      second.many().map(({ attributes }) => attributes['request_number']),
      ['LIST0000001'],
    )
    assert.equal(second.body.links?.['next'], undefined)
    assert.deepEqual(second.body.meta?.['pagination'], { current: 2, prev: 1, last: 2, records: 3 })
    const beyond = await api.call({ url: '/v2/tracking_requests?page%5Bnumber%5D=9', key })
    assert.deepEqual(beyond.many(), [])
    const sorted = await api.call({ url: '/v2/tracking_requests?sort=created_at', key })
    assert.equal(sorted.many()[0]?.attributes['request_number'], 'LIST0000001')
  })

  test('each filter limits the list of tracking requests to those that match', async () => {
    const other = await api.newAccount()
    const key = await api.newKey(other, ['read', 'write'])
    await post(
      {
        request_type: 'bill_of_lading',
        request_number: 'FILT0000001',
        scac: 'ONEY',
        ref_numbers: ['Blue Box'],
      },
      { key },
    )
    api.clock.advance(86_400_000)
    const from = new Date(api.clock.now()).toISOString()
    await post({ request_type: 'booking_number', request_number: 'FILT0000002', scac: 'MSCU' }, { key })
    const found = async (query: string) =>
      (await api.call({ url: `/v2/tracking_requests?${query}`, key }))
        .many()
        .map(({ attributes }) => attributes['request_number'])
    const [one, two] = ['FILT0000001', 'FILT0000002']
    assert.deepEqual(await found('q=blue'), [one])
    assert.deepEqual(await found('q=filt'), [two, one])
    assert.deepEqual(await found(`filter[request_number]=${one}`), [one])
    assert.deepEqual(await found('filter[request_type]=booking'), [two])
    assert.deepEqual(await found('filter%5Bscac%5D=MEDU'), [two])
    assert.deepEqual(await found('filter[status]=created'), [])
    assert.deepEqual(await found('filter[status]=pending'), [two, one])
    assert.deepEqual(await found(`filter[created_at][start]=${from}`), [two])
    assert.deepEqual(await found(`filter[created_at][end]=${from.slice(0, 10)}`), [two, one])
    assert.deepEqual(await found(`filter[updated_at][end]=${encodeURIComponent('2020-01-01T00:00:00+01:00')}`), [])
  })

  const wrong: readonly (readonly [string, number, string])[] = [
    ['page[number]=-1', 422, 'page[number]'],
    ['page[number]=0', 422, 'page[number]'],
    ['page[number]=1.5', 422, 'page[number]'],
    ['page[size]=0', 422, 'page[size]'],
    ['page%5Bsize%5D=abc', 422, 'page[size]'],
    ['filter[status]=odd', 422, 'filter[status]'],
    ['filter[created_at][start]=yesterday', 422, 'filter[created_at][start]'],
    ['filter[created_at][start]=2026-02-30', 422, 'filter[created_at][start]'],
    [`filter[request_number]=${'A'.repeat(41)}`, 422, 'filter[request_number]'],
    ['include=nothing', 400, 'include'],
    ['include=tracked_object.nothing', 400, 'include'],
    ['include=tracked_object.containers.shipment.containers', 400, 'include'],
    ['include=constructor', 400, 'include'],
    ['sort=scac', 400, 'sort'],
    ['limit=5', 400, 'limit'],
    ['page[offset]=5', 400, 'page[offset]'],
    ['fields[tracking_request]=scac,nothing', 400, 'fields[tracking_request]'],
    ['fields[odd]=scac', 400, 'fields[odd]'],
    ['q=a&q=b', 400, 'q'],
    ['q=%00', 400, 'q'],
  ]
  for (const [query, status, parameter] of wrong) {
    test(`refuses ?${query.slice(0, 60)} and names the parameter`, async () => {
      const answer = await api.call({ url: `/v2/tracking_requests?${query}` })
      assert.equal(answer.status, status)
      assert.equal(answer.error().source?.parameter, parameter)
    })
  }

  test('PATCH changes the reference numbers and returns the complete resource', async () => {
    const { id } = (await post({ request_type: 'bill_of_lading', request_number: 'PATC0000001', scac: 'ONEY' })).one()
    const url = `/v2/tracking_requests/${id}`
    const answer = await api.call({
      method: 'PATCH',
      url,
      body: { data: { attributes: { ref_numbers: ['A', 'B'] } } },
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.one().attributes['ref_numbers'], ['A', 'B'])
    const { rows } = await api.service.pool.query('select ref_numbers from tracking_requests where id = $1', [id])
    assert.deepEqual(rows, [{ ref_numbers: ['A', 'B'] }])
    const older = await api.call({
      method: 'PATCH',
      url,
      body: { data: { id, type: 'tracking_request', attributes: { ref_number: 'C' } } },
    })
    assert.deepEqual(older.one().attributes['ref_numbers'], ['C'])
  })

  test('PATCH refuses another id or type in the body (409) and read-only attributes (422), and writes nothing', async () => {
    const { id } = (await post({ request_type: 'bill_of_lading', request_number: 'PATC0000002', scac: 'ONEY' })).one()
    const patch = (data: object) => api.call({ method: 'PATCH', url: `/v2/tracking_requests/${id}`, body: { data } })
    const attributes = { ref_numbers: ['A'] }
    assert.equal((await patch({ id: '018f0000-0000-7000-8000-000000000000', attributes })).status, 409)
    assert.equal((await patch({ type: 'shipment', attributes })).status, 409)
    const readOnly = await patch({ attributes: { ...attributes, status: 'created' } })
    assert.equal(readOnly.status, 422)
    assert.equal(readOnly.error().source?.pointer, '/data/attributes/status')
    const { rows } = await api.service.pool.query('select ref_numbers from tracking_requests where id = $1', [id])
    assert.deepEqual(rows, [{ ref_numbers: [] }])
  })

  test('include adds the account and the shipping line; an empty include adds no resources', async () => {
    const { id } = (await post({ request_type: 'bill_of_lading', request_number: 'INCL0000001', scac: 'ONEY' })).one()
    const answer = await api.call({
      url: `/v2/tracking_requests/${id}?include=account,shipping_line,customer,tracked_object`,
    })
    assert.deepEqual(
      answer.body.included?.map(({ type }) => type),
      ['account', 'shipping_line'],
    )
    assert.equal(answer.body.included?.[0]?.attributes['company_name'], 'Example Imports')
    assert.equal((await api.call({ url: `/v2/tracking_requests/${id}?include=` })).body.included?.length, 0)
  })
})
