import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
