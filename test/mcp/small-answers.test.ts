/** Answers have at most 4 KB where nobody said how many rows or which members; pages still follow each other. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { withCorrectCheckDigit } from '../../src/inference/validation.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { caller, connect, openTestMcp, type TestMcp } from '../support/mcp.ts'
import { journey, seededAt } from '../support/seed.ts'
import { giveAccess } from '../support/service.ts'
import { withoutLimits } from '../support/without-limits.ts'

type Row = Readonly<Record<string, unknown>>

let api: TestApi
let mcp: TestMcp
let client: Client
let carrier: Carrier

const bill = 'CNSH33333333'
const numbers = Array.from({ length: 40 }, (_, nth) => withCorrectCheckDigit(`MSCU5${String(nth).padStart(5, '0')}0`))

before(async () => {
  api = await openTestApi({ startAt: seededAt, env: withoutLimits })
  carrier = await openCarrier()
  carrier.answers({ json: journey(numbers, 'second') }, bill)
  await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY') })
  mcp = await openTestMcp(api)
  client = await connect(mcp.url, { authorization: `Token ${api.key}` })
  const others = Array.from({ length: 30 }, (_, nth) => `ONEYSH${6_000_000 + nth}`)
  for (const number of [bill, ...others])
    await call('track_container', { number, scac: 'ONEY', numberType: 'bill_of_lading' })
  await api.drain()
  await api.service.pool.query(
    `update tracking_requests set status = 'failed', failed_reason = 'not_found' where request_number = any($1)`,
    [others],
  )
})
after(async () => {
  await client.close()
  await mcp.close()
  await carrier.close()
  await api.close()
})

const { call } = caller(() => client)
const rows = (data: Row, name = 'items') => data[name] as readonly Row[]
const bytesOf = (data: Row): number => Buffer.byteLength(JSON.stringify(data))

describe('a list', () => {
  for (const [name, args, total] of [
    ['list_containers', {}, 40],
    ['list_containers', { filters: { status: 'picked_up' } }, 40],
    ['list_tracking_requests', {}, 31],
    ['attention', {}, 30],
  ] as const)
    test(`${name} ${JSON.stringify(args)} has 4 KB a page, and its pages follow each other without their size`, async () => {
      const seen: unknown[] = []
      for (let page: unknown = 1; page !== null; ) {
        const answer = await call(name, { ...args, ...(page === 1 ? {} : { page }) })
        assert.ok(bytesOf(answer) <= 4_096, `page ${page}: ${bytesOf(answer)}`)
        seen.push(...rows(answer).map(({ id }) => id))
        const { next, prev } = answer['links'] as Row
        assert.equal(prev, page === 1 ? null : Number(page) - 1)
        const metadata = answer['_metadata'] as Row | undefined
        if (metadata !== undefined) {
          assert.deepEqual([metadata['has_more'], metadata['page']], [next !== null, page])
          if (next !== null) assert.equal(metadata['page_size'], rows(answer).length)
        }
        page = next
      }
      assert.deepEqual([seen.length, new Set(seen).size], [total, total])
    })

  test('has more rows for who asks for a size, and all members for who names none of them', async () => {
    assert.equal(rows(await call('list_containers', { page_size: 40 })).length, 40)
    assert.equal(rows(await call('list_containers', { fields: 'number' })).length, 25)
    assert.equal(rows(await call('list_containers', { view: 'full' })).length, 25)
    assert.equal(rows(await call('list_containers', { include: 'shipment' })).length, 25)
    assert.equal(rows(await call('list_tracking_requests', { why: true })).length, 25)
    const [first] = rows(await call('list_shipments', {}))
    assert.equal(first?.['containerCount'], 40)
  })
})

test('charges have 4 KB a page, and go on where the page before ended', async () => {
  const seen: unknown[] = []
  for (let after: unknown; after !== null; ) {
    const answer = await call('get_charges', after === undefined ? {} : { after })
    assert.ok(bytesOf(answer) <= 4_096, `${bytesOf(answer)}`)
    seen.push(...rows(answer).map(({ containerId }) => containerId))
    after = answer['next']
  }
  assert.deepEqual([seen.length, new Set(seen).size], [40, 40])
})

test('a shipment lists the containers that fit, and all for who asks for them', async () => {
  const short = await call('get_shipment_details', { id: bill })
  const { count, containers } = short['containers'] as { readonly count: number; readonly containers: readonly Row[] }
  assert.ok(count === 40 && containers.length > 3 && containers.length < 40, `${containers.length}`)
  assert.ok(bytesOf(short) <= 4_096)
  const whole = await call('get_shipment_details', { id: bill, include_containers: true })
  assert.equal(rows(whole['containers'] as Row, 'containers').length, 40)
})

test('a search says how many matches it left off', async () => {
  const found = await call('search_container', { query: bill })
  const shown = ['containers', 'shipments', 'tracking_requests'].flatMap((name) => rows(found, name)).length
  assert.ok(bytesOf(found) <= 4_096 && rows(found, 'shipments').length === 1)
  assert.equal(Number(found['left_off']) + shown, found['total_results'])
  assert.ok(bytesOf(await call('search', { query: bill })) <= 4_096)
})

test('events are the newest that fit, and as many as are asked for', async () => {
  const id = numbers[0]
  const short = await call('get_container_transport_events', { id })
  const all = await call('get_container_transport_events', { id, page_size: 100 })
  assert.ok(bytesOf(short) <= 4_096)
  assert.equal(rows(short, 'timeline').length + Number(short['left_off']), short['total_events'])
  assert.deepEqual([rows(all, 'timeline').length, all['left_off']], [all['total_events'], undefined])
  assert.deepEqual(rows(short, 'timeline').at(-1), rows(all, 'timeline').at(-1))
  assert.deepEqual(short['milestones'], all['milestones'], 'the times of all are there')
  const raw = await call('get_container_raw_events', { id })
  assert.deepEqual([bytesOf(raw) <= 4_096, raw['is_cut']], [true, true])
  const whole = await call('get_container_raw_events', { id, page_size: 500 })
  assert.deepEqual([rows(whole, 'raw_events').length, whole['is_cut']], [whole['total_events'], false])
})

test('values are explained as far as they fit, with the names of the others', async () => {
  const short = await call('explain_value', { type: 'container', id: numbers[0] })
  assert.ok(bytesOf(short) <= 4_096, `${bytesOf(short)}`)
  const others = short['others'] as readonly string[]
  assert.ok(others.length > 0)
  for (const value of others.slice(0, 3)) {
    const one = await call('explain_value', { type: 'container', id: numbers[0], value })
    assert.deepEqual([rows(one, 'values').map((each) => each['value']), one['others']], [[value], undefined])
  }
})

test('the list of lines is short, and says by what a line is tracked to who searches it', async () => {
  const all = await call('get_supported_shipping_lines', {})
  assert.equal(rows(all, 'shipping_lines').length, all['total_lines'])
  assert.ok(bytesOf(all) <= 4_096, `${bytesOf(all)}`)
  const [one] = rows(await call('get_supported_shipping_lines', { search: 'ONEY' }), 'shipping_lines')
  assert.deepEqual(one?.['tracked_by'], ['bill_of_lading', 'booking_number', 'container'])
})
