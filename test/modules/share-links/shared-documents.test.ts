// What a share link shows to anybody: the journey, and nothing of the account, its people and its customers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { paper, testReaders } from '../../support/document-readers.ts'
import { handIn } from '../../support/hand-in.ts'
import { seedRoute } from '../../support/route-seed.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

interface Shared {
  readonly company_name: string | null
  readonly has_more: boolean
  readonly shipments: readonly {
    readonly bill_of_lading_number: string | null
    readonly booking_number: string | null
    readonly status: string
    readonly port_of_discharge: Readonly<Record<string, unknown>>
    readonly containers: readonly {
      readonly number: string
      readonly milestones: readonly Readonly<Record<string, unknown>>[]
    }[]
    readonly map: { readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[] }
  }[]
}

let api: TestApi
let seeded: Seeded
before(async () => {
  api = await openTestApi({ startAt: seededAt, hasReference: true })
  testReaders(api.service)
  seeded = await seedShipment(api)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const make = async (url: string, type: string, attributes: object, relationships: object = {}, key = api.key) =>
  (await api.call({ method: 'POST', url, key, body: { data: { type, attributes, relationships } } })).one()
const share = async (type: 'shipment' | 'saved_view', id: string, attributes: object = {}, key = api.key) =>
  String(
    (
      await make(
        '/v2/share_links',
        'share_link',
        { name: 'Link', ...attributes },
        { [type]: { data: { type, id } } },
        key,
      )
    ).attributes['token'],
  )
const shareView = async (table: string, query: object, key = api.key) =>
  share(
    'saved_view',
    (await make('/v2/saved_views', 'saved_view', { name: 'View', table, query }, {}, key)).id,
    {},
    key,
  )
const open = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  api.call({ url: `/v2/shared/${token}`, key: null, headers })
const read = async (token: string) => {
  const answer = await open(token)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as unknown as Shared
}

test('a shared shipment shows its numbers, ports, ship, containers, milestones and map', async () => {
  const token = await share('shipment', seeded.shipmentId, {
    company_name: 'Blue Forwarding',
    color: '#0055aa',
  })
  const shared = await read(token)
  assert.equal(shared.company_name, 'Blue Forwarding')
  assert.equal(shared.shipments.length, 1)
  const [shipment] = shared.shipments
  assert.equal(shipment?.bill_of_lading_number, seeded.bill)
  assert.equal(shipment?.booking_number, null)
  assert.equal(shipment?.port_of_discharge['locode'], 'USLAX')
  assert.equal(shipment?.port_of_discharge['timezone'], 'America/Los_Angeles')
  assert.equal(typeof shipment?.port_of_discharge['latitude'], 'number')
  assert.equal(shipment?.port_of_discharge['ata_at'], '2026-02-01T19:30:00Z')
  assert.deepEqual(
    shipment?.containers.map(({ number }) => number),
    seeded.numbers,
  )
  const loaded = shipment?.containers[0]?.milestones.find(({ event }) => event === 'vessel_loaded')
  assert.deepEqual(loaded, {
    event: 'vessel_loaded',
    classifier: 'actual',
    at: '2026-01-04T20:00:00Z',
    timezone: 'Asia/Shanghai',
    locode: 'CNSHG',
    place: 'Shanghai',
    vessel: { name: 'EMMA MAERSK', imo: '9321483' },
    voyage_number: '601E',
  })
  const kinds = new Set(shipment?.map.features.map(({ properties }) => properties['feature_type']))
  assert.ok(kinds.has('port'), [...kinds].join())
})

test('a shipment under way shows planned and estimated times, the ship and the way ahead', async () => {
  const under = await openTestApi({ startAt: '2026-01-18T00:00:00Z', hasReference: true })
  try {
    const { carrier } = await seedRoute(under, { bill: 'CNSH55555555' })
    const id = (await under.call({ url: '/v2/shipments' })).many()[0]?.id ?? ''
    const body = {
      data: {
        type: 'share_link',
        attributes: { name: 'x' },
        relationships: { shipment: { data: { type: 'shipment', id } } },
      },
    }
    const made = await under.call({ method: 'POST', url: '/v2/share_links', body })
    const answer = await under.call({ url: `/v2/shared/${made.one().attributes['token']}`, key: null })
    const [shipment] = (answer.body as unknown as Shared).shipments
    const ahead = shipment?.containers[0]?.milestones.filter(({ classifier }) => classifier !== 'actual')
    assert.deepEqual(
      ahead?.map(({ event, classifier, locode }) => [event, classifier, locode]),
      [
        ['vessel_arrived', 'estimated', 'USLAX'],
        ['rail_departed', 'planned', 'USLAX'],
        ['arrived_at_inland_destination', 'estimated', 'USCHI'],
      ],
    )
    const kinds = shipment?.map.features.map(({ properties }) => properties['feature_type'])
    assert.ok(kinds?.includes('current_vessel'), kinds?.join())
    assert.ok(kinds?.includes('estimated_partial_leg'), kinds?.join())
    await carrier.close()
  } finally {
    await under.close()
  }
})

test('a confidential text in any field of the account appears nowhere in the answer', async () => {
  const secret = 'Xyzzy'
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read', 'write'])
  await api.service.pool.query('update accounts set company_name = $2 where id = $1', [
    context.account.id,
    `${secret} Account`,
  ])
  const party = await make('/v2/parties', 'party', { company_name: `${secret} Imports` }, {}, key)
  const planted = await seedShipment(api, {
    key,
    bill: 'CNSH22222222',
    carrier: seeded.carrier,
    attributes: { ref_numbers: [`PO-${secret}`], shipment_tags: [`tag-${secret}`] },
    relationships: { customer: { data: { type: 'party', id: party.id } } },
  })
  const [containerId = ''] = planted.containerIds
  const shipmentUrl = `/v2/shipments/${planted.shipmentId}`
  const field = { entity_type: 'Shipment', api_slug: 'buyer', display_name: secret, data_type: 'short_text' }
  await make('/v2/custom_field_definitions', 'custom_field_definition', field, {}, key)
  await make(`${shipmentUrl}/custom_fields`, 'custom_field', { api_slug: 'buyer', value: secret }, {}, key)
  await make(`${shipmentUrl}/notes`, 'note', { text: secret }, {}, key)
  const container = { data: { attributes: { ref_numbers: [`C-${secret}`] } } }
  await api.call({ method: 'PATCH', url: `/v2/containers/${containerId}`, key, body: container })
  await handIn(api, key, paper('other', `${secret} ${planted.bill}`), { filename: `${secret}.pdf` })
  const seal = { says: 'seal_number', value: `seal-${secret}`, reason: `${secret} read it` }
  await make(`/v2/containers/${containerId}/statements`, 'statement', seal, {}, key)
  await api.drain()
  // What only sources state: charges, holds, and the words that they use for places.
  const place = {
    unlocode: null,
    terminalId: null,
    facilityCode: secret,
    facilityType: null,
    name: secret,
    timeZone: null,
  }
  const leg = { place, etd: null, atd: null, eta: null, ata: null }
  const stated = {
    holds: [{ name: 'customs', status: 'hold', description: secret }],
    fees: [{ type: 'demurrage', amount: 424242.42, currencyCode: 'USD' }],
    yardLocation: secret,
    chassisNumber: secret,
    podRailCarrier: secret,
    podTerminal: place,
    pickupFacility: place,
  }
  const { pool } = api.service
  await pool.query('update containers set projection = projection || $2::jsonb where account_id = $1', [
    context.account.id,
    JSON.stringify(stated),
  ])
  await pool.query('update shipments set projection = projection || $2::jsonb where account_id = $1', [
    context.account.id,
    JSON.stringify({ destination: leg }),
  ])
  const seen = await Promise.all(
    [
      `${shipmentUrl}?include=customer,custom_fields`,
      `/v2/containers/${containerId}`,
      `${shipmentUrl}/notes`,
      '/v2/documents',
    ].map((url) => api.call({ url, key })),
  )
  for (const { text } of seen) assert.ok(text.includes(secret), text.slice(0, 500))
  const tokens = [
    await share('shipment', planted.shipmentId, { name: secret, company_name: 'Shown' }, key),
    await share(
      'saved_view',
      (
        await make(
          '/v2/saved_views',
          'saved_view',
          { name: secret, table: 'shipments', query: { 'filter[tags]': `tag-${secret}` }, columns: [secret] },
          {},
          key,
        )
      ).id,
      { name: secret, company_name: 'Shown' },
      key,
    ),
  ]
  for (const token of tokens) {
    const answer = await open(token)
    assert.equal((answer.body as unknown as Shared).shipments.length, 1)
    assert.doesNotMatch(answer.text, new RegExp(secret, 'i'))
    assert.doesNotMatch(answer.text, /424242/)
    for (const id of [context.account.id, planted.shipmentId, containerId, party.id, planted.trackingRequestId])
      assert.ok(!answer.text.includes(id), id)
  }
})

test('a shared view shows only the shipments and containers that it lists', async () => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read', 'write'])
  const bills = ['CNSH33333331', 'CNSH33333332', 'CNSH33333333']
  for (const bill of bills) {
    await seedShipment(api, { key, bill, carrier: seeded.carrier })
    api.clock.advance(1_000)
  }
  const shown = async (token: string) => (await read(token)).shipments.map(({ bill_of_lading_number: bill }) => bill)
  assert.deepEqual(await shown(await shareView('shipments', { sort: 'created_at' }, key)), bills)
  assert.deepEqual(await shown(await shareView('shipments', { q: '33333332' }, key)), [bills[1]])
  assert.deepEqual(await shown(await shareView('shipments', { 'filter[status]': 'cancelled' }, key)), [])
  const { shipments } = await read(await shareView('containers', { 'filter[number]': 'MSCU4000010' }, key))
  assert.equal(shipments.length, 3)
  for (const { containers } of shipments)
    assert.deepEqual(
      containers.map(({ number }) => number),
      ['MSCU4000010'],
    )
})

test('a view that filters by a deleted custom field shows nothing, rather than everything', async () => {
  const field = { entity_type: 'Shipment', api_slug: 'for_whom', display_name: 'x', data_type: 'short_text' }
  const { id } = await make('/v2/custom_field_definitions', 'custom_field_definition', field)
  const token = await shareView('shipments', { 'filter[custom_fields][for_whom]': 'Ann' })
  assert.deepEqual((await read(token)).shipments, [])
  await api.call({ method: 'DELETE', url: `/v2/custom_field_definitions/${id}` })
  api.clock.advance(6_000)
  assert.equal((await open(token)).status, 404)
})

test('no cache stores a shared document, and only the named sites may read it', async () => {
  const origins = { LANDFALL_CORS_ORIGINS: 'https://operator.example' }
  const other = await openTestApi({ startAt: seededAt, env: origins })
  try {
    const view = { data: { type: 'saved_view', attributes: { name: 'All', table: 'shipments' } } }
    const viewId = (await other.call({ method: 'POST', url: '/v2/saved_views', body: view })).one().id
    const link = {
      data: {
        type: 'share_link',
        attributes: { name: 'Site', allowed_origins: ['https://shop.example/'] },
        relationships: { saved_view: { data: { type: 'saved_view', id: viewId } } },
      },
    }
    const made = await other.call({ method: 'POST', url: '/v2/share_links', body: link })
    const ask = async (origin: string, token = made.one().attributes['token']) =>
      (await other.call({ url: `/v2/shared/${token}`, key: null, headers: { origin } })).headers
    const allowed = 'access-control-allow-origin'
    assert.equal((await ask('https://shop.example'))[allowed], 'https://shop.example')
    for (const origin of ['https://operator.example', 'https://evil.example', 'null'])
      assert.equal((await ask(origin))[allowed], undefined, origin)
    for (const headers of [await ask('https://shop.example'), await ask('https://shop.example', 'x'.repeat(43))]) {
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-robots-tag'], 'noindex')
      assert.equal(headers['vary'], 'Origin')
      assert.equal(headers['etag'], undefined)
    }
    assert.equal((await ask('https://shop.example', 'x'.repeat(43)))[allowed], undefined)
  } finally {
    await other.close()
  }
})

test('limits reads each minute by address, for valid and guessed tokens, separately from the limits of keys', async () => {
  const limited = await openTestApi({ env: { LANDFALL_RATE_LIMIT_SHARED: '3' } })
  try {
    const ask = (address: string) => limited.app.inject({ url: `/v2/shared/${'x'.repeat(43)}`, remoteAddress: address })
    const own = () => limited.call({ url: `/v2/shared/${'x'.repeat(43)}`, key: null })
    const statuses = []
    for (let n = 0; n < 4; n += 1) statuses.push((await ask('10.0.0.1')).statusCode)
    assert.deepEqual(statuses, [404, 404, 404, 429])
    const refused = await ask('10.0.0.1')
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
    assert.equal((await ask('10.0.0.2')).statusCode, 404)
    for (let n = 0; n < 3; n += 1) assert.equal((await own()).status, 404)
    assert.equal((await own()).status, 429)
    assert.equal((await limited.call({ url: '/v2/shipments' })).status, 200)
    limited.clock.advance(61_000)
    assert.equal((await ask('10.0.0.1')).statusCode, 404)
  } finally {
    await limited.close()
  }
})

test('limits all readers of one link together, while another link still works', async () => {
  const limited = await openTestApi({ env: { LANDFALL_RATE_LIMIT_SHARED: '1' } })
  try {
    const view = { data: { type: 'saved_view', attributes: { name: 'All', table: 'shipments' } } }
    const viewId = (await limited.call({ method: 'POST', url: '/v2/saved_views', body: view })).one().id
    const relationships = { saved_view: { data: { type: 'saved_view', id: viewId } } }
    const body = { data: { type: 'share_link', attributes: { name: 'x' }, relationships } }
    const tokenOf = async () =>
      (await limited.call({ method: 'POST', url: '/v2/share_links', body })).one().attributes['token']
    const [one, other] = [await tokenOf(), await tokenOf()]
    const ask = async (token: unknown, n: number) =>
      (await limited.app.inject({ url: `/v2/shared/${token}`, remoteAddress: `10.0.1.${n}` })).statusCode
    for (let n = 0; n < 10; n += 1) assert.equal(await ask(one, n), 200)
    assert.equal(await ask(one, 10), 429)
    assert.equal(await ask(other, 11), 200)
  } finally {
    await limited.close()
  }
})

test('a share link refuses query parameters, and an internal error reveals no details', async () => {
  const token = await share('shipment', seeded.shipmentId)
  assert.equal((await api.call({ url: `/v2/shared/${token}?include=customer`, key: null })).status, 400)
  const { pool } = api.service
  const { query } = pool
  const ask = async (error: Error) => {
    pool.query = (() => Promise.reject(error)) as unknown as typeof query
    try {
      return await api.call({ url: `/v2/shared/${token}`, key: null, isToCrash: true })
    } finally {
      pool.query = query
    }
  }
  const crashed = await ask(new Error('secret at /srv/x.ts:1:1'))
  assert.equal(crashed.status, 500)
  assert.doesNotMatch(crashed.text, /secret/)
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
  assert.equal((await ask(away)).status, 503)
})
