/** What agents do in one call: many numbers, changes, counts, delays, sources; and access rights. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { openTestApi, type TestApi } from '../support/api.ts'
import { caller, connect, openTestMcp, type TestMcp, textOf } from '../support/mcp.ts'
import { equipment, type Seeded, seededAt, seedShipment, transport } from '../support/seed.ts'

type Row = Readonly<Record<string, unknown>>

let api: TestApi
let mcp: TestMcp
let seeded: Seeded
let client: Client
let stranger: Client
let reader: Client

const late = { bill: 'CNSH87654321', box: 'MSCU4000026' }
const firstEta = '2026-03-20T08:00:00-07:00[America/Los_Angeles]'
const secondEta = '2026-03-22T20:00:00-07:00[America/Los_Angeles]'

/** A vessel that arrives two and a half days later than first estimated. */
function sailing(eta: string): readonly unknown[] {
  const ship = { vesselIMONumber: '9321483', vesselName: 'EMMA MAERSK' }
  const at = (call: string, unlocode: string, sequence: number) =>
    ({ call, unlocode, facility: null, sequence, mode: 'VESSEL', vessel: ship, voyage: '7E' }) as const
  return [
    equipment('LOAD', 'LADEN', '2026-03-05T04:00:00+08:00', {
      ...at('late-1', 'CNSHA', 1),
      number: late.box,
    }),
    transport('DEPA', 'ACT', '2026-03-06T04:00:00+08:00', at('late-1', 'CNSHA', 1)),
    transport('ARRI', 'EST', eta, at('late-2', 'USLAX', 2)),
  ]
}

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  seeded.carrier.answers({ json: sailing('2026-03-20T08:00:00-07:00') }, late.bill)
  const attributes = { request_type: 'bill_of_lading', request_number: late.bill, scac: 'ONEY' }
  const body = { data: { type: 'tracking_request', attributes } }
  await api.call({ method: 'POST', url: '/v2/tracking_requests', body })
  await api.drain()
  seeded.carrier.answers({ json: sailing('2026-03-22T20:00:00-07:00') }, late.bill)
  await api.pass(26)
  await api.drain()
  mcp = await openTestMcp(api)
  const as = (key: string) => connect(mcp.url, { authorization: `Token ${key}` })
  client = await as(api.key)
  stranger = await as(await api.newKey(await api.newAccount(), ['read', 'write']))
  reader = await as(await api.newKey(api.context, ['read']))
})
after(async () => {
  for (const each of [client, stranger, reader]) await each.close()
  await mcp.close()
  await seeded.carrier.close()
  await api.close()
})

const { call, refusal } = caller(() => client)
const rows = (data: Row, name = 'items') => data[name] as readonly Row[]

describe('numbers instead of ids', () => {
  test('find a container by number or bill, and a shipment by bill, reference or container', async () => {
    assert.equal((await call('get_container', { id: 'mscu 400000-5' }))['id'], seeded.containerIds[0])
    for (const id of [seeded.bill, `ONEY${seeded.bill}`, `oney ${seeded.bill}`, 'PO-77', 'MSCU4000010'])
      assert.equal((await call('get_shipment_details', { id }))['id'], seeded.shipmentId, id)
  })

  test('are refused when they match several containers, and the answer lists the ids', async () => {
    const several = await refusal('get_container', { id: seeded.bill })
    for (const id of seeded.containerIds) assert.match(several, new RegExp(id))
    assert.match(await refusal('get_container', { id: 'MSCU4000007' }), /check digit is wrong.*MSCU4000005/)
    for (const id of [seeded.bill, 'MSCU4000010'])
      assert.match(await refusal('stop_tracking', { id }, stranger), /No shipment that is tracked/)
  })
})

