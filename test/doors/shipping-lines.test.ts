import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setLineEnabled } from '../../src/service/shipping-lines/enabled-lines.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

test('all 38 lines are listed at once, not by page', async () => {
  const answer = await api.call({ url: '/v2/shipping_lines' })
  assert.equal(answer.many().length, 38)
  assert.equal(answer.body.meta, undefined)
  assert.equal((await api.call({ url: '/v2/shipping_lines?page[size]=5' })).status, 400)
})

test('search finds by part of a name and by the beginning of a SCAC, an alternative one too', async () => {
  const found = async (search: string) =>
    (await api.call({ url: `/v2/shipping_lines?search=${search}` }))
      .many()
      .map(({ attributes }) => attributes['scac'])
  assert.deepEqual(await found('hapag'), ['HLCU'])
  assert.deepEqual(await found('medu'), ['MSCU'])
  assert.deepEqual(await found('no such line'), [])
  assert.equal((await found('')).length, 38)
})

test('a line is found by id, SCAC and alternative SCAC, in any case; else 404', async () => {
  const bySeal = (await api.call({ url: '/v2/shipping_lines/SEAL' })).one()
  assert.equal(bySeal.attributes['scac'], 'SEAU')
  assert.deepEqual(bySeal.attributes['alternative_scacs'], ['SEAL'])
  assert.equal((await api.call({ url: `/v2/shipping_lines/${bySeal.id}` })).one().id, bySeal.id)
  assert.equal((await api.call({ url: '/v2/shipping_lines/seau' })).one().id, bySeal.id)
  for (const id of ['ZZZZ', '018f0000-0000-7000-8000-000000000000', '%20']) {
    assert.equal((await api.call({ url: `/v2/shipping_lines/${id}` })).status, 404)
  }
})

test('track-by support is what the line has', async () => {
  const { attributes } = (await api.call({ url: '/v2/shipping_lines/COSU' })).one()
  assert.equal(attributes['bill_of_lading_tracking_support'], true)
  assert.equal(attributes['booking_number_tracking_support'], true)
  assert.equal(attributes['container_number_tracking_support'], false)
})

test('a line that is not for everybody refuses requests until the operator enables it, for that account alone', async () => {
  const other = await api.newKey(await api.newAccount(), ['read', 'write'])
  const isEnabled = async (key: string) => {
    const line = (await api.call({ url: '/v2/shipping_lines/SMLU', key })).one() as unknown as {
      readonly meta: object
    }
    return line.meta
  }
  const request = (key: string, scac: string) =>
    api.call({
      method: 'POST',
      url: '/v2/tracking_requests',
      key,
      body: {
        data: {
          type: 'tracking_request',
          attributes: { request_type: 'bill_of_lading', request_number: 'SMLU12345678', scac },
        },
      },
    })
  assert.deepEqual(await isEnabled(api.key), { access: 'account', enabled: false })
  const refused = await request(api.key, 'SMLU')
  assert.deepEqual([refused.status, refused.error().code], [422, 'carrier_not_enabled'])
  assert.equal(refused.error().source?.pointer, '/data/attributes/scac')
  assert.match(refused.error().detail, /lines enable SMLU/)
  await setLineEnabled(api.service, api.context, { scac: 'smlu', isEnabled: true })
  assert.deepEqual(await isEnabled(api.key), { access: 'account', enabled: true })
  // Past this door; that the operator has no access to the line is another matter.
  assert.equal((await request(api.key, 'SMLU')).error().code, 'carrier_not_configured')
  assert.deepEqual(await isEnabled(other), { access: 'account', enabled: false })
  assert.equal((await request(other, 'SMLU')).error().code, 'carrier_not_enabled')
  await setLineEnabled(api.service, api.context, { scac: 'SMLU', isEnabled: false })
  assert.equal((await request(api.key, 'SMLU')).error().code, 'carrier_not_enabled')
})

test('a line for everybody needs no enabling, an alternative SCAC means the line, and no key of an account can enable', async () => {
  const enable = (scac: string, context = api.context) =>
    setLineEnabled(api.service, context, { scac, isEnabled: true })
  await assert.rejects(enable('MAEU'), { code: 'invalid' })
  await assert.rejects(enable('ZZZZ'), { code: 'not_found' })
  assert.equal((await enable('PYRR')).scac, 'TRBR')
  await assert.rejects(enable('SMLU', { ...api.context, actor: { kind: 'api_key', id: 'x' } }), {
    code: 'forbidden',
  })
})

test('in fiction every line is enabled', async () => {
  const key = await api.newKey(await api.newAccount({ isFiction: true }), ['read'])
  const lines = (await api.call({ url: '/v2/shipping_lines', key })).many() as unknown as readonly {
    readonly meta: { readonly enabled: boolean }
  }[]
  assert.ok(lines.every(({ meta }) => meta.enabled))
})
