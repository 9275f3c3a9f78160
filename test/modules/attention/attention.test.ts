// The inbox of exceptions: each reason by its story, what is not reported, order and pages, snoozed items.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pruneAlerts } from '../../../src/pipeline/notifications/prune-alerts.ts'
import {
  type AttentionStory,
  atSea,
  booked,
  landed,
  openAttentionStory,
  pickedUp,
  toGoOnByRail,
} from '../../support/attention-story.ts'
import { connect, openTestMcp } from '../../support/mcp.ts'

let story: AttentionStory
before(async () => {
  story = await openAttentionStory()
})
after(() => story.close())

const idOf = (data: unknown) => (data as { readonly id: string } | null)?.id ?? null

test('reports a hold at the terminal with who set it and since when, until its release', async () => {
  const shipmentId = await story.track('HELD00000001', landed('MSCU4000005'))
  assert.deepEqual(await story.items(`?filter[shipment]=${shipmentId}`), [])
  const before = await story.api.call({ url: '/v2/attention?filter[reason]=held' })
  assert.deepEqual(before.body.meta?.['unknown'], { held: 1 }, 'nobody has spoken of holds yet')
  await story.says('MSCU4000005', 'holds', [{ name: 'customs', status: 'hold', description: 'CET exam' }])
  const held = await story.item('held')
  assert.equal(held.attributes['severity'], 'urgent')
  assert.equal(held.attributes['since'], '2026-02-03T00:00:00Z')
  assert.equal(held.attributes['text'], 'MSCU4000005 is held where it is: customs.')
  assert.deepEqual(held.attributes['before'], [])
  assert.deepEqual(held.attributes['said'], { kind: 'terminal', code: 'W185', claim_id: null })
  assert.equal(idOf(held.relationships?.['shipment']?.data), shipmentId)
  const after = await story.api.call({ url: '/v2/attention?filter[reason]=held' })
  assert.deepEqual(after.body.meta?.['unknown'], { held: 0 })
  await story.api.pass(1)
  await story.says('MSCU4000005', 'holds', [])
  assert.deepEqual(await story.items('?filter[reason]=held'), [])
})

test('reports fees at the terminal with their amounts', async () => {
  await story.track('FEES00000001', landed('MSCU4000010'))
  await story.says('MSCU4000010', 'fees', [{ type: 'demurrage', amount: 300, currency: 'USD' }])
  const fees = await story.item('fees')
  assert.equal(fees.attributes['text'], 'Fees are to be paid for MSCU4000010: demurrage 300 USD.')
  await story.api.pass(1)
  await story.says('MSCU4000010', 'fees', [])
})

test('reports free time that ends soon or has ended, by local time, until the container is out', async () => {
  const shipmentId = await story.track('FREE00000001', landed('MSCU4000026'))
  const query = `?filter[shipment]=${shipmentId}`
  const unknown = await story.api.call({ url: `/v2/attention${query}` })
  assert.match(JSON.stringify(unknown.body.meta?.['unknown']), /"free_time_ended":1/)
  await story.says('MSCU4000026', 'pickup_lfd_terminal', '2026-02-04')
  // It is 2 February, 16:00, in Los Angeles; the last free day ends on 5 February, 00:00 there.
  assert.deepEqual(await story.items(query), [])
  await story.tell('FREE00000001', landed('MSCU4000026'), 9)
  const soon = await story.item('free_time_ends_soon', query)
  assert.deepEqual(
    [soon.attributes['severity'], soon.attributes['due_at'], soon.attributes['after']],
    ['soon', '2026-02-05T08:00:00Z', '2026-02-04'],
  )
  await story.api.pass(46)
  assert.equal((await story.items(query)).length, 1)
  await story.api.pass(1)
  const ended = await story.item('free_time_ended', query)
  assert.equal(ended.attributes['severity'], 'urgent')
  assert.equal(
    ended.attributes['text'],
    'MSCU4000026: Free time ended Wed 4 Feb, 1 day over, says the terminal. Not picked up.',
  )
  await story.tell('FREE00000001', pickedUp('MSCU4000026'))
  assert.deepEqual(await story.items(query), [])
})

