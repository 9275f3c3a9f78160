// Every row of the contract's table of endpoints: a request that is good and one that is not, the status of each, and the
// names in what comes back.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findKind } from '../../../src/doors/api/resources.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import { allTerminals } from '../../../src/reference/terminals.ts'
import type { Answer, Call, WireResource } from '../../support/api.ts'
import { contractResources } from '../../support/contract-resources.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.close())

type Method = NonNullable<Call['method']>

interface Asked {
  /** Below /v2; `{shipment}` and the like are the account's own. Null: what the row says. */
  readonly url?: string
  readonly body?: unknown
  readonly status: number
  /** Of the data that comes back; null where it is no resource. */
  readonly type?: string | null
}

interface Row {
  readonly row: `${Method} ${string}`
  readonly good: Asked
  readonly bad: Asked
}

const nobody = '018f0000-0000-7000-8000-0000000000aa'
const of = (type: string, attributes: object, rest: object = {}) => ({ data: { type, attributes, ...rest } })
const [losAngeles, busan] = ['USLAX', 'KRPUS'].map((code) => findPlaceByCode(code)?.id)
const leg = `port_id=${losAngeles}&previous_port_id=${busan}`
const notThere = (url: string): Asked => ({ url, status: 404 })
const noPage = (url: string): Asked => ({ url: `${url}?page[size]=101`, status: 422 })
const off = { status: 403, type: null }

