// The sort names of the v2 API on containers and shipments: rows in order of a value, those without it last.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sortedValuesMax } from '../../../src/modules/bounded-lists.ts'
import type { TestApi } from '../../support/api.ts'
import { type FilterRows, openFilterRows } from './filter-rows.ts'

let rows: FilterRows
let api: TestApi
const named = { containers: new Map<string, string>(), shipments: new Map<string, string>() }
before(async () => {
  rows = await openFilterRows()
  api = rows.api
  for (const [name, id] of Object.entries(rows.containerIds)) named.containers.set(id, name)
  for (const [name, id] of Object.entries(rows.shipmentIds)) named.shipments.set(id, name)
})
after(() => rows.close())

async function listed(list: 'containers' | 'shipments', query: string): Promise<string> {
  const answer = await api.call({ url: `/v2/${list}?${query}` })
  return answer
    .many()
    .map(({ id }) => named[list].get(id) ?? id)
    .join(' ')
}

const names = `arrival destination_ata_at destination_eta_at empty_terminated_at delivered_at picked_up_at
  pickup_lfd_line_on pickup_lfd_line_effective_on pickup_lfd_terminal_on pickup_lfd_terminal_effective_on
  pickup_lfd_rail_on pickup_lfd_rail_effective_on ind_lfd pod_arrived_at pod_discharged_at inland_destination_eta_at
  inland_destination_ata_at inland_destination_rail_unloaded_at final_destination_full_out_at pol_full_in_at
  pol_vessel_loaded_at pol_vessel_departed_at pod_rail_loaded_at empty_out_at`.split(/\s+/)

describe('containers sorted by one value; a container without it comes last in both directions', () => {
  for (const name of names)
    test(name, async () => {
      assert.equal(await listed('containers', `sort=${name}`), 'early late unknown')
      assert.equal(await listed('containers', `sort=-${name}`), 'late early unknown')
    })

  test('shipment_number', async () => {
    assert.equal(await listed('containers', 'sort=shipment_number'), 'early late unknown')
    assert.equal(await listed('containers', 'sort=-shipment_number'), 'unknown late early')
  })
})

const heads = {
  containers: `free_until,number current_status shipping_line_scac customer_name ref_numbers pol pod destination vessel_name
    pod_terminal holds_at_pod_terminal fees_at_pod_terminal pickup_appointment_at`,
  shipments: 'bill_of_lading_number status shipping_line_scac customer_name ref_numbers pol pod vessel_name',
}
for (const [list, names_] of Object.entries(heads))
  test(`${list} are sorted by each column of the portal's list`, async () => {
    const all = list === 'containers' ? ['early', 'late', 'unknown'] : [...named.shipments.values()].toSorted()
    for (const name of names_.split(/\s+/))
      for (const sort of [name, `-${name}`]) {
        const found = await listed(list as 'containers' | 'shipments', `sort=${sort}`)
        assert.deepEqual(found.split(' ').toSorted(), all, sort)
      }
  })

test('statuses are sorted in the order of a journey, and names of places by the alphabet', async () => {
  const { rows: stored } = await api.service.pool.query('select id, status, projection from containers')
  const set = (name: string, status: string, port: string) =>
    api.service.pool.query(
      `update containers set status = $2, projection = jsonb_set(projection, '{portOfDischarge,place,name}', to_jsonb($3::text))
        where id = $1`,
      [rows.containerIds[name as keyof typeof rows.containerIds], status, port],
    )
  await set('early', 'picked_up', 'Savannah')
  await set('late', 'new', 'Newark')
  await set('unknown', 'grounded', 'Long Beach')
  assert.equal(await listed('containers', 'sort=current_status'), 'late unknown early')
  assert.equal(await listed('containers', 'sort=-pod'), 'early late unknown')
  for (const { id, status, projection } of stored)
    await api.service.pool.query('update containers set status = $2, projection = $3 where id = $1', [
      id,
      status,
      JSON.stringify(projection),
    ])
})

test('a name with an index sorts as before: an unknown day counts as later than any other', async () => {
  assert.equal(await listed('containers', 'sort=pickup_lfd'), 'early late unknown')
  assert.equal(await listed('containers', 'sort=-pickup_lfd'), 'unknown late early')
  assert.equal(await listed('containers', 'sort=-last_status_refresh_at'), 'late early unknown')
})

test('of several names the first decides, then the next', async () => {
  const { pool } = api.service
  const setDelivered = (of: string) =>
    pool.query(`update containers set projection = jsonb_set(projection, '{deliveredAt}', $1)`, [of])
  const stored = await pool.query('select id, projection from containers')
  await setDelivered(JSON.stringify({ kind: 'instant', at: '2026-03-01T00:00:00.000Z' }))
  assert.equal(await listed('containers', 'sort=delivered_at,-arrival'), 'late early unknown')
  assert.equal(await listed('containers', 'sort=-delivered_at,arrival,number'), 'early late unknown')
  assert.equal(await listed('containers', 'sort=-created_at,delivered_at'), 'late early unknown')
  for (const { id, projection } of stored.rows)
    await pool.query('update containers set projection = $2 where id = $1', [id, JSON.stringify(projection)])
})