describe('track_numbers', () => {
  test('finds tracked numbers, creates requests for the others, and refuses only invalid numbers', async () => {
    const numbers = ['MSCU4000005', 'MSCU 400000 5', 'MSCU4000007', 'ONEYSH1234567', 'HLBU1234560']
    const answer = await call('track_numbers', { numbers, refNumbers: ['PO 9'] })
    const outcomes = rows(answer).map(({ outcome }) => outcome)
    assert.deepEqual(outcomes.slice(0, 4), ['tracked', 'repeated', 'refused', 'requested'])
    assert.equal(rows(answer)[0]?.['containerId'], seeded.containerIds[0])
    assert.match(String(rows(answer)[2]?.['message']), /check digit/)
    const asked = await call('list_tracking_requests', { filters: { request_number: 'ONEYSH1234567' } })
    assert.deepEqual(rows(asked)[0]?.['refNumbers'], ['PO 9'])
    const again = await call('track_numbers', { numbers: ['ONEYSH1234567'] })
    assert.equal(rows(again)[0]?.['requestId'], rows(asked)[0]?.['id'], 'nothing is asked for twice')
  })

  test('creates one request of each number when it is called twice at one moment', async () => {
    const numbers = Array.from({ length: 10 }, (_, nth) => `ONEYSH${2_000_000 + nth}`)
    const both = await Promise.all([call('track_numbers', { numbers }), call('track_numbers', { numbers })])
    const [first, second] = both.map((each) => rows(each).map(({ requestId }) => requestId))
    assert.deepEqual(first, second)
    assert.equal(new Set(first).size, numbers.length)
    assert.ok(both.every((each) => rows(each).every(({ outcome }) => outcome === 'requested')))
  })

  test('accepts fifty numbers at most, and requires the scope to write', async () => {
    const many = Array.from({ length: 51 }, (_, nth) => `ONEYSH${1_000_000 + nth}`)
    assert.match(await refusal('track_numbers', { numbers: many }), /`numbers` has more than 50 items/)
    for (const [name, args] of [
      ['track_numbers', { numbers: ['ONEYSH7654321'] }],
      ['correct_tracking_request', { id: seeded.trackingRequestId, number: 'ONEYSH7654321' }],
      ['redeliver', { webhook_id: seeded.shipmentId }],
    ] as const) {
      const { isError, content } = await reader.callTool({ name, arguments: { ...args } })
      assert.equal(isError, true, name)
      assert.match(JSON.stringify(content), /may only read|scope/, name)
    }
  })
})

describe('correct_tracking_request', () => {
  test('creates the right request with the references of the wrong one', async () => {
    const wrong = await call('track_container', {
      number: 'ONEYSH5555555',
      numberType: 'bill_of_lading',
      scac: 'ONEY',
      refNumbers: ['PO 5'],
    })
    const { id } = wrong['tracking_request'] as { readonly id: string }
    const corrected = await call('correct_tracking_request', { id, number: 'ONEYSH5555556' })
    const made = corrected['tracking_request'] as Row
    assert.deepEqual([made['requestNumber'], made['refNumbers']], ['ONEYSH5555556', ['PO 5']])
    assert.equal(corrected['stopped'], false, 'the wrong one tracked nothing')
    assert.match(await refusal('correct_tracking_request', { id }), /Give what is right/)
    assert.match(await refusal('correct_tracking_request', { id, scac: 'ONE' }), /has this line, number and kind/)
    assert.match(await refusal('correct_tracking_request', { id, scac: 'XXXX' }), /`scac`.*`XXXX`/)
    assert.match(await refusal('correct_tracking_request', { id, scac: 'ONE' }, stranger), /No such/)
  })
})

