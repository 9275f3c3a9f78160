/** Roles of parties on shipments, containers and tracking requests: given, listed, removed, and copied to the shipment. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createApiKey } from '../../../src/modules/api-keys/create-api-key.ts'
import { type Answer, openTestApi, type TestApi } from '../../support/api.ts'
import { openCarrier } from '../../support/carrier.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'
import { giveAccess } from '../../support/service.ts'
import { box, journey } from '../../support/tracking-harness.ts'

let api: TestApi
let seeded: Seeded
let acme: string
let kestrel: string
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  acme = await makeParty('Acme')
  kestrel = await makeParty('Kestrel')
  seeded = await seedShipment(api)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

async function makeParty(companyName: string, key = api.key): Promise<string> {
  const body = { data: { type: 'party', attributes: { company_name: companyName } } }
  return (await api.call({ method: 'POST', url: '/v2/parties', key, body })).one().id
}

const party = (id: string) => ({ data: { type: 'party', id } })
const roleBody = (role: unknown, id: string) => ({
  data: { type: 'party_role', attributes: { role }, relationships: { party: party(id) } },
})
const give = (record: string, role: unknown, id: string, key = api.key): Promise<Answer> =>
  api.call({ method: 'POST', url: `/v2/${record}/party_roles`, key, body: roleBody(role, id) })
const remove = (record: string, id: string, key = api.key): Promise<Answer> =>
  api.call({ method: 'DELETE', url: `/v2/${record}/party_roles/${id}`, key })

/** `role party`, the customer that a request named first, the others by name. */
async function rolesOf(record: string): Promise<readonly string[]> {
  const list = await api.call({ url: `/v2/${record}/party_roles` })
  const names = new Map(list.body.included?.map(({ id, attributes }) => [id, attributes['company_name']]))
  const [first, ...others] = list.many().map(({ attributes, relationships }) => {
    const { id } = (relationships?.['party']?.data ?? {}) as { readonly id?: string }
    return `${attributes['role']} ${names.get(id ?? '')}`
  })
  return first === undefined ? [] : first.startsWith('customer') ? [first, ...others.sort()] : [first, ...others].sort()
}

const countRows = async (): Promise<unknown> =>
  (await api.service.pool.query('select count(*) as n from party_roles')).rows[0]

const track = (attributes: object, relationships: object): Promise<Answer> =>
  api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    body: {
      data: {
        type: 'tracking_request',
        attributes,
        relationships,
      },
    },
  })

