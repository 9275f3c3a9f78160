/** Filters of shipments and containers by their parties: rows that match, that do not match, and that have no party. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { partyRoleNames } from '../../../src/domain/values/party-role.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let carrier: Carrier
let acme: string
let kestrel: string
/** The names of the rows by their ids. */
const names = new Map<string, string>()
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  carrier = await openCarrier()
  acme = await makeParty('Acme & Sons')
  kestrel = await makeParty('Kestrel')
  const one = await seed('one', { customer: acme, shipper: acme, consignee: kestrel })
  const two = await seed('two', { shipper: kestrel })
  await seed('none', {})
  await give(`shipments/${two.shipmentId}`, 'customer', kestrel)
  await give(`shipments/${two.shipmentId}`, 'pickup_dray_carrier', kestrel)
  await give(`containers/${one.containerIds[0]}`, 'pickup_dray_carrier', acme)
})
after(async () => {
  await carrier.close()
  await api.close()
})

async function makeParty(companyName: string): Promise<string> {
  const body = { data: { type: 'party', attributes: { company_name: companyName } } }
  return (await api.call({ method: 'POST', url: '/v2/parties', body })).one().id
}

async function seed(name: 'one' | 'two' | 'none', parties: Readonly<Record<string, string>>) {
  const bill = `CNSH${{ one: 1, two: 2, none: 3 }[name]}0000000`
  const given = Object.entries(parties).map(([role, id]) => [role, { data: { type: 'party', id } }])
  const seeded = await seedShipment(api, { bill, carrier, relationships: Object.fromEntries(given) })
  const [kept = '', other = ''] = seeded.containerIds
  await api.service.pool.query('delete from containers where id = $1', [other])
  names.set(seeded.shipmentId, name)
  names.set(kept, name)
  return seeded
}

async function give(record: string, role: string, id: string): Promise<void> {
  const relationships = { party: { data: { type: 'party', id } } }
  const body = { data: { type: 'party_role', attributes: { role }, relationships } }
  assert.equal((await api.call({ method: 'POST', url: `/v2/${record}/party_roles`, body })).status, 201)
}

async function found(list: 'containers' | 'shipments', query: string): Promise<string> {
  const rows = (
    await api.call({ url: `/v2/${list}?${query.replaceAll('&', '%26').replaceAll('%26filter', '&filter')}` })
  ).many()
  return rows
    .map(({ id }) => names.get(id) ?? id)
    .sort()
    .join(' ')
}

test('containers are found by the party of each role, and by whether there is one', async () => {
  for (const [query, expected] of [
    [`filter[parties][shipper]=${acme}`, 'one'],
    [`filter[parties][shipper]=${acme.toUpperCase()},${kestrel}`, 'one two'],
    [`filter[parties][shipper][]=${acme}&filter[parties][shipper][]=${kestrel}`, 'one two'],
    [`filter[parties][shipper]=${kestrel}&filter[parties][consignee]=${kestrel}`, ''],
    [`filter[parties][shipper]=${acme}&filter[parties][consignee]=${kestrel}`, 'one'],
    ['filter[parties][consignee]=@exists', 'one'],
    ['filter[parties][consignee]=@not_exists', 'none two'],
    [`filter[parties][shipper]=018f0000-0000-7000-8000-0000000000aa`, ''],
    [`filter[parties][customer]=${acme}`, 'one'],
    [`filter[parties][customer]=${kestrel}`, 'two'],
    ['filter[parties][customer]=@not_exists', 'none'],
  ] as const)
    assert.equal(await found('containers', query), expected, query)
})

test("filter[parties][pickup_dray_carrier] finds only the container's own carrier", async () => {
  assert.equal(await found('containers', `filter[parties][pickup_dray_carrier]=${acme}`), 'one')
  assert.equal(await found('containers', `filter[parties][pickup_dray_carrier]=${kestrel}`), '')
  assert.equal(await found('containers', 'filter[parties][pickup_dray_carrier]=@not_exists'), 'none two')
})