describe('what_changed', () => {
  test('returns old and new values and their source, from a time or a cursor on', async () => {
    const all = await call('what_changed', { since: '2026-03-01' })
    const moved = rows(all, 'changes').filter(({ attribute }) => attribute === 'pod_eta_at')
    assert.deepEqual(
      moved.map(({ before, after, saidBy, billOfLading }) => [before, after, saidBy, billOfLading]),
      [
        [null, firstEta, 'shipping_line', late.bill],
        [firstEta, secondEta, 'shipping_line', late.bill],
      ],
    )
    const lines = (await api.call({ url: '/v2/changes' })).body as {
      readonly data: readonly { readonly text: string }[]
    }
    assert.equal(moved.length, 2)
    for (const { text } of moved)
      assert.ok(
        lines.data.some((line) => text === line.text),
        String(text),
      )
    for (const { saidBy } of rows(all, 'changes').filter(({ after }) => after != null)) assert.ok(saidBy)
    const corrected = rows(all, 'changes').find(({ event }) => event === 'container.transport.corrected')
    if (corrected !== undefined) assert.notEqual(corrected['before'], corrected['after'])
    assert.equal(all['has_more'], false)
    const none = await call('what_changed', { since: all['cursor'] })
    assert.deepEqual([rows(none, 'changes'), none['cursor']], [[], all['cursor']])
  })

  test('can be paged without loss, and filtered by container or by event', async () => {
    const whole = rows(await call('what_changed', { since: '0', page_size: 200 }), 'changes')
    const pages: Row[] = []
    for (let since = '0', hasMore = true; hasMore; ) {
      const page = await call('what_changed', { since, page_size: 3 })
      pages.push(...rows(page, 'changes'))
      since = String(page['cursor'])
      hasMore = page['has_more'] === true
    }
    assert.deepEqual(pages, whole)
    const one = rows(await call('what_changed', { since: '0', id: 'MSCU4000005' }), 'changes')
    assert.deepEqual([...new Set(one.map(({ number }) => number))], ['MSCU4000005'])
    const byBill = { since: '0', id: late.bill, events: 'shipment.estimated.arrival' }
    assert.ok(rows(await call('what_changed', byBill), 'changes').length > 0, 'a bill with one container is a shipment')
    const loaded = await call('what_changed', { since: '0', events: 'container.transport.vessel_loaded' })
    assert.equal(rows(loaded, 'changes').length, 3)
  })

  test('shows another account nothing, and refuses invalid arguments', async () => {
    assert.deepEqual(rows(await call('what_changed', { since: '0' }, stranger), 'changes'), [])
    for (const id of [seeded.containerIds[0], seeded.shipmentId, 'MSCU4000005'])
      assert.match(await refusal('what_changed', { id }, stranger), /No /)
    assert.match(await refusal('what_changed', { since: 'yesterday' }), /`since` must be a `cursor` or a time/)
    assert.match(await refusal('what_changed', { since: '999999' }), /newest event of this account/)
    assert.match(await refusal('what_changed', { events: 'container.update' }), /Did you mean `container.updated`/)
  })

  test('tells a busy day in short, the newest first, with the way to the rest', async () => {
    const { pool } = api.service
    const now = new Date(api.clock.now()).toISOString()
    await pool.query(
      `with made as (
         insert into events (account_id, id, sequence, name, reference_type, reference_id, shipment_id, payload, created_at)
         select e.account_id, gen_random_uuid(), c.last_sequence + n, e.name, e.reference_type, e.reference_id,
                md5('busy' || n / 10)::uuid, e.payload, $2
           from (select * from events where account_id = $1 and name = 'shipment.estimated.arrival' limit 1) e,
                event_counters c, generate_series(1, 600) n
          where c.account_id = $1 returning sequence)
       update event_counters set last_sequence = (select max(sequence) from made) where account_id = $1`,
      [api.context.account.id, now],
    )
    const day = await call('what_changed', {})
    assert.ok(JSON.stringify(day).length < 6_000, String(JSON.stringify(day).length))
    const [first] = rows(day, 'shipments')
    assert.equal(first?.['changes'], 1)
    assert.deepEqual(rows(day, 'shipments')[1]?.['changes'], 10)
    const sequences = rows(day, 'changes').map(({ sequence }) => Number(sequence))
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => b - a),
    )
    assert.equal(String(sequences[0]), day['cursor'])
    const { shipments } = day['left_off'] as { readonly shipments: number }
    assert.ok(shipments > 40, String(shipments))
    assert.deepEqual(rows(await call('what_changed', { since: day['cursor'] }), 'changes'), [])
    assert.deepEqual(rows(await call('what_changed', {}, stranger), 'changes'), [])
    // Who names events gets all of them, page by page.
    const named = await call('what_changed', { events: 'shipment.estimated.arrival' })
    assert.deepEqual([named['shipments'], rows(named, 'changes').length, named['has_more']], [undefined, 100, true])
  })
})