test('reports for a week that an arrival estimate moved by a day or more', async () => {
  const eta = (day: number) => atSea('MSCU4000031', `2026-03-0${day}T08:00:00-08:00`)
  const shipmentId = await story.track('MOVE00000001', eta(1))
  const query = `?filter[shipment]=${shipmentId}&filter[reason]=eta_moved`
  await story.tell('MOVE00000001', atSea('MSCU4000031', '2026-03-01T20:00:00-08:00'))
  assert.deepEqual(await story.items(query), [], 'half a day is no exception')
  await story.tell('MOVE00000001', eta(4))
  const moved = await story.item('eta_moved', query)
  assert.deepEqual(
    [moved.attributes['before'], moved.attributes['after'], moved.attributes['severity']],
    ['2026-03-01T16:00:00Z', '2026-03-04T16:00:00Z', 'info'],
  )
  assert.match(String(moved.attributes['text']), /at USLAX moved from 2026-03-01 to 2026-03-04, 3 days later/)
  const statements = moved.attributes['said'] as { readonly kind: string; readonly claim_id: string | null }
  assert.deepEqual([statements.kind, typeof statements.claim_id], ['shipping_line', 'string'])
  await story.api.pass(8 * 24)
  assert.deepEqual(await story.items(query), [])
})

test('reports another ship or voyage, or a later sailing, as a rolled shipment', async () => {
  const eta = '2026-03-20T08:00:00-08:00'
  const other = { vessel: { vesselIMONumber: '9321495', vesselName: 'ESTELLE MAERSK' }, voyage: '602E' }
  const ship = await story.track('ROLL00000001', atSea('MSCU4000047', eta))
  const sailing = await story.track('ROLL00000002', booked('MSCU4000052', '2026-02-25T10:00:00+08:00'))
  assert.deepEqual(await story.items('?filter[reason]=rolled'), [])
  story.carrier.answers({ json: atSea('MSCU4000047', eta, other) }, 'ROLL00000001')
  await story.tell('ROLL00000002', booked('MSCU4000052', '2026-03-04T10:00:00+08:00'))
  const first = await story.item('rolled', `?filter[shipment]=${ship}`)
  assert.deepEqual(first.attributes['before'], { vessel_imo: '9321483', voyage: '601E' })
  assert.deepEqual(first.attributes['after'], { vessel_imo: '9321495', voyage: '602E' })
  const second = await story.item('rolled', `?filter[shipment]=${sailing}`)
  assert.match(String(second.attributes['text']), /sails on 2026-03-04; the first reported day was 2026-02-25/)
})

test('reports a container that waits for its train for more than three days', async () => {
  const shipmentId = await story.track('RAIL00000001', toGoOnByRail('MSCU4000068'))
  const waiting = await story.item('waiting_for_train', `?filter[shipment]=${shipmentId}`)
  assert.equal(waiting.attributes['since'], '2026-02-02T21:00:00Z')
})

test('reports why a request failed and what to do, until the number is tracked', async () => {
  story.carrier.answers({ status: 404, json: { statusCode: 404, errors: [] } }, 'NONE00000001')
  await story.track('NONE00000001', [])
  story.carrier.answers({ status: 404, json: { statusCode: 404, errors: [] } }, 'NONE00000001')
  await story.api.pass(8 * 24)
  const failed = await story.item('tracking_failed')
  assert.match(String(failed.attributes['text']), /^NONE00000001 \(ONEY\) is not tracked\. \S/)
  assert.ok(idOf(failed.relationships?.['tracking_request']?.data))
  await story.track('NONE00000001', atSea('MSCU4000073', '2026-04-01T08:00:00-08:00'))
  assert.deepEqual(await story.items('?filter[reason]=tracking_failed'), [])
})

test('reports a line that gives no news or cannot be polled', async () => {
  const shipmentId = await story.track('HUSH00000001', atSea('MSCU4000089', '2026-05-01T08:00:00-08:00'))
  const query = `?filter[shipment]=${shipmentId}`
  await story.api.pass(9 * 24)
  assert.deepEqual(await story.items(query), [])
  await story.api.pass(25)
  assert.match(String((await story.item('no_news', query)).attributes['text']), /has reported nothing new/)
  story.carrier.answers({ status: 500, json: {} }, 'HUSH00000001')
  await story.api.pass(4 * 24)
  assert.match(String((await story.item('no_news', query)).attributes['text']), /could not be polled/)
})

test('hides a snoozed item until its time, and shows it again when the snooze is cancelled', async () => {
  const [item] = await story.items('?filter[scac]=ONEY&filter[reason]=no_news')
  assert.ok(item)
  const url = `/v2/attention/${item.id}/snooze`
  const now = story.api.clock.now()
  const until = (ms: number) => new Date(now + ms).toISOString()
  const set = (body: object) => story.api.call({ method: 'POST', url, body })
  assert.equal((await set({ until: until(-1_000) })).error().source?.pointer, '/until')
  assert.equal((await set({ until: until(400 * 86_400_000) })).status, 422)
  assert.equal((await set({ until: 'tomorrow' })).status, 422)
  const done = await set({ until: until(2 * 3_600_000) })
  assert.equal(done.status, 200, done.text)
  assert.equal(done.one().attributes['snoozed_until'], until(2 * 3_600_000).replace('.000Z', 'Z'))
  const left = async (query = '') => (await story.items(`?page[size]=100${query}`)).map(({ id }) => id)
  assert.ok(!(await left()).includes(item.id))
  assert.deepEqual(await left('&filter[snoozed]=true'), [item.id])
  await story.api.pass(3)
  assert.ok((await left()).includes(item.id))
  await set({ until: until(20 * 3_600_000) })
  assert.ok(!(await left()).includes(item.id))
  assert.equal((await story.api.call({ method: 'DELETE', url })).status, 204)
  assert.ok((await left()).includes(item.id))
})