const rows: readonly Row[] = [
  {
    row: 'GET /shipments',
    good: { url: '/shipments?q=PO-Kestrel&include=containers,port_of_lading', status: 200, type: 'shipment' },
    bad: noPage('/shipments'),
  },
  {
    row: 'GET /shipments/{shipment}',
    good: {
      url: '/shipments/{shipment}?include=containers.transport_events,pod_terminal,line_tracking_stopped_by_user',
      status: 200,
      type: 'shipment',
    },
    bad: { url: '/shipments/{shipment}?include=captain', status: 400 },
  },
  {
    row: 'PATCH /shipments/{shipment}',
    good: { body: of('shipment', { ref_numbers: ['PO-1'], tags: ['a'] }), status: 200, type: 'shipment' },
    bad: { body: of('container', {}), status: 409 },
  },
  {
    row: 'PATCH /shipments/{shipment}/stop_tracking',
    good: { status: 200, type: 'shipment' },
    bad: notThere(`/shipments/${nobody}/stop_tracking`),
  },
  {
    row: 'PATCH /shipments/{shipment}/resume_tracking',
    good: { status: 200, type: 'shipment' },
    bad: notThere(`/shipments/${nobody}/resume_tracking`),
  },
  {
    row: 'POST /tracking_requests',
    good: {
      body: of('tracking_request', {
        request_type: 'bill_of_lading',
        request_number: 'TEST-TR-SUCCEEDED',
        scac: 'TEST',
        ref_numbers: ['PO-2'],
        shipment_tags: ['b'],
      }),
      status: 201,
      type: 'tracking_request',
    },
    bad: {
      body: of('tracking_request', { request_type: 'barge', request_number: 'X1', scac: 'ONEY' }),
      status: 422,
    },
  },
  {
    row: 'GET /tracking_requests',
    good: {
      url: '/tracking_requests?filter[status]=created&filter[scac]=ONEY&include=customer,account,shipping_line',
      status: 200,
      type: 'tracking_request',
    },
    bad: { url: '/tracking_requests?filter[status]=sunk', status: 422 },
  },
  {
    row: 'GET /tracking_requests/{request}',
    good: { status: 200, type: 'tracking_request' },
    bad: notThere('/tracking_requests/1'),
  },
  {
    row: 'PATCH /tracking_requests/{request}',
    good: { body: of('tracking_request', { ref_number: 'PO-3' }), status: 200, type: 'tracking_request' },
    bad: { body: of('tracking_request', { status: 'created' }), status: 422 },
  },
  {
    row: 'POST /tracking_requests/infer_number',
    good: { body: { number: 'MSCU4000005' }, status: 200, type: 'infer_number_results' },
    bad: { body: { number: '?!' }, status: 422 },
  },
  {
    row: 'GET /containers',
    good: {
      url: '/containers?filter[number]=MSCU4000005&include=shipment.port_of_lading,raw_events',
      status: 200,
      type: 'container',
    },
    bad: { url: '/containers?filter[colour]=red', status: 400 },
  },
  {
    row: 'GET /containers/{container}',
    good: { status: 200, type: 'container' },
    bad: notThere(`/containers/${nobody}`),
  },
  {
    row: 'PATCH /containers/{container}',
    good: { body: of('container', { ref_numbers: ['PO-4'] }), status: 200, type: 'container' },
    bad: { body: of('container', { number: 'MSCU4000010' }), status: 422 },
  },
  {
    row: 'PATCH /containers',
    good: {
      body: of('container', { ref_numbers: null }, { id: '{container}' }),
      status: 200,
      type: 'container',
    },
    bad: { body: of('container', {}), status: 400 },
  },
  {
    row: 'GET /containers/{container}/raw_events',
    good: { status: 200, type: 'raw_event' },
    bad: notThere(`/containers/${nobody}/raw_events`),
  },
  {
    row: 'GET /containers/{container}/transport_events',
    good: {
      url: '/containers/{container}/transport_events?include=location,terminal,vessel,shipment,container',
      status: 200,
      type: 'transport_event',
    },
    bad: { url: '/containers/{container}/transport_events?include=weather', status: 400 },
  },
  {
    row: 'GET /containers/{container}/route',
    good: {
      url: '/containers/{container}/route?include=port,vessel,route_location',
      status: 200,
      type: 'route',
    },
    bad: notThere(`/containers/${nobody}/route`),
  },
  {
    row: 'GET /containers/{container}/map_geojson',
    good: { status: 200, type: null },
    bad: notThere(`/containers/${nobody}/map_geojson`),
  },
  {
    row: 'PATCH /containers/{container}/refresh',
    good: { status: 200, type: null },
    bad: notThere(`/containers/${nobody}/refresh`),
  },
  {
    row: 'GET /shipping_lines',
    good: { url: '/shipping_lines?search=one', status: 200, type: 'shipping_line' },
    bad: { url: '/shipping_lines?serach=one', status: 400 },
  },
  {
    row: 'GET /shipping_lines/ONEY',
    good: { status: 200, type: 'shipping_line' },
    bad: notThere('/shipping_lines/XXXX'),
  },
  { row: 'GET /ports/USLAX', good: { status: 200, type: 'port' }, bad: notThere('/ports/ZZZZZ') },
  {
    row: 'GET /metro_areas/USDAL',
    good: { status: 200, type: 'metro_area' },
    bad: notThere('/metro_areas/ZZZZZ'),
  },
  ...(['ocean_terminal', 'rail_terminal'] as const).map((facilityType): Row => {
    const id = allTerminals().find((each) => each.facilityType === facilityType)?.id
    const type = facilityType === 'rail_terminal' ? 'rail_terminal' : 'terminal'
    return { row: `GET /terminals/${id}`, good: { status: 200, type }, bad: notThere(`/terminals/${nobody}`) }
  }),
  {
    row: 'GET /vessels/9359052',
    good: {
      url: '/vessels/9359052?show_positions[from_timestamp]=2026-01-17T00:00:00Z',
      status: 200,
      type: 'vessel',
    },
    bad: { url: '/vessels/9359052?show_positions[from_timestamp]=yesterday', status: 422 },
  },
  {
    row: 'GET /vessels/9359052/future_positions',
    good: { url: `/vessels/9359052/future_positions?${leg}`, status: 200, type: 'vessel' },
    bad: { url: '/vessels/9359052/future_positions', status: 400 },
  },
  {
    row: 'GET /vessels/9359052/future_positions_with_coordinates',
    good: {
      url: `/vessels/9359052/future_positions_with_coordinates?${leg}&latitude=36&longitude=-135`,
      status: 200,
      type: 'vessel',
    },
    bad: {
      url: `/vessels/9359052/future_positions_with_coordinates?${leg}&latitude=96&longitude=-135`,
      status: 422,
    },
  },
  { row: 'GET /parties', good: { status: 200, type: 'party' }, bad: noPage('/parties') },
  {
    row: 'POST /parties',
    good: { body: of('party', { company_name: 'Heron' }), status: 201, type: 'party' },
    bad: { body: of('party', { company_name: 'Heron' }, { id: nobody }), status: 403 },
  },
  { row: 'GET /parties/{party}', good: { status: 200, type: 'party' }, bad: notThere(`/parties/${nobody}`) },
  {
    row: 'PATCH /parties/{party}',
    good: { body: of('party', { company_name: 'Kite' }), status: 200, type: 'party' },
    bad: { body: of('party', { company_name: '' }), status: 422 },
  },
  ...customFieldRows(),
  {
    row: 'GET /webhooks',
    good: { status: 200, type: 'webhook' },
    bad: { url: '/webhooks?page[number]=0', status: 422 },
  },
  {
    row: 'POST /webhooks',
    good: {
      body: of('webhook', {
        url: 'https://nowhere.invalid/hook',
        active: false,
        events: ['container.updated'],
        headers: [{ name: 'X-Office', value: 'Hamburg' }],
      }),
      status: 201,
      type: 'webhook',
    },
    bad: {
      body: of('webhook', { url: 'ftp://nowhere.invalid', events: ['container.updated'] }),
      status: 422,
    },
  },
  {
    row: 'GET /webhooks/{webhook}',
    good: { status: 200, type: 'webhook' },
    bad: notThere(`/webhooks/${nobody}`),
  },
  {
    row: 'PATCH /webhooks/{webhook}',
    good: { body: of('webhook', { active: true }), status: 200, type: 'webhook' },
    bad: { body: of('webhook', { events: ['container.sunk'] }), status: 422 },
  },
  {
    row: 'GET /webhooks/events',
    good: { status: 200, type: 'webhook_event_category' },
    bad: { url: '/webhooks/events?of=all', status: 400 },
  },
  {
    row: 'GET /webhooks/ips',
    good: { status: 200, type: null },
    bad: { url: '/webhooks/ips?v=6', status: 400 },
  },
  {
    row: 'POST /webhooks/trigger',
    good: { body: { url: '{receiver}', event: 'container.updated', secret: 's' }, status: 200, type: null },
    bad: { body: { url: '{receiver}', event: 'container.sunk' }, status: 422 },
  },
  {
    row: 'GET /webhook_notifications',
    good: {
      url: '/webhook_notifications?filter[event]=container.created&include=webhook,reference_object',
      status: 200,
      type: 'webhook_notification',
    },
    bad: { url: '/webhook_notifications?filter[delivery_status]=lost', status: 422 },
  },
  {
    row: 'GET /webhook_notifications/{notification}',
    good: { status: 200, type: 'webhook_notification' },
    bad: notThere(`/webhook_notifications/${nobody}`),
  },
  {
    row: 'GET /webhook_notifications/examples',
    good: {
      url: '/webhook_notifications/examples?event=container.updated',
      status: 200,
      type: 'webhook_notification',
    },
    bad: { url: '/webhook_notifications/examples', status: 400 },
  },
  {
    row: 'DELETE /webhooks/{webhook}',
    good: { status: 200, type: 'webhook' },
    bad: notThere(`/webhooks/${nobody}`),
  },
  {
    row: 'GET /search',
    good: { url: '/search?query=MSCU4000005', status: 200, type: 'search_result' },
    bad: { url: '/search', status: 400 },
  },
  // Documents: a client knows that the feature is not enabled by 403 and its words.
  { row: 'GET /documents', good: off, bad: off },
  { row: 'POST /documents', good: off, bad: { ...off, body: 'no JSON' } },
  { row: 'GET /documents/types', good: off, bad: off },
  { row: 'GET /documents/{shipment}', good: off, bad: { ...off, url: '/documents/1' } },
  { row: 'PATCH /documents/{shipment}', good: off, bad: { ...off, body: of('nonsense', {}) } },
  { row: 'DELETE /documents/{shipment}', good: off, bad: off },
  { row: 'GET /documents/{shipment}/download_url', good: off, bad: off },
  ...['reextract', 'reclassify', 'relink', 'rotate'].map(
    (verb): Row => ({ row: `POST /documents/{shipment}/${verb}`, good: off, bad: { ...off, body: '' } }),
  ),
  { row: 'GET /email_submissions', good: off, bad: off },
  { row: 'GET /email_submissions/{shipment}', good: off, bad: off },
  { row: 'GET /document_schemas/bill_of_lading@1', good: off, bad: off },
]

