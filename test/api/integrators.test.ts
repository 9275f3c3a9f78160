/**
 * Problems of integrators: names that real clients send, errors that say what to do, nothing ignored silently.
 */

import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { allTerminals } from '../../src/reference/terminals.ts'
import { openTestApi, type TestApi, type WireResource } from '../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded
let shipmentUrl: string
let containerUrl: string
let requestUrl: string
const absent = '018f0000-0000-7000-8000-000000000000'

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  shipmentUrl = `/v2/shipments/${seeded.shipmentId}`
  containerUrl = `/v2/containers/${seeded.containerIds[0]}`
  const [request] = (await api.call({ url: '/v2/tracking_requests' })).many()
  requestUrl = `/v2/tracking_requests/${request?.id}`
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const patch = (url: string, body?: unknown) => api.call({ method: 'PATCH', url, body })
const typesOf = (included: readonly WireResource[] | undefined) =>
  [...new Set(included?.map(({ type }) => type))].toSorted()

describe('requests of integrators', () => {
  test('include=shipment,container gives the shipment of a tracking request and its containers', async () => {
    for (const url of ['/v2/tracking_requests', requestUrl]) {
      const answer = await api.call({ url: `${url}?include=shipment,container` })
      assert.equal(answer.status, 200, url)
      assert.deepEqual(typesOf(answer.body.included), ['container', 'shipment'])
      const request = [answer.body.data].flat()[0] as WireResource
      assert.deepEqual(request.relationships?.['tracked_object']?.data, {
        type: 'shipment',
        id: seeded.shipmentId,
      })
    }
  })

  test('an included relation is in every row of an export even if the fields parameter omits it', async () => {
    const query = 'fields[container]=number&include=shipment&fields[shipment]=status'
    const table = await api.call({ url: `/v2/containers?format=csv&${query}` })
    const rows = parse(table.text, { columns: true }) as Record<string, string>[]
    assert.ok(rows.length > 0)
    for (const row of rows) {
      assert.deepEqual(Object.keys(row), ['id', 'number', 'shipment.id', 'shipment.status'])
      assert.deepEqual([row['shipment.id'], row['shipment.status']], [seeded.shipmentId, 'picked_up'])
    }
    const headers = { accept: 'application/json;profile=flat' }
    const flat = await api.call({ url: `${containerUrl}?${query}`, headers })
    assert.deepEqual(flat.body['shipment'], {
      id: seeded.shipmentId,
      type: 'shipment',
      status: 'picked_up',
    })
  })

  test('the port relationship of a rail ramp is a port, and its metro_area is a metropolitan area', async () => {
    const ramps = allTerminals().filter(({ facilityType }) => facilityType === 'rail_terminal')
    assert.ok(ramps.length > 100)
    for (const { id } of ramps.slice(0, 40)) {
      const ramp = (await api.call({ url: `/v2/terminals/${id}` })).one()
      for (const name of ['port', 'metro_area']) {
        const data = ramp.relationships?.[name]?.data as { readonly type: string } | null
        if (data !== null) assert.equal(data.type, name, String(ramp.attributes['name']))
      }
    }
  })
})