test('pages by number follow the order, with the total and links, and a page beyond the end is empty', async () => {
  const page = (number: number) => api.call({ url: `/v2/containers?sort=-arrival&page[size]=2&page[number]=${number}` })
  const [first, second, third] = [await page(1), await page(2), await page(3)]
  const namesOf = (answer: typeof first) => answer.many().map(({ id }) => named.containers.get(id))
  assert.deepEqual([first, second, third].map(namesOf), [['late', 'early'], ['unknown'], []])
  assert.deepEqual(
    [first, second, third].map(({ body }) => body.meta?.['total']),
    [3, 3, 3],
  )
  const links = first.body['links'] as { readonly next?: string }
  assert.match(links.next ?? '', /page%5Bnumber%5D=2|page\[number\]=2/)
  assert.equal((second.body['links'] as { readonly next?: string }).next, undefined)
  assert.equal(await listed('containers', 'sort=-arrival&filter[arrival]=2026-03-10'), 'early')
  assert.equal(await listed('containers', 'sort=arrival&include=shipment'), 'early late unknown')
})

test('positions, exports, four names and an unknown name are refused, and the error names the parameter', async () => {
  for (const [query, status, parameter] of [
    ['sort=arrival&page[after]=', 400, 'page[after]'],
    ['sort=arrival&page[before]=', 400, 'page[before]'],
    ['sort=arrival&page[number]=401&page[size]=100', 422, 'page[number]'],
    ['sort=arrival&format=csv', 400, 'sort'],
    ['sort=arrival,number,created_at,pickup_lfd', 400, 'sort'],
    ['sort=arrival,', 400, 'sort'],
    ['sort=arrival,urgency', 400, 'sort'],
    ['sort=arrival,colour', 400, 'sort'],
    ['sort=delivery_appointment_at', 400, 'sort'],
    [`sort=${encodeURIComponent("arrival';--")}`, 400, 'sort'],
    ['sort=keys:arrival', 400, 'sort'],
  ] as const) {
    const refused = await api.call({ url: `/v2/containers?${query}` })
    assert.equal(refused.status, status, `${query} ${refused.text}`)
    assert.equal(refused.error().source?.parameter, parameter, query)
  }
})

test('lenient handling ignores only the names that are wrong', async () => {
  const headers = { prefer: 'handling=lenient' }
  const answer = await api.call({ url: '/v2/containers?sort=colour,-arrival', headers })
  assert.equal(named.containers.get(answer.many()[0]?.id ?? ''), 'late')
  assert.deepEqual(answer.body.meta?.['ignored'], [{ parameter: 'sort' }])
  assert.equal((await api.call({ url: '/v2/containers?sort=colour', headers })).status, 200)
})

test('another account sees none of these rows', async () => {
  const key = await api.newKey(await api.newAccount(), ['read'])
  assert.deepEqual((await api.call({ url: '/v2/containers?sort=arrival', key })).many(), [])
})

test('shipments are sorted by arrival at the port of discharge or by the end of tracking', async () => {
  assert.equal(await listed('shipments', 'sort=pod_arrival'), 'early late unknown')
  assert.equal(await listed('shipments', 'sort=-pod_arrival'), 'late early unknown')
  for (const sort of ['tracking_stopped_at', '-tracking_stopped_at'])
    assert.equal(await listed('shipments', `sort=${sort},pod_arrival`), 'late early unknown', sort)
  assert.equal(await listed('shipments', 'sort=-created_at'), 'late early unknown')
  assert.equal((await api.call({ url: '/v2/shipments?sort=pod_arrival&page[after]=' })).status, 400)
  assert.equal((await api.call({ url: '/v2/shipments?sort=colour' })).status, 400)
})

test('a saved view stores such an order', async () => {
  const attributes = { name: 'By arrival', table: 'containers', query: { sort: '-arrival,number' } }
  const body = { data: { type: 'saved_view', attributes } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/saved_views', body })).status, 201)
})

test('an order without an index is refused where too many rows match, and filters make it possible', async () => {
  const client = await api.service.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into containers (account_id, id, shipment_id, number, trip, status, ref_numbers, projection, created_at, updated_at, scac)
       select account_id, gen_random_uuid(), shipment_id, 'FULL' || lpad(n::text, 7, '0'), 1, status, '{}', projection - 'milestones', created_at, updated_at, 'ZIMU'
         from (select * from containers limit 1) c, generate_series(1, ${sortedValuesMax / 2}) as n`,
    )
  } finally {
    client.release(true)
  }
  assert.equal((await api.call({ url: '/v2/containers?sort=arrival' })).many().length, 30)
  const refused = await api.call({ url: '/v2/containers?sort=arrival,created_at' })
  assert.equal(refused.status, 422)
  assert.equal(refused.error().source?.parameter, 'sort')
  assert.equal((await api.call({ url: '/v2/containers?sort=pickup_lfd' })).status, 200)
  assert.equal(
    await listed('containers', 'sort=-arrival,created_at&filter[shipping_line_scac]=ONEY,MAEU'),
    'late early',
  )
})
