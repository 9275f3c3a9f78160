// /v2/containers/summary: counts by status, terminal, line and port, with the filters of the list.
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

interface Summary {
  readonly data: readonly { readonly key: string | null; readonly label: string | null; readonly count: number }[]
  readonly meta: { readonly total: number; readonly group_by: string; readonly truncated: boolean }
}
const summarize = async (query: string, key = api.key): Promise<Summary> => {
  const answer = await api.call({ url: `/v2/containers/summary?${query}`, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as unknown as Summary
}

test('counts the containers of each value, with the name of a line and a port', async () => {
  assert.deepEqual(await summarize('group_by=shipping_line'), {
    data: [{ key: 'ONEY', label: 'ONE', count: 2 }],
    meta: { total: 2, group_by: 'shipping_line', truncated: false },
  })
  const byStatus = await summarize('group_by=current_status')
  assert.equal(
    byStatus.data.reduce((sum, { count }) => sum + count, 0),
    2,
  )
  const [port] = (await summarize('group_by=port_of_discharge')).data
  assert.deepEqual([port?.key, port?.label], ['USLAX', 'Los Angeles'])
  const [from] = (await summarize('group_by=port_of_lading')).data
  assert.deepEqual([typeof from?.key, from?.count], ['string', 2])
  assert.deepEqual(
    (await summarize('group_by=vessel')).data.map(({ count }) => count),
    [2],
  )
})

test('the container summary counts unknown values in a group with the key null', async () => {
  await api.service.pool.query(
    `update containers set projection = jsonb_set(projection, '{portOfDischarge,place}', 'null') where number = 'MSCU4000005'`,
  )
  const { data } = await summarize('group_by=port_of_discharge')
  assert.deepEqual(
    data.map(({ key, count }) => [key, count]),
    [
      ['USLAX', 1],
      [null, 1],
    ],
  )
})

test('the container summary accepts the filters of the container list, and counts only the own account', async () => {
  assert.equal((await summarize('group_by=current_status&filter[number]=MSCU4000010')).meta.total, 1)
  assert.equal((await summarize('group_by=current_status&filter[scac]=MAEU')).meta.total, 0)
  const stranger = await api.newKey(await api.newAccount(), ['read'])
  assert.deepEqual((await summarize('group_by=pod_terminal', stranger)).data, [])
})

test('the container summary returns at most 200 groups, and states if it was truncated', async () => {
  const { rows } = await api.service.pool.query<{ id: string }>(
    `select id from containers where number = 'MSCU4000010'`,
  )
  await api.service.pool.query(
    `insert into containers (account_id, id, shipment_id, number, trip, status, projection, created_at, updated_at, scac)
     select account_id, gen_random_uuid(), shipment_id, number, n + 10, status,
            jsonb_set(projection, '{portOfDischarge,place,unlocode}', to_jsonb('XX' || lpad(n::text, 3, '0'))),
            created_at, updated_at, scac
       from containers, generate_series(1, 205) as n where id = $1`,
    [rows[0]?.id],
  )
  const { data, meta } = await summarize('group_by=port_of_discharge')
  assert.deepEqual([data.length, meta.truncated, meta.total], [200, true, 207])
})

test('the container summary refuses a missing or unknown group_by, and names the parameter', async () => {
  for (const query of ['', '?group_by=', '?group_by=hold_type', '?group_by=current_status&page[size]=5']) {
    const refused = await api.call({ url: `/v2/containers/summary${query}` })
    assert.ok([400, 422].includes(refused.status), query)
    assert.match(refused.error().source?.parameter ?? '', /^(group_by|page\[size\])$/)
  }
})