describe('parts of a request that the API cannot carry out are refused, not ignored', () => {
  test('an action with the id or type of another resource in its body is 409 and changes nothing', async () => {
    for (const [url, type] of [
      [`${shipmentUrl}/stop_tracking`, 'shipment'],
      [`${shipmentUrl}/resume_tracking`, 'shipment'],
      [`${containerUrl}/refresh`, 'container'],
    ] as const) {
      const other = await patch(url, { data: { type, id: absent } })
      assert.deepEqual([other.status, other.error().source?.pointer], [409, '/data/id'], url)
      const wrong = await patch(url, { data: { type: 'party' } })
      assert.deepEqual([wrong.status, wrong.error().source?.pointer], [409, '/data/type'], url)
    }
    const shipment = (await api.call({ url: shipmentUrl })).one()
    assert.equal(shipment.attributes['line_tracking_stopped_reason'], null)
    for (const body of [undefined, {}, { data: { type: 'shipment', id: seeded.shipmentId } }])
      assert.equal((await patch(`${shipmentUrl}/resume_tracking`, body)).status, 200)
  })

  test('a relationship that cannot be written is refused, with its name', async () => {
    const customer = { customer: { data: null } }
    for (const url of [shipmentUrl, requestUrl, containerUrl]) {
      const answer = await patch(url, { data: { relationships: customer } })
      assert.equal(answer.status, 422, url)
      assert.equal(answer.error().source?.pointer, '/data/relationships/customer')
      assert.equal((await patch(url, { data: { relationships: {} } })).status, 200, 'none is fine')
    }
    const attributes = { request_type: 'container', request_number: 'MSCU4000010', scac: 'ONEY' }
    const relationships = { ...customer, party: { data: null } }
    const body = { data: { type: 'tracking_request', attributes, relationships } }
    const made = await api.call({ method: 'POST', url: '/v2/tracking_requests', body })
    assert.equal(made.error().source?.pointer, '/data/relationships/party')
    assert.match(made.error().detail, /customer/)
  })

  test('a customer that is not a JSON:API relationship is refused, not ignored', async () => {
    const party = { type: 'party', id: absent }
    const attributes = { request_type: 'container', request_number: 'MSCU4000010', scac: 'ONEY' }
    const at = '/data/relationships/customer/data'
    for (const [customer, pointer] of [
      [party, at],
      ['Kestrel', at],
      [{ data: absent }, at],
      [{ data: { ...party, type: 'customer' } }, `${at}/type`],
      [{ data: party }, `${at}/id`],
    ] as const) {
      const body = { data: { type: 'tracking_request', attributes, relationships: { customer } } }
      const answer = await api.call({ method: 'POST', url: '/v2/tracking_requests', body })
      assert.deepEqual([answer.status, answer.error().source?.pointer], [422, pointer])
    }
  })

  test('delivered_at of a container cannot be in the future', async () => {
    const deliver = (delivered_at: string) => patch(containerUrl, { data: { attributes: { delivered_at } } })
    for (const ahead of ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00', '2030-01-01']) {
      const answer = await deliver(ahead)
      assert.equal(answer.status, 422, ahead)
      assert.equal(answer.error().source?.pointer, '/data/attributes/delivered_at')
    }
    const now = new Date(api.service.journeyClock(api.context.account.isSandbox).now()).toISOString()
    for (const good of [now, now.slice(0, 10)]) assert.equal((await deliver(good)).status, 200, good)
    const back = await patch(containerUrl, { data: { attributes: { delivered_at: null } } })
    assert.equal(back.one().attributes['delivered_at'], null)
  })
})