function customFieldRows(): readonly Row[] {
  const definitions = '/custom_field_definitions'
  const options = `${definitions}/{definition}/options`
  const definition = { entity_type: 'Shipment', display_name: 'Agent', data_type: 'short_text' }
  const field = (attributes: object, status: number): Asked => ({
    body: of('custom_field', attributes),
    status,
    type: 'custom_field',
  })
  const nested = (
    ['shipments/{shipment}', 'containers/{container}', 'tracking_requests/{request}'] as const
  ).flatMap((entity): readonly Row[] => [
    {
      row: `GET /${entity}/custom_fields`,
      good: { status: 200, type: 'custom_field' },
      bad: noPage(`/${entity}/custom_fields`),
    },
    {
      row: `POST /${entity}/custom_fields`,
      good: field({ api_slug: 'cost_centre', value: 'A1' }, 201),
      bad: field({ api_slug: 'no_such', value: 'A1' }, 422),
    },
    {
      row: `PATCH /${entity}/custom_fields/cost_centre`,
      good: field({ value: 'A2' }, 200),
      bad: field({ value: 7 }, 422),
    },
    {
      row: `DELETE /${entity}/custom_fields/cost_centre`,
      good: { status: 204, type: null },
      bad: notThere(`/${entity}/custom_fields/no_such`),
    },
  ])
  return [
    {
      row: `GET ${definitions}`,
      good: {
        url: `${definitions}?filter[entity_type]=Shipment`,
        status: 200,
        type: 'custom_field_definition',
      },
      bad: noPage(definitions),
    },
    {
      row: `POST ${definitions}`,
      good: { body: of('custom_field_definition', definition), status: 201, type: 'custom_field_definition' },
      bad: { body: of('custom_field_definition', { ...definition, data_type: 'colour' }), status: 422 },
    },
    {
      row: `GET ${definitions}/{definition}`,
      good: { status: 200, type: 'custom_field_definition' },
      bad: notThere(`${definitions}/${nobody}`),
    },
    {
      row: `PATCH ${definitions}/{definition}`,
      good: {
        body: of('custom_field_definition', { display_name: 'Class' }),
        status: 200,
        type: 'custom_field_definition',
      },
      bad: { body: of('custom_field_definition', { api_slug: 'class' }), status: 422 },
    },
    {
      row: `GET ${options}`,
      good: { status: 200, type: 'custom_field_option' },
      bad: notThere(`${definitions}/${nobody}/options`),
    },
    {
      row: `POST ${options}`,
      good: {
        body: of('custom_field_option', { label: 'B', value: 'b', position: 2 }),
        status: 201,
        type: 'custom_field_option',
      },
      bad: { body: of('custom_field_option', { label: 'B' }), status: 422 },
    },
    {
      row: `GET ${options}/{option}`,
      good: { status: 200, type: 'custom_field_option' },
      bad: notThere(`${options}/${nobody}`),
    },
    {
      row: `PATCH ${options}/{option}`,
      good: { body: of('custom_field_option', { label: 'AA' }), status: 200, type: 'custom_field_option' },
      bad: { body: of('custom_field_option', { position: -1 }), status: 422 },
    },
    ...nested,
    {
      row: 'GET /custom_fields',
      good: { url: '/custom_fields?filter[entity_type]=Shipment', status: 200, type: 'custom_field' },
      bad: noPage('/custom_fields'),
    },
    {
      row: 'POST /custom_fields',
      good: {
        body: of(
          'custom_field',
          { api_slug: 'cost_centre', value: 'A3' },
          { relationships: { entity: { data: { type: 'shipment', id: '{shipment}' } } } },
        ),
        status: 201,
        type: 'custom_field',
      },
      bad: field({ api_slug: 'cost_centre', value: 'A3' }, 422),
    },
    {
      row: 'GET /custom_fields/{customField}',
      good: { status: 200, type: 'custom_field' },
      bad: notThere(`/custom_fields/${nobody}`),
    },
    {
      row: 'PATCH /custom_fields/{customField}',
      good: field({ value: 'Ask nobody' }, 200),
      bad: field({ value: ['x'] }, 422),
    },
    {
      row: 'DELETE /custom_fields/{customField}',
      good: { status: 200, type: 'custom_field' },
      bad: notThere(`/custom_fields/${nobody}`),
    },
    {
      row: `DELETE ${options}/{option}`,
      good: { status: 200, type: 'custom_field_option' },
      bad: notThere(`${options}/${nobody}`),
    },
    {
      row: `DELETE ${definitions}/{definition}`,
      good: { status: 200, type: 'custom_field_definition' },
      bad: notThere(`${definitions}/${nobody}`),
    },
  ]
}