test('shows items to no other account, and refuses to snooze them with a read-only key', async () => {
  const item = (await story.items())[0]
  assert.ok(item)
  const url = `/v2/attention/${item.id}/snooze`
  const body = { until: '2027-01-01T00:00:00Z' }
  const stranger = await story.api.newAccount()
  const key = await story.api.newKey(stranger, ['read', 'write'])
  assert.deepEqual(await story.items('', key), [])
  assert.equal((await story.api.call({ method: 'POST', url, key, body })).status, 404)
  assert.equal((await story.api.call({ method: 'DELETE', url, key })).status, 404)
  const reader = await story.api.newKey(story.api.context, ['read'])
  assert.equal((await story.api.call({ method: 'POST', url, key: reader, body })).status, 403)
  assert.ok((await story.items('', reader)).length > 0)
})

test('paging through the attention list returns every item once, the most urgent first', async () => {
  const all = (await story.items('?page[size]=100')).map(({ id }) => id)
  assert.ok(all.length >= 4, `${all.length}`)
  const walked: string[] = []
  for (let url: string | undefined = '/v2/attention?page[size]=2&page[after]='; url !== undefined; ) {
    const answer = await story.api.call({ url })
    walked.push(...answer.many().map(({ id }) => id))
    url = answer.body.links?.['next']?.replace(/^https?:\/\/[^/]+/, '')
  }
  assert.deepEqual(walked, all)
  const ranks = (await story.items('?page[size]=100')).map(({ attributes }) =>
    ['urgent', 'soon', 'info'].indexOf(String(attributes['severity'])),
  )
  assert.deepEqual(ranks, ranks.toSorted())
})

test('the MCP tool gives the same list, and the counts of what is unknown', async () => {
  const mcp = await openTestMcp(story.api)
  const client = await connect(mcp.url, { authorization: `Token ${story.api.key}` })
  try {
    const ask = async (args: Record<string, unknown>) => client.callTool({ name: 'attention', arguments: args })
    const toolAnswer = (await ask({ page_size: 25 })).structuredContent as {
      items: { id: string }[]
      unknown: string[]
    }
    const listed = (await story.items('?page[size]=25')).map(({ id }) => id)
    assert.ok(listed.length > 3)
    // In the order of the entries.
    assert.deepEqual(toolAnswer.items.map(({ id }) => id).toSorted(), listed.toSorted())
    assert.ok(toolAnswer.unknown.some((each) => /^held: \d+$/.test(each)))
    assert.equal((await ask({ reason: 'bored' })).isError, true)
  } finally {
    await client.close()
    await mcp.close()
  }
})

test('reports a line that cannot be polled for two days, however many other shipments there are', async () => {
  const id = await story.track('MUTE00000001', landed('MSCU4000073').slice(0, 1))
  const query = `?filter[shipment]=${id}&filter[reason]=no_news`
  story.carrier.answers({ status: 500, json: {} }, 'MUTE00000001')
  await story.api.pass(40)
  assert.deepEqual(await story.items(query), [])
  await story.api.pass(36)
  assert.match(String((await story.item('no_news', query)).attributes['text']), /could not be polled/)
})

test('deletes notes about arrivals once the ship has arrived', async () => {
  const { pool } = story.api.service
  const noted = async () =>
    (await pool.query('select 1 from told_moves union all select 1 from told_ships')).rowCount ?? 0
  await pruneAlerts(story.api.service)
  const before = await noted()
  await pool.query(`insert into told_ships select account_id, gen_random_uuid(), now() from shipments limit 1`)
  assert.equal(await noted(), before + 1)
  await pruneAlerts(story.api.service)
  assert.equal(await noted(), before)
})

test('reports nothing for a shipment that is no longer tracked', async () => {
  const [item] = await story.items('?filter[reason]=no_news')
  const shipmentId = idOf(item?.relationships?.['shipment']?.data)
  await story.api.call({ method: 'PATCH', url: `/v2/shipments/${shipmentId}/stop_tracking` })
  assert.deepEqual(await story.items(`?filter[shipment]=${shipmentId}`), [])
})