describe('a role of a party', () => {
  test('is given, listed with its party, and removed on each kind of record', async () => {
    for (const [record, role, type] of [
      [`shipments/${seeded.shipmentId}`, 'shipper', 'Shipment'],
      [`containers/${seeded.containerIds[0]}`, 'pickup_dray_carrier', 'Cargo'],
      [`tracking_requests/${seeded.trackingRequestId}`, 'notify_party', 'TrackingRequest'],
    ] as const) {
      const made = await give(record, role, acme)
      assert.equal(made.status, 201)
      const { id, attributes, relationships } = made.one()
      assert.equal(attributes['role'], role)
      assert.equal(attributes['roleable_type'], type)
      assert.equal(attributes['roleable_id'], record.split('/')[1])
      assert.equal(attributes['updated_at'], attributes['created_at'])
      assert.deepEqual(relationships?.['party']?.data, { type: 'party', id: acme })
      assert.deepEqual(
        made.body.included?.map((each) => each.id),
        [acme],
      )
      assert.match(made.body.links?.['self'] ?? '', /party_roles$/)
      const list = await api.call({ url: `/v2/${record}/party_roles` })
      assert.deepEqual(
        list.many().map((each) => each.id),
        [id],
      )
      assert.equal(list.body.meta?.['total'], 1)
      assert.deepEqual(await rolesOf(record), [`${role} Acme`])
      assert.equal((await remove(record, id)).status, 204)
      assert.equal((await remove(record, id)).status, 404)
      assert.deepEqual(await rolesOf(record), [])
      assert.equal((await api.call({ url: `/v2/parties/${acme}` })).status, 200, 'the party stays')
    }
    const copied = await rolesOf(`shipments/${seeded.shipmentId}`)
    assert.deepEqual(copied, ['notify_party Acme'], 'the shipment keeps what the request gave it')
  })

  test('can be that of several parties, and a party can have several', async () => {
    const record = `shipments/${seeded.shipmentId}`
    await give(record, 'consignee', acme)
    await give(record, 'consignee', kestrel)
    await give(record, 'customs_broker', kestrel)
    assert.deepEqual(await rolesOf(record), [
      'consignee Acme',
      'consignee Kestrel',
      'customs_broker Kestrel',
      'notify_party Acme',
    ])
    const page = await api.call({ url: `/v2/${record}/party_roles?page[size]=1&page[number]=2` })
    assert.deepEqual([page.many().length, page.body.meta?.['total']], [1, 4])
    const before = await countRows()
    const again = await give(record, 'consignee', acme)
    assert.deepEqual([again.status, again.error().code], [422, 'duplicate'])
    assert.deepEqual(await countRows(), before)
  })

  test('is given once when two programs give it at the same moment', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => (await give(`shipments/${seeded.shipmentId}`, 'shipper', kestrel)).status),
    )
    assert.deepEqual(statuses.sort(), [201, 422, 422, 422, 422, 422])
  })

  test('is refused if it is unknown or not for this record, or if the party is missing', async () => {
    const before = await countRows()
    const shipment = `shipments/${seeded.shipmentId}`
    const container = `containers/${seeded.containerIds[0]}`
    for (const [record, role] of [
      [shipment, 'captain'],
      [shipment, 7],
      [container, 'shipper'],
      [container, 'customer'],
    ] as const) {
      const refused = await give(record, role, acme)
      assert.equal(refused.status, 422)
      assert.equal(refused.error().source?.pointer, '/data/attributes/role')
    }
    const url = `/v2/${shipment}/party_roles`
    for (const [relationships, pointer] of [
      [{}, '/data/relationships/party'],
      [{ party: { data: null } }, '/data/relationships/party'],
      [{ party: { data: { type: 'account', id: acme } } }, '/data/relationships/party/data/type'],
      [{ party: party('nobody') }, '/data/relationships/party/data/id'],
      [{ party: party(acme), agent: party(acme) }, '/data/relationships/agent'],
    ] as const) {
      const body = { data: { type: 'party_role', attributes: { role: 'shipper' }, relationships } }
      const refused = await api.call({ method: 'POST', url, body })
      assert.equal(refused.status, 422)
      assert.equal(refused.error().source?.pointer, pointer)
    }
    const unknown = await give(shipment, 'shipper', '018f0000-0000-7000-8000-0000000000aa')
    assert.equal(unknown.status, 404)
    assert.equal(unknown.error().source?.pointer, '/data/relationships/party/data/id')
    assert.deepEqual(await countRows(), before)
  })

  test('is limited to a hundred for a record', async () => {
    const record = `containers/${seeded.containerIds[1]}`
    await api.service.pool.query(
      `with made as (
         insert into parties (account_id, id, company_name, created_at, updated_at, last_changed_by)
         select account_id, gen_random_uuid(), 'One of many', created_at, updated_at, last_changed_by
           from parties, generate_series(1, 100) where id = $1 returning account_id, id)
       insert into party_roles (account_id, id, record_type, record_id, role, party_id, created_at)
       select account_id, gen_random_uuid(), 'container', $2, 'pickup_dray_carrier', id, now() from made`,
      [acme, seeded.containerIds[1]],
    )
    const refused = await give(record, 'pickup_dray_carrier', acme)
    assert.equal(refused.status, 422)
    assert.match(refused.error().detail, /at most 100 roles/)
    await api.service.pool.query('delete from party_roles where record_id = $1', [seeded.containerIds[1]])
  })

  test('is written to the audit log with who gave and who removed it', async () => {
    const record = `shipments/${seeded.shipmentId}`
    const { id } = (await give(record, 'freight_forwarder', acme)).one()
    api.clock.advance(1_000)
    await remove(record, id)
    const admin = await api.newKey(api.context, ['read', 'write', 'admin'])
    const events = await api.call({ url: `/v2/audit_events?filter[target]=${id}&sort=created_at`, key: admin })
    assert.deepEqual(
      events
        .many()
        .map(({ attributes: { action, actor, target } }) => [
          action,
          (actor as { type: string }).type,
          (target as { name: string }).name,
        ]),
      [
        ['party_role.created', 'api_key', 'Acme'],
        ['party_role.deleted', 'api_key', 'Acme'],
      ],
    )
  })

  test('of another account cannot be seen, given or removed', async () => {
    const stranger = await api.newAccount()
    const key = await api.newKey(stranger, ['read', 'write'])
    const record = `shipments/${seeded.shipmentId}`
    const foreign = await makeParty('Stranger', key)
    assert.equal((await api.call({ url: `/v2/${record}/party_roles`, key })).status, 404)
    assert.equal((await give(record, 'shipper', foreign, key)).status, 404)
    assert.equal((await give(record, 'captain', foreign, key)).status, 404, 'before the body is looked at')
    assert.equal((await give(record, 'freight_forwarder', foreign)).status, 404)
    const [role] = (await api.call({ url: `/v2/${record}/party_roles` })).many()
    assert.equal((await remove(record, role?.id ?? '', key)).status, 404)
    const other = `containers/${seeded.containerIds[0]}`
    assert.equal((await remove(other, role?.id ?? '')).status, 404, 'it is a role of the shipment alone')
    const reader = await api.newKey(api.context, ['read'])
    assert.equal((await give(record, 'freight_forwarder', acme, reader)).status, 403)
  })
})

