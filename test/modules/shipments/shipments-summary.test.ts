// /v2/shipments/summary: counts by status, line, port and ship, with the filters of the list.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let carrier: Carrier
before(async () => {
  api = await openTestApi({ startAt: seededAt, hasReference: true })
  carrier = await openCarrier()
  await seedShipment(api, { carrier })
})
after(async () => {
  await carrier.close()
  await api.close()
})

const summarize = async (query: string, key = api.key) => {
  const answer = await api.call({ url: `/v2/shipments/summary?${query}`, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as unknown as { readonly data: readonly object[]; readonly meta: { readonly total: number } }
}

test('counts the shipments of each value, with the name of a line and a port', async () => {
  assert.deepEqual(await summarize('group_by=shipping_line'), {
    data: [{ key: 'ONEY', label: 'ONE', count: 1 }],
    meta: { total: 1, group_by: 'shipping_line', truncated: false },
  })
  assert.deepEqual((await summarize('group_by=port_of_discharge')).data, [
    { key: 'USLAX', label: 'Los Angeles', count: 1 },
  ])
})

test('the shipment summary accepts the filters of the list, and counts only the own account', async () => {
  const listed = (await api.call({ url: '/v2/shipments' })).body as { readonly data: readonly [{ attributes: object }] }
  const { status } = listed.data[0].attributes as { readonly status: string }
  assert.deepEqual((await summarize(`group_by=status&filter[status]=${status}&filter[each_cargo_once]=true`)).data, [
    { key: status, label: null, count: 1 },
  ])
  assert.equal((await summarize('group_by=status&filter[scac]=MAEU')).meta.total, 0)
  const stranger = await api.newKey(await api.newAccount(), ['read'])
  assert.deepEqual((await summarize('group_by=status', stranger)).data, [])
})

test('the shipment summary refuses a missing or unknown group_by, and names the parameter', async () => {
  for (const query of ['', '?group_by=', '?group_by=current_status', '?group_by=status&page[size]=5']) {
    const refused = await api.call({ url: `/v2/shipments/summary${query}` })
    assert.ok([400, 422].includes(refused.status), query)
    assert.match(refused.error().source?.parameter ?? '', /^(group_by|page\[size\])$/)
  }
})