describe('lists', () => {
  test('count rows by a field instead of listing them, with the number of unknown values', async () => {
    const counted = await call('list_containers', { count_by: 'pod' })
    assert.deepEqual(counted['counts'], [{ value: 'USLAX', name: 'Los Angeles', count: 3 }])
    assert.deepEqual(counted['meta'], { size: 0, total: 3, unknown_rows: 0 })
    const lfd = await call('list_containers', { count_by: 'last free day' })
    assert.deepEqual(lfd['counts'], [{ value: null, count: 3 }])
    assert.equal((lfd['meta'] as Row)['unknown_rows'], 3)
    assert.deepEqual((await call('list_shipments', { count_by: 'line' }, stranger))['counts'], [])
    assert.match(await refusal('list_shipments', { count_by: 'colour' }), /`count_by` is one of status, line/)
  })

  test('are sorted and restricted to the requested fields', async () => {
    const sorted = await call('list_containers', { sort: '-number', fields: 'number, pod_terminal' })
    assert.deepEqual(
      rows(sorted).map(({ number }) => number),
      ['MSCU4000026', 'MSCU4000010', 'MSCU4000005'],
    )
    assert.deepEqual(Object.keys(rows(sorted)[0] ?? {}), ['number', 'podTerminal'])
    const compact = await client.callTool({ name: 'list_containers', arguments: { fields: 'number' } })
    assert.equal(compact.content.length, 1, 'no links and no steering')
    assert.match(await refusal('list_containers', { fields: 'nummer' }), /no member `nummer`.*Did you mean `number`/)
    assert.match(await refusal('list_containers', { sort: 'size' }), /`sort` is one of/)
  })

  test('can be filtered by vessel name, terminal name and several numbers', async () => {
    const [ship] = rows(await call('list_shipments', { fields: 'vessel' })).map(({ vessel }) => vessel as Row)
    assert.equal(rows(await call('list_shipments', { filters: { vessel: ship?.['imo'] } })).length, 2)
    assert.equal(rows(await call('list_shipments', { filters: { vessel: 'emma maersk' } })).length, 2)
    assert.equal(rows(await call('list_containers', { filters: { terminal: 'apm terminals' } })).length, 2)
    const both = { number: seeded.numbers.join(', ') }
    assert.equal(rows(await call('list_containers', { filters: both })).length, 2)
    assert.equal(rows(await call('list_containers', { filters: both }, stranger)).length, 0)
  })
})

describe('delay and sources', () => {
  test('delay is a structured value, and unknown parts are null', async () => {
    const { delay } = await call('get_shipment_details', { id: late.bill })
    assert.deepEqual(delay, {
      first_plan: null,
      first_estimate: firstEta,
      now: secondEta,
      now_is: 'estimate',
      slip_since_plan_hours: null,
      slip_since_first_estimate_hours: 60,
      slip_since_yesterday_hours: (delay as Row)['slip_since_yesterday_hours'],
      trend: 'later',
      moved_hours_in_week: 60,
      times_moved: 1,
      last_said_by: 'shipping_line ONEY',
      last_said_at: (delay as Row)['last_said_at'],
    })
    const arrived = (await call('get_shipment_details', { id: seeded.bill }))['delay'] as Row
    assert.deepEqual(
      [arrived['now_is'], arrived['trend'], arrived['slip_since_first_estimate_hours'], arrived['first_estimate']],
      ['actual', 'arrived', 4, '2026-02-01T08:00:00-08:00[America/Los_Angeles]'],
    )
    const slips = rows(await call('list_shipments', { fields: 'billOfLading, slip_since_first_estimate_hours' }))
    assert.deepEqual(
      slips.map(({ billOfLading, slipSinceFirstEstimateHours: slip }) => [billOfLading, slip]).toSorted(),
      [
        [seeded.bill, 4],
        [late.bill, 60],
      ].toSorted(),
    )
  })

  test('each value cites a claim that leads to the original answer of the source', async () => {
    const cited = rows(await call('get_container', { id: 'MSCU4000005', cite: true }), 'citations')
    const status = cited.find(({ value }) => value === 'current_status')
    assert.match(String(status?.['said_by']), /^shipping_line/)
    const of = { type: 'container', id: 'MSCU4000005', claim: status?.['claim'] }
    const explained = await call('explain_value', of)
    assert.ok(rows(explained, 'values').some(({ value }) => value === 'current_status'))
    const [uri = ''] = explained['answers'] as readonly string[]
    const { contents } = await client.readResource({ uri })
    assert.match(JSON.stringify(contents), /MSCU4000005/)
    await assert.rejects(stranger.readResource({ uri }), { code: -32602 })
    assert.match(await refusal('explain_value', { ...of, claim: seeded.shipmentId }), /No value .* uses/)
  })
})