describe('the parties of a tracking request', () => {
  test('become roles of its shipment when it comes, also those that were given meanwhile', async () => {
    const carrier = await openCarrier()
    const names = ['consignee', 'notify_party', 'customs_broker', 'freight_forwarder', 'pickup_dray_carrier']
    const relationships = {
      customer: party(acme),
      shipper: party(kestrel),
      ...Object.fromEntries(names.map((name) => [name, party(acme)])),
    }
    const { trackingRequestId, shipmentId } = await seedShipment(api, {
      bill: 'CNSH20000000',
      carrier,
      relationships,
      meanwhile: async () => {
        const [request] = (await api.call({ url: '/v2/tracking_requests?page[size]=1' })).many()
        const record = `tracking_requests/${request?.id}`
        assert.equal((await give(record, 'shipper', acme)).status, 201)
        assert.equal((await give(record, 'customer', acme)).status, 422, 'the request named this customer')
        await give(record, 'customer', kestrel)
      },
    })
    const others = [...names.map((name) => `${name} Acme`), 'shipper Kestrel', 'shipper Acme', 'customer Kestrel']
    const expected = ['customer Acme', ...others.sort()]
    assert.deepEqual(await rolesOf(`tracking_requests/${trackingRequestId}`), expected)
    assert.deepEqual(await rolesOf(`shipments/${shipmentId}`), expected)
    const included = await api.call({ url: `/v2/tracking_requests/${trackingRequestId}?include=party_roles.party` })
    assert.equal(included.body.included?.filter(({ type }) => type === 'party_role').length, expected.length)

    const shipment = `shipments/${shipmentId}`
    const [customer, removed] = (await api.call({ url: `/v2/${shipment}/party_roles` })).many()
    const kept = await remove(shipment, customer?.id ?? '')
    assert.deepEqual([kept.status, kept.error().code], [409, 'conflict'])
    const [named] = (await api.call({ url: `/v2/tracking_requests/${trackingRequestId}/party_roles` })).many()
    assert.equal((await remove(`tracking_requests/${trackingRequestId}`, named?.id ?? '')).status, 409)
    await remove(shipment, removed?.id ?? '')
    await give(`tracking_requests/${trackingRequestId}`, 'consignee', kestrel)
    const roles = (await api.call({ url: `/v2/${shipment}/party_roles` })).many()
    assert.ok(
      (await rolesOf(shipment)).includes('consignee Kestrel'),
      'the shipment exists, so it gets the role at once',
    )
    assert.equal(roles.length, expected.length, 'and the role that was removed from it does not come back')
    await carrier.close()
  })

  test('are added to a shipment that exists, whose customer stays', async () => {
    const carrier = await openCarrier()
    const bill = 'HLCUSHA260100003'
    carrier.answers({ json: journey(bill, 'sailed') })
    await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
    const request = async (type: string, number: string, relationships: object) => {
      const made = await track({ request_type: type, request_number: number, scac: 'HLCU' }, relationships)
      await api.drain()
      const { one } = await api.call({ url: `/v2/tracking_requests/${made.one().id}` })
      return ((one().relationships?.['tracked_object']?.data ?? {}) as { readonly id?: string }).id
    }
    const shipmentId = await request('bill_of_lading', bill, { customer: party(acme) })
    const other = { customer: party(kestrel), freight_forwarder: party(kestrel) }
    assert.equal(await request('container', box, other), shipmentId)
    assert.deepEqual(await rolesOf(`shipments/${shipmentId}`), [
      'customer Acme',
      'customer Kestrel',
      'freight_forwarder Kestrel',
    ])
    const { one } = await api.call({ url: `/v2/shipments/${shipmentId}` })
    assert.equal(one().attributes['customer_name'], 'Acme')
    await carrier.close()
  })

  test('reach the shipment although a role is given at the moment when it comes', async () => {
    const attributes = { request_type: 'bill_of_lading', request_number: 'CNSH40000000', scac: 'ONEY' }
    const { id } = (await track(attributes, {})).one()
    const db = await api.service.pool.connect()
    await db.query('begin')
    const accountId = api.context.account.id
    await db.query('select from tracking_requests where account_id = $1 and id = $2 for update', [accountId, id])
    const given = give(`tracking_requests/${id}`, 'pickup_dray_carrier', kestrel)
    assert.equal(await Promise.race([given, setTimeout(200, 'waits')]), 'waits')
    await db.query('update tracking_requests set shipment_id = $3 where account_id = $1 and id = $2', [
      accountId,
      id,
      seeded.shipmentId,
    ])
    await db.query('commit')
    db.release()
    assert.equal((await given).status, 201)
    assert.ok((await rolesOf(`shipments/${seeded.shipmentId}`)).includes('pickup_dray_carrier Kestrel'))
  })

  test('are refused if the account does not have one of them, and nothing is written', async () => {
    const before = await countRows()
    const foreign = await makeParty('Stranger', await api.newKey(await api.newAccount(), ['read', 'write']))
    for (const [relationships, pointer] of [
      [{ shipper: party(acme), consignee: party(foreign) }, '/data/relationships/consignee/data/id'],
      [{ shipper: party('nobody') }, '/data/relationships/shipper/data/id'],
      [{ shipper: {} }, '/data/relationships/shipper/data'],
      [{ captain: party(acme) }, '/data/relationships/captain'],
    ] as const) {
      const attributes = { request_type: 'bill_of_lading', request_number: 'CNSH30000000', scac: 'ONEY' }
      const refused = await track(attributes, relationships)
      assert.equal(refused.status, 422)
      assert.equal(refused.error().source?.pointer, pointer)
    }
    assert.deepEqual(await countRows(), before)
    assert.equal(
      (await api.call({ url: '/v2/tracking_requests?filter[request_number]=CNSH30000000' })).many().length,
      0,
    )
  })
})

