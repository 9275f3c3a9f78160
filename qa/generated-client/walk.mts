/**
 * Asks the operations of the contract of October 2026 by a client whose types `openapi-typescript` made from our
 * description. TypeScript 5 checks it against them, so a wrong description does not compile. Prints each operation.
 */

import createClient from 'openapi-fetch'
import type { components, paths } from './landfall.d.ts'

const client = createClient<paths, 'application/vnd.api+json'>({
  baseUrl: process.env['LANDFALL_API_URL'] ?? '',
  headers: { Authorization: `Token ${process.env['LANDFALL_API_KEY']}`, 'Content-Type': 'application/vnd.api+json' },
  // A list of filters is one parameter for each, and an array is one parameter that is given several times.
  querySerializer: (query) =>
    new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
    ).toString(),
})

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** Throws unless the answer has this status. */
function expect<Data>(what: string, answer: Answer<Data>, status: number): Data {
  if (answer.response.status !== status)
    throw new Error(`${what}: ${answer.response.status} instead of ${status}: ${JSON.stringify(answer.error)}`)
  console.log(`${status} ${what}`)
  return answer.data as Data
}

function require<Value>(value: Value | undefined | null, what: string): Value {
  if (value === undefined || value === null) throw new Error(`There is no ${what}.`)
  return value
}

const me = expect('GET /v2/me', await client.GET('/v2/me'), 200)
console.log(`  ${me.data.attributes.kind}, ${me.data.relationships.account.data.id}`)

expect(
  'POST /v2/tracking_requests',
  await client.POST('/v2/tracking_requests', {
    body: {
      data: {
        type: 'tracking_request',
        attributes: { request_type: 'bill_of_lading', request_number: 'TEST-TR-SUCCEEDED', scac: 'TEST' },
      },
    },
  }),
  201,
)
for (let waitedS = 0; waitedS < 60; waitedS += 1) {
  const { data } = await client.GET('/v2/containers')
  if ((data?.data.length ?? 0) > 0) break
  await new Promise((resolve) => setTimeout(resolve, 1_000))
}

const filters = {
  'filter[current_status]': 'available,on_ship,empty_returned,picked_up,grounded,new',
  'filter[arrival][]': ['>=2000-01-01', '<2100-01-01'],
  'filter[actively_tracked]': 'true',
  'filter[search_by_ids]': '~SBX,MSCU,M',
}
const containers = expect(
  'GET /v2/containers with filters',
  await client.GET('/v2/containers', { params: { query: { 'filter[pickup_lfd]': '@not_exists', 'filter[has_holds]': false } } }),
  200,
)
console.log(`  ${containers.meta.total} containers`)
expect('GET /v2/containers with filters of several kinds', await client.GET('/v2/containers', { params: { query: filters } }), 200)
const refused = await client.GET('/v2/containers', { params: { query: { 'filter[arrival]': 'yesterday' } } })
expect('GET /v2/containers with a malformed filter', refused, 400)
const [fault] = require(refused.error, 'error').errors
if (fault?.source?.parameter !== 'filter[arrival]') throw new Error('The error does not name the filter.')

const summary = expect(
  'GET /v2/containers/summary',
  await client.GET('/v2/containers/summary', { params: { query: { group_by: 'current_status' } } }),
  200,
)
const counted = summary.data.reduce((sum, { count }) => sum + count, 0)
if (counted !== summary.meta.total) throw new Error(`${counted} are counted of ${summary.meta.total}.`)

const party = expect(
  'POST /v2/parties',
  await client.POST('/v2/parties', {
    body: { data: { type: 'party', attributes: { company_name: `Walker ${Date.now()}` } } },
  }),
  201,
)
const partyId = party.data.id
const parties = expect('GET /v2/parties?query=', await client.GET('/v2/parties', { params: { query: { query: 'alker' } } }), 200)
if (!parties.data.some(({ id }) => id === partyId)) throw new Error('The party is not found by a part of its name.')

const shipments = expect(
  'GET /v2/shipments with filters and parties',
  await client.GET('/v2/shipments', {
    params: { query: { 'filter[created_at]': '>=2000-01-01T00:00:00Z', 'flag[parties]': true, include: 'containers' } },
  }),
  200,
)
const shipment = require(shipments.data[0], 'shipment')
const container = require(
  (shipments.included ?? []).find((each): each is components['schemas']['container'] => each.type === 'container'),
  'container',
)
const requests = expect('GET /v2/tracking_requests', await client.GET('/v2/tracking_requests'), 200)
const request = require(requests.data[0], 'tracking request')