test('a tracking request explains its status with its attempts and what to do', async () => {
  // The carrier does not know this number.
  const made = await call('track_container', {
    number: 'ONEYSH7777777',
    scac: 'ONEY',
    numberType: 'bill_of_lading',
  })
  await api.drain()
  const { id } = made['tracking_request'] as { readonly id: string }
  const asked = { filters: { request_number: 'ONEYSH7777777' }, why: true }
  const [row = {}] = rows(await call('list_tracking_requests', asked))
  const why = row['why'] as Row
  const rest = (await api.call({ url: `/v2/tracking_requests/${id}/attempts` })).many()
  assert.deepEqual([row['status'], why['attempts']], ['awaiting_manifest', rest.length])
  assert.equal((why['last'] as readonly Row[]).length, rest.length)
  assert.match(String(why['what_to_do']), /correct_tracking_request/)
  const { counts } = await call('list_tracking_requests', { count_by: 'status', filters: { scac: 'ONE' } })
  assert.ok((counts as readonly Row[]).some(({ value }) => value === 'awaiting_manifest'))
  assert.deepEqual(rows(await call('list_tracking_requests', asked, stranger)), [])
})

test('redeliver repeats deliveries that a receiver refused, only of the own account', async () => {
  const attributes = {
    url: 'http://127.0.0.1:9/hook',
    active: true,
    events: ['tracking_request.tracking_stopped'],
  }
  await api.drain()
  const hook = await api.call({
    method: 'POST',
    url: '/v2/webhooks',
    body: { data: { type: 'webhook', attributes } },
  })
  await call('stop_tracking', { id: seeded.bill })
  await api.drain()
  const webhook_id = hook.one().id
  const [health] = rows(await call('webhook_health', { webhook_id }), 'webhooks')
  assert.deepEqual([health?.['health'], health?.['failed'], health?.['pending']], ['failing', 0, 1])
  assert.deepEqual((await call('redeliver', { webhook_id }))['queued'], 1)
  await api.drain()
  const [failure] = rows(await call('webhook_health', { webhook_id }))
  assert.equal(failure?.['attempts'], 2)
  assert.equal((await call('redeliver', { ids: [failure?.['id']] }))['queued'], 1)
  assert.match(await refusal('redeliver', {}), /Say either which `ids`/)
  assert.match(await refusal('redeliver', { webhook_id }, stranger), /No such/)
  const foreign = await call('redeliver', { ids: [failure?.['id']] }, stranger)
  assert.equal(foreign['queued'], 0)
  assert.match(JSON.stringify(foreign['refused']), /No such/)
  assert.match(await refusal('webhook_health', { webhook_id }, stranger), /No such/)
  await call('resume_tracking', { id: seeded.bill })
})

