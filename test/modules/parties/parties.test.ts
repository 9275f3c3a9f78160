/** Parties, and the customer that a shipment inherits from its tracking request. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let seeded: Seeded
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const makeParty = async (companyName: string): Promise<WireResource> =>
  (
    await api.call({
      method: 'POST',
      url: '/v2/parties',
      body: { data: { type: 'party', attributes: { company_name: companyName } } },
    })
  ).one()

const audits = async (targetId: string): Promise<readonly unknown[]> =>
  (
    await api.service.pool.query(
      'select action, actor_type, actor_id is not null as named, diff from audit_events where target_id = $1 order by id',
      [targetId],
    )
  ).rows

describe('parties', () => {
  test('can be created, listed, read and renamed, and show who changed them', async () => {
    const made = await makeParty('  Blue Whale Toys ')
    assert.deepEqual(made.attributes, { company_name: 'Blue Whale Toys' })
    api.clock.advance(1_000)
    const second = await makeParty('Acme')
    const list = await api.call({ url: '/v2/parties?page[size]=1' })
    assert.deepEqual(
      list.many().map(({ id }) => id),
      [second.id],
    )
    assert.equal(list.body.meta?.['total'], 2)
    const renamed = await api.call({
      method: 'PATCH',
      url: `/v2/parties/${made.id}`,
      body: { data: { id: made.id, attributes: { company_name: 'Blue Whale GmbH' } } },
    })
    assert.equal(renamed.one().attributes['company_name'], 'Blue Whale GmbH')
    const meta = (renamed.body.data as { meta: { last_changed_by: { actor: { type: string } } } }).meta
    assert.equal(meta.last_changed_by.actor.type, 'api_key')
    assert.deepEqual(await audits(made.id), [
      {
        action: 'party.created',
        actor_type: 'api_key',
        named: true,
        diff: { companyName: [null, 'Blue Whale Toys'] },
      },
      {
        action: 'party.updated',
        actor_type: 'api_key',
        named: true,
        diff: { companyName: ['Blue Whale Toys', 'Blue Whale GmbH'] },
      },
    ])
  })

  test('are found by a part of their name, in upper or lower case', async () => {
    const party = await makeParty('North_Sea 100% Cargo')
    const foundBy = async (query: string, key = api.key) =>
      (await api.call({ url: `/v2/parties?query=${encodeURIComponent(query)}`, key })).many().map(({ id }) => id)
    assert.deepEqual(await foundBy('SEA 100%'), [party.id])
    assert.deepEqual(await foundBy('h_s'), [party.id], 'no character stands for others')
    assert.deepEqual(await foundBy('sea cargo'), [])
    const other = await api.newAccount()
    assert.deepEqual(await foundBy('north', await api.newKey(other, ['read'])), [])
  })

  test('cannot be written with an invalid name, by a read-only key or by another account', async () => {
    const post = (attributes: object, key = api.key) =>
      api.call({ method: 'POST', url: '/v2/parties', key, body: { data: { type: 'party', attributes } } })
    assert.equal((await post({ company_name: '   ' })).error().source?.pointer, '/data/attributes/company_name')
    assert.equal((await post({})).error().source?.pointer, '/data/attributes/company_name')
    const reader = await api.newKey(api.context, ['read'])
    assert.equal((await post({ company_name: 'X' }, reader)).status, 403)
    const party = await makeParty('Ours')
    const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
    assert.equal((await api.call({ url: `/v2/parties/${party.id}`, key: stranger })).status, 404)
    assert.deepEqual((await api.call({ url: '/v2/parties', key: stranger })).many(), [])
    const theft = await api.call({
      method: 'PATCH',
      url: `/v2/parties/${party.id}`,
      key: stranger,
      body: { data: { attributes: { company_name: 'Theirs' } } },
    })
    assert.equal(theft.status, 404)
  })

  test('cannot be changed with an outdated If-Match header (412)', async () => {
    const { id } = await makeParty('Tagged')
    const url = `/v2/parties/${id}`
    const tag = String((await api.call({ url })).headers['etag'])
    const rename = (companyName: string) =>
      api.call({
        method: 'PATCH',
        url,
        headers: { 'if-match': tag },
        body: { data: { attributes: { company_name: companyName } } },
      })
    assert.equal((await rename('First')).status, 200)
    assert.equal((await rename('Second')).status, 412)
    assert.equal((await api.call({ url })).one().attributes['company_name'], 'First')
  })

  test('are recorded in an audit log that cannot be altered', async () => {
    const { pool } = api.service
    await assert.rejects(pool.query(`update audit_events set action = 'x'`), /append-only/)
    await assert.rejects(pool.query('delete from audit_events'), /append-only/)
  })
})

describe('the customer of a tracking request', () => {
  const track = (number: string, customer: unknown, key = api.key) =>
    api.call({
      method: 'POST',
      url: '/v2/tracking_requests?include=customer',
      key,
      body: {
        data: {
          type: 'tracking_request',
          attributes: { request_type: 'bill_of_lading', request_number: number, scac: 'ONEY' },
          relationships: { customer: { data: customer } },
        },
      },
    })

  test('is shown on the request, inherited by the shipment, and follows a new name at once', async () => {
    const party = await makeParty('Green Sea Foods')
    const customer = { data: { type: 'party', id: party.id } }
    const answers = await seedShipment(api, {
      bill: 'CNSH77770002',
      carrier: seeded.carrier,
      relationships: { customer },
    })
    const request = await api.call({
      url: `/v2/tracking_requests/${answers.trackingRequestId}?include=customer`,
    })
    assert.deepEqual(request.one().relationships?.['customer'], customer)
    assert.ok(request.body.included?.some(({ id }) => id === party.id))
    const url = `/v2/containers/${answers.containerIds[0]}?include=shipment.customer`
    const nameOf = async () =>
      (await api.call({ url })).body.included?.find(({ type }) => type === 'shipment')?.attributes['customer_name']
    assert.equal(await nameOf(), 'Green Sea Foods')
    await api.call({
      method: 'PATCH',
      url: `/v2/parties/${party.id}`,
      body: { data: { attributes: { company_name: 'Green Sea' } } },
    })
    assert.equal(await nameOf(), 'Green Sea')
  })

  test('may be null, and must otherwise be a party of the account', async () => {
    assert.equal((await track('CNSH77770003', null)).one().relationships?.['customer']?.data, null)
    const other = await api.newKey(await api.newAccount(), ['read', 'write'])
    const ours = await makeParty('Ours only')
    for (const [customer, key, pointer] of [
      [{ type: 'party', id: '018f0000-0000-7000-8000-000000000000' }, api.key, 'id'],
      [{ type: 'party', id: ours.id }, other, 'id'],
      [{ type: 'party', id: 'x' }, api.key, 'id'],
      [{ type: 'user', id: ours.id }, api.key, 'type'],
    ] as const) {
      const answer = await track('CNSH77770004', customer, key)
      assert.equal(answer.status, 422)
      assert.equal(answer.error().source?.pointer, `/data/relationships/customer/data/${pointer}`)
    }
  })
})