describe('errors say what to do', () => {
  const detailOf = async (attributes: object) => (await patch(shipmentUrl, { data: { attributes } })).error().detail

  test('a value of the wrong kind or length is refused with a sentence', async () => {
    assert.equal(await detailOf({ tags: 'hot' }), 'This must be a list or null.')
    assert.equal(await detailOf({ tags: [1] }), 'This must be a text.')
    assert.equal(await detailOf({ tags: ['a'.repeat(201)] }), 'This has more than 200 characters.')
    assert.equal(await detailOf({ tags: Array(101).fill('a') }), 'This list has more than 100 items.')
    const party = { data: { type: 'party', attributes: { company_name: '' } } }
    const empty = await api.call({ method: 'POST', url: '/v2/parties', body: party })
    assert.equal(empty.error().detail, 'This is empty.')
  })

  test('an error about a control character has a pointer to the member that contains it', async () => {
    for (const [body, pointer] of [
      ['{"data":{"attributes":{"tags":["a","b\\u0000c"]}}}', '/data/attributes/tags/1'],
      ['{"data":{"attributes":{"a/b":{"c~d":"\\u0007"}}}}', '/data/attributes/a~1b/c~0d'],
      ['{"data":{"attributes":{"\\u0007":1}}}', '/data/attributes'],
      ['"\\u0007"', ''],
    ]) {
      const { status, error } = await api.call({ method: 'PATCH', url: shipmentUrl, body })
      assert.deepEqual([status, error().source?.pointer], [400, pointer], body)
    }
  })

  test('a compressed body, another media type and an invalid request are each refused with their reason', async () => {
    const send = (body: Buffer | string, headers: Record<string, string>) =>
      api.call({ method: 'POST', url: '/v2/parties', body, headers })
    const json = '{"data":{"type":"party","attributes":{"company_name":"Kestrel"}}}'
    const packed = await send(gzipSync(json), { 'content-encoding': 'gzip' })
    assert.deepEqual([packed.status, packed.error().source], [415, { header: 'Content-Encoding' }])
    assert.equal((await send(json, { 'content-encoding': 'identity' })).status, 201)
    const typed = await send(json, { 'content-type': 'text/plain' })
    assert.deepEqual([typed.status, typed.error().source], [415, { header: 'Content-Type' }])
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.end('BREW /v2/shipments HTTP/1.1\r\nHost: a\r\n\r\n')
    const answer = (await socket.toArray()).join('')
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /its method, its headers or its length are broken/)
  })

  test('an unknown status or include path is refused with a list of the valid values', async () => {
    const list = await api.call({ url: '/v2/containers?filter[status]=on_ship,flying' })
    assert.equal(list.status, 422)
    assert.match(list.error().detail, /on_ship.*grounded/)
    const include = await api.call({ url: '/v2/containers?include=shipment.captain' })
    assert.equal(include.status, 400)
    assert.match(include.error().detail, /shipment\.captain.*port_of_lading/)
    const body = {
      data: {
        type: 'custom_field_definition',
        attributes: {
          entity_type: 'Shipment',
          display_name: 'Owner',
          data_type: 'reference',
          reference_type: 'Webhook',
        },
      },
    }
    const answer = await api.call({ method: 'POST', url: '/v2/custom_field_definitions', body })
    assert.match(answer.error().detail, /Party, Shipment, Container, TrackingRequest, null\.$/)
  })
})

describe('the display format of custom fields', () => {
  const define = async (attributes: object): Promise<string> => {
    const body = {
      data: { type: 'custom_field_definition', attributes: { entity_type: 'Shipment', ...attributes } },
    }
    const made = await api.call({ method: 'POST', url: '/v2/custom_field_definitions', body })
    return String(made.one().attributes['api_slug'])
  }
  const shown = async (apiSlug: string, value: unknown): Promise<unknown> => {
    const body = { data: { type: 'custom_field', attributes: { api_slug: apiSlug, value } } }
    const url = `${shipmentUrl}/custom_fields`
    return (await api.call({ method: 'POST', url, body })).one().attributes['display_value']
  }

  test('a number is padded with zeros as its format states', async () => {
    const padded = { display_name: 'Cost centre', data_type: 'number', default_format: 'KS-0000' }
    assert.equal(await shown(await define(padded), 42), 'KS-0042')
    const money = { display_name: 'Price', data_type: 'number', default_format: '#,##0.00 EUR' }
    const slug = await define(money)
    assert.equal(await shown(slug, 1234.5), '1,234.50 EUR')
    assert.equal(await shown(slug, 0.5), '0.50 EUR')
  })

  test('a date format without date parts leaves the value unchanged', async () => {
    const slug = await define({ display_name: 'Due', data_type: 'date', default_format: 'short' })
    assert.equal(await shown(slug, '2026-03-01'), '2026-03-01')
  })

  test('the letters of a display name are transliterated into its slug', async () => {
    const slug = await define({ display_name: 'Über Straße 12', data_type: 'short_text' })
    assert.equal(slug, 'uber_strasse_12')
  })
})