test('search and fetch have the form that document connectors expect', async () => {
  const found = await client.callTool({ name: 'search', arguments: { query: 'MSCU4000005' } })
  assert.equal(found.content.length, 1)
  const { results } = JSON.parse(textOf(found.content[0])) as { readonly results: readonly Row[] }
  for (const each of results) assert.deepEqual(Object.keys(each), ['id', 'title', 'url'])
  const page = await call('fetch', { id: results[0]?.['id'] })
  assert.deepEqual(Object.keys(page), ['id', 'title', 'text', 'url', 'metadata'])
  assert.match(String(page['text']), /MSCU4000005/)
  assert.match(String(page['url']), new RegExp(`/shipments/${seeded.shipmentId}$`))
  assert.deepEqual((await call('search', { query: 'MSCU4000005' }, stranger))['results'], [])
  assert.match(await refusal('fetch', { id: results[0]?.['id'] }, stranger), /No such/)
})

test('prompts and addresses suggest the tracked numbers of the own account', async () => {
  const complete = async (by: Client, value: string, prompt = 'check-demurrage', name = 'container_id') => {
    const ref = { type: 'ref/prompt', name: prompt } as const
    const { completion } = await by.complete({ ref, argument: { name, value } })
    return completion.values.toSorted()
  }
  for (const [prompt, name] of [
    ['analyze-delays', 'container_id'],
    ['track-shipment', 'container_number'],
  ] as const)
    assert.deepEqual(await complete(client, 'MSCU', prompt, name), ['MSCU4000005', 'MSCU4000010', late.box])
  assert.deepEqual(await complete(client, 'MSCU'), ['MSCU4000005', 'MSCU4000010', late.box])
  assert.deepEqual(await complete(client, ''), ['MSCU4000005', 'MSCU4000010', late.box])
  assert.deepEqual(await complete(stranger, 'MSCU'), [])
  const completeId = async (by: Client, kind: string, value: string) => {
    const ref = { type: 'ref/resource', uri: `landfall://${kind}/{id}` } as const
    const { completion } = await by.complete({ ref, argument: { name: 'id', value } })
    return completion.values.toSorted()
  }
  assert.deepEqual(await completeId(client, 'container', 'MSCU'), ['MSCU4000005', 'MSCU4000010', late.box])
  assert.deepEqual(await completeId(client, 'shipment', late.bill.slice(0, 6)), [late.bill])
  assert.deepEqual(await completeId(stranger, 'container', ''), [])
  const prompt = await client.getPrompt({
    name: 'check-demurrage',
    arguments: { container_id: 'MSCU4000005' },
  })
  assert.match(JSON.stringify(prompt), /container MSCU4000005 with get_container/)
})

test('a subscribed shipment sends its changes, and another account cannot subscribe to it', async () => {
  const uri = `landfall://shipment/${seeded.shipmentId}`
  const updated = Promise.withResolvers<string>()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated.resolve(params.uri))
  const watching = await client.listen({ resourceSubscriptions: [uri] })
  assert.deepEqual(watching.honoredFilter.resourceSubscriptions, [uri])
  await call('stop_tracking', { id: seeded.shipmentId })
  await api.drain()
  assert.equal(await updated.promise, uri)
  await watching.close()
  await assert.rejects(stranger.listen({ resourceSubscriptions: [uri] }), /no resource|400/i)
  await call('resume_tracking', { id: seeded.shipmentId })
})

test('correcting a request that tracks the wrong shipment stops that shipment', async () => {
  const asked = { filters: { request_number: late.bill } }
  const [wrong] = rows(await call('list_tracking_requests', asked))
  const corrected = await call('correct_tracking_request', { id: wrong?.['id'], number: 'ONEYSH8888888' })
  assert.equal(corrected['stopped'], true)
  const { tracking } = await call('get_shipment_details', { id: late.bill })
  assert.ok((tracking as Row)['stopped_at'])
  const refused = { id: seeded.trackingRequestId, scac: 'MAEU' }
  assert.match(await refusal('correct_tracking_request', refused), /no access/)
  const { tracking: kept } = await call('get_shipment_details', { id: seeded.shipmentId })
  assert.equal((kept as Row)['stopped_at'], null, 'nothing of the wrong one changes where the right one is refused')
})