/** With the account's own things in place of their names. */
function fill<Value>(value: Value): Value {
  const { ids, receiverUrl } = world.owner
  const own: Readonly<Record<string, string>> = { ...ids, receiver: receiverUrl }
  return JSON.parse(
    JSON.stringify(value).replace(/\{(\w+)\}/g, (whole, name: string) => own[name] ?? whole),
  ) as Value
}

async function ask(row: Row['row'], asked: Asked): Promise<Answer> {
  const [method = '', path = ''] = row.split(' ')
  const { body } = asked
  const answer = await world.api.call({
    method: method as Method,
    url: `/v2${fill(asked.url ?? path)}`,
    key: world.owner.key,
    ...(body === undefined ? {} : { body: fill(body) }),
  })
  assert.equal(answer.status, asked.status, answer.text.slice(0, 500))
  return answer
}

/** The contract's names, all of them, and the wire's form of each. */
function checkNames(resource: WireResource): void {
  const contract = contractResources[resource.type]
  if (contract === undefined) return
  for (const name of contract.attributes) assert.ok(name in resource.attributes, `${resource.type}.${name}`)
  const known = Object.keys(findKind(resource.type)?.relations ?? {})
  for (const name of contract.relationships) assert.ok(known.includes(name), `${resource.type}.${name}`)
}