function roleBody<Role extends string>(role: Role) {
  return {
    data: {
      type: 'party_role' as const,
      attributes: { role },
      relationships: { party: { data: { type: 'party' as const, id: partyId } } },
    },
  }
}
{
  const path = { id: shipment.id }
  const body = roleBody('customs_broker')
  const made = expect('POST /v2/shipments/{id}/party_roles', await client.POST('/v2/shipments/{id}/party_roles', { params: { path }, body }), 201)
  expect('POST the same role again', await client.POST('/v2/shipments/{id}/party_roles', { params: { path }, body }), 422)
  const list = expect('GET /v2/shipments/{id}/party_roles', await client.GET('/v2/shipments/{id}/party_roles', { params: { path } }), 200)
  if (!list.data.some(({ id }) => id === made.data.id)) throw new Error('The role is not listed.')
  const found = expect(
    'GET /v2/shipments?filter[party_id]=',
    await client.GET('/v2/shipments', { params: { query: { 'filter[party_id]': partyId } } }),
    200,
  )
  if (found.data.length !== 1) throw new Error(`${found.data.length} shipments have the party.`)
  expect(
    'DELETE /v2/shipments/{id}/party_roles/{role_id}',
    await client.DELETE('/v2/shipments/{id}/party_roles/{role_id}', { params: { path: { ...path, role_id: made.data.id } } }),
    204,
  )
}
{
  const path = { id: container.id }
  expect(
    'POST /v2/containers/{id}/party_roles of a role for shipments',
    await client.POST('/v2/containers/{id}/party_roles', { params: { path }, body: roleBody('customs_broker') as never }),
    422,
  )
  const body = roleBody('pickup_dray_carrier')
  const made = expect('POST /v2/containers/{id}/party_roles', await client.POST('/v2/containers/{id}/party_roles', { params: { path }, body }), 201)
  expect('GET /v2/containers/{id}/party_roles', await client.GET('/v2/containers/{id}/party_roles', { params: { path } }), 200)
  expect(
    'DELETE /v2/containers/{id}/party_roles/{role_id}',
    await client.DELETE('/v2/containers/{id}/party_roles/{role_id}', { params: { path: { ...path, role_id: made.data.id } } }),
    204,
  )
}
{
  const path = { id: request.id }
  const body = roleBody('customs_broker')
  const made = expect('POST /v2/tracking_requests/{id}/party_roles', await client.POST('/v2/tracking_requests/{id}/party_roles', { params: { path }, body }), 201)
  expect('GET /v2/tracking_requests/{id}/party_roles', await client.GET('/v2/tracking_requests/{id}/party_roles', { params: { path } }), 200)
  expect(
    'DELETE /v2/tracking_requests/{id}/party_roles/{role_id}',
    await client.DELETE('/v2/tracking_requests/{id}/party_roles/{role_id}', { params: { path: { ...path, role_id: made.data.id } } }),
    204,
  )
}

const one = expect('GET /v2/containers/{id}', await client.GET('/v2/containers/{id}', { params: { path: { id: container.id } } }), 200)
if (one.data.type !== 'container') throw new Error('This is no container.')
console.log(`  import_deadlines.pod: ${JSON.stringify(one.data.attributes?.import_deadlines?.pod.unified)}`)

const product = expect('GET /v2/shipments?filter[product]=', await client.GET('/v2/shipments', { params: { query: { 'filter[product]': 'CHAIR' } } }), 200)
if (product.data.length > 0 || product.meta.unanswered?.[0]?.parameter !== 'filter[product]') throw new Error('Goods are not unanswered.')

// The description does not have these addresses: they only say that this is not enabled.
const trade = await fetch(`${process.env['LANDFALL_API_URL']}/v2/trade_intel/meta`, {
  headers: { Authorization: `Token ${process.env['LANDFALL_API_KEY']}` },
})
expect('GET /v2/trade_intel/meta', { response: trade }, 403)
console.log('Every operation answers as it is described.')