test('customer_id and customer_name also find the customers that were added as roles', async () => {
  const account = api.context.account.id
  for (const list of ['containers', 'shipments'] as const)
    for (const [value, expected] of [
      [acme, 'one'],
      [kestrel, 'two'],
      [`${acme},${kestrel}`, 'one two'],
      [account, 'none'],
      [`${account},${acme}`, 'none one'],
      ['@exists', 'one two'],
      ['@not_exists', 'none'],
    ] as const)
      assert.equal(await found(list, `filter[customer_id]=${value}`), expected, `${list} ${value}`)
  const both = `filter[customer_id][]=${acme}&filter[customer_id][]=${kestrel}`
  assert.equal(await found('shipments', both), '', 'both must be the customer')
  assert.equal(await found('containers', 'filter[customer_name]=Kestrel'), 'two')
  assert.equal(await found('containers', 'filter[customer_name]=Acme & Sons'), 'one')
  assert.equal(await found('containers', 'filter[customer_name]=Kestrel,Acme & Sons'), 'one two')
  assert.equal(await found('containers', 'filter[customer_name]=kestrel'), '')
  assert.equal(await found('containers', 'filter[customer_name]=@not_exists'), 'none')
})

test('shipments are found by a party in any role, by one of several or by all of them', async () => {
  const value = `filter[party_id][value]=${acme},${kestrel}`
  for (const [query, expected] of [
    [`filter[party_id]=${acme}`, 'one'],
    [`filter[party_id]=${kestrel}`, 'one two'],
    [`filter[party_id]=${acme},${kestrel}`, 'one two'],
    [`filter[party_id][]=${acme}&filter[party_id][]=${kestrel}`, 'one two'],
    [value, 'one two'],
    [`${value}&filter[party_id][operator]=any`, 'one two'],
    [`${value}&filter[party_id][operator]=all`, 'one'],
    [`filter[party_id][value][]=${acme}&filter[party_id][value][]=${kestrel}&filter[party_id][operator]=all`, 'one'],
    ['filter[party_id]=@not_exists', 'none'],
    ['filter[party_id]=018f0000-0000-7000-8000-0000000000aa', ''],
  ] as const)
    assert.equal(await found('shipments', query), expected, query)
})

test('a malformed party filter is refused, and an unknown role is an unknown filter', async () => {
  for (const parameter of [
    ...partyRoleNames.map((name) => `containers?filter[parties][${name}]`),
    'shipments?filter[party_id]',
    'shipments?filter[party_id][value][]',
    'shipments?filter[party_id][operator]',
    'shipments?filter[customer_id]',
  ]) {
    const refused = await api.call({ url: `/v2/${parameter}=Acme` })
    assert.equal(refused.status, 400, parameter)
    assert.equal(refused.error().source?.parameter, parameter.split('?')[1])
  }
  const url = `/v2/containers?filter[parties][captain]=${acme}`
  assert.equal((await api.call({ url })).error().source?.parameter, 'filter[parties][captain]')
  const lenient = await api.call({ url, headers: { prefer: 'handling=lenient' } })
  assert.equal(lenient.many().length, 3)
  assert.deepEqual(lenient.body.meta?.['ignored'], [{ parameter: 'filter[parties][captain]' }])
})

test('the container summary and the filters see no parties of another account', async () => {
  const url = `/v2/containers/summary?group_by=shipping_line&filter[parties][shipper]=${acme}`
  assert.deepEqual((await api.call({ url })).body['data'], [{ key: 'ONEY', label: 'ONE', count: 1 }])
  const stranger = await api.newKey(await api.newAccount(), ['read'])
  assert.deepEqual((await api.call({ url, key: stranger })).body['data'], [])
  assert.deepEqual((await api.call({ url: `/v2/shipments?filter[party_id]=${acme}`, key: stranger })).many(), [])
})