describe('the contract’s table', () => {
  for (const { row, good, bad } of rows) {
    test(`${row}: ${good.status} for a good request, ${bad.status} for one that is not`, async () => {
      // What is taken away is asked for wrongly first.
      const refused = await ask(row, bad)
      const answer = await ask(row, good)
      for (const each of [refused, answer]) {
        if (each.status < 300) continue
        const error = each.body.errors?.[0]
        assert.equal(error?.status, String(each.status))
        assert.ok(error?.title && error.detail)
      }
      if (good.status === 403) assert.match(answer.error().detail, /feature is not enabled/)
      if (good.type === null || good.type === undefined) return
      const data = [answer.body.data].flat() as readonly WireResource[]
      assert.ok(data.length > 0, 'nothing came back')
      for (const resource of data) assert.equal(resource.type, good.type)
      for (const resource of [...data, ...(answer.body.included ?? [])]) checkNames(resource)
      if (good.status !== 201) return
      const location = String(answer.headers['location'])
      const made = await world.api.call({ url: new URL(location).pathname, key: world.owner.key })
      assert.equal(made.one().id, data[0]?.id, location)
    })
  }

  test('POST /rails/active_storage/direct_uploads, outside /v2: 403', async () => {
    const url = '/rails/active_storage/direct_uploads'
    const answer = await world.api.call({ method: 'POST', url, body: { blob: {} }, key: world.owner.key })
    assert.equal(answer.status, 403)
    assert.match(answer.error().detail, /feature is not enabled/)
  })

  test('every resource that is served has the contract’s attributes and relationships', () => {
    for (const [type, contract] of Object.entries(contractResources)) {
      const kind = findKind(type)
      assert.ok(kind, type)
      for (const name of contract.attributes) assert.ok(kind.attributes[name], `${type}.${name}`)
      for (const name of contract.relationships) assert.ok(kind.relations[name], `${type}.${name}`)
    }
  })
})

describe('JSON:API', () => {
  const party = of('party', { company_name: 'Siskin' })
  const post = (contentType: string) =>
    world.api.call({
      method: 'POST',
      url: '/v2/parties',
      key: world.owner.key,
      body: party,
      headers: { 'content-type': contentType },
    })

  test('its media type takes a profile, no other parameter and no extension, and JSON takes a charset', async () => {
    for (const [type, status] of [
      ['application/vnd.api+json; profile="https://example.com/a"', 201],
      ['application/json; charset=utf-8', 201],
      ['application/vnd.api+json; charset=utf-8', 415],
      ['application/vnd.api+json; ext="https://example.com/b"', 415],
    ] as const)
      assert.equal((await post(type)).status, status, type)
  })

  test('asked for only with such parameters it is 406, beside another range that fits it is not', async () => {
    for (const [accept, status] of [
      ['application/vnd.api+json; charset=utf-8', 406],
      ['application/vnd.api+json; ext="https://example.com/b"', 406],
      ['application/vnd.api+json; charset=utf-8, application/vnd.api+json', 200],
      ['application/vnd.api+json; profile="https://example.com/a"', 200],
      ['application/vnd.api+json; charset=utf-8, application/json', 200],
    ] as const) {
      const { status: given } = await world.api.call({
        url: '/v2/parties',
        key: world.owner.key,
        headers: { accept },
      })
      assert.equal(given, status, accept)
    }
  })

  test('an id that the client brings is refused where it is', async () => {
    const body = { data: { ...party.data, id: nobody } }
    const answer = await world.api.call({ method: 'POST', url: '/v2/parties', key: world.owner.key, body })
    assert.equal(answer.status, 403)
    assert.deepEqual(answer.error().source, { pointer: '/data/id' })
  })
})