describe('flag[parties]', () => {
  test('adds the relationship to shipments, and include adds the roles and parties', async () => {
    const single = `/v2/shipments/${seeded.shipmentId}`
    const plain = (await api.call({ url: single })).one()
    assert.equal(plain.relationships?.['party_roles'], undefined)
    for (const url of [single, '/v2/shipments']) {
      const flagged = await api.call({ url: `${url}?flag[parties]=true` })
      const shipment = [flagged.body.data].flat().find((each) => (each as { id: string }).id === seeded.shipmentId)
      const linked = (shipment as typeof plain).relationships?.['party_roles']?.data as readonly { id: string }[]
      const roles = (await api.call({ url: `${single}/party_roles` })).many()
      assert.deepEqual(
        linked.map(({ id }) => id),
        roles.map(({ id }) => id),
      )
      assert.equal(flagged.body.included, undefined)
      const both = await api.call({ url: `${url}?flag[parties]=true&include=party_roles.party` })
      const types = new Set(both.body.included?.map(({ type }) => type))
      assert.deepEqual([...types].sort(), ['party', 'party_role'])
      assert.ok(linked.every(({ id }) => both.body.included?.some((each) => each.id === id)))
    }
    const asOf = new Date(api.service.clock.now()).toISOString()
    const then = await api.call({ url: `${single}?flag[parties]=true&as_of=${asOf}` })
    assert.ok(then.one().relationships?.['party_roles'], 'of an earlier moment the present roles are shown')
    const none = await api.call({ url: `${single}?flag[parties]=false` })
    assert.equal(none.one().relationships?.['party_roles'], undefined)
    assert.equal((await api.call({ url: `${single}?flag[parties]=maybe` })).status, 422)
  })

  test('does not change the tag that If-Match compares', async () => {
    const url = `/v2/shipments/${seeded.shipmentId}`
    const { headers } = await api.call({ url: `${url}?flag[parties]=true` })
    const body = { data: { type: 'shipment', attributes: { ref_numbers: ['PO-78'] } } }
    const changed = await api.call({ method: 'PATCH', url, body, headers: { 'if-match': String(headers['etag']) } })
    assert.equal(changed.status, 200)
  })

  test('and the roles are refused to a key that is in a public page', async () => {
    const origin = 'https://www.example.com'
    const { key } = await createApiKey(api.service, {
      accountId: api.context.account.id,
      name: 'Page',
      scopes: ['read'],
      kind: 'publishable',
      allowedOrigins: [origin],
    })
    const url = `/v2/shipments/${seeded.shipmentId}`
    for (const each of [`${url}?flag[parties]=true`, `${url}?include=party_roles`, `${url}/party_roles`])
      assert.equal((await api.call({ url: each, key, headers: { origin } })).status, 403, each)
  })
})
