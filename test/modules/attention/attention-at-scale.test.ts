// However many containers an account has, its inbox is read from indexes: 120,000 containers of 40,000 shipments (a
// quarter in `npm test`), and the time that each reason takes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { anyTime, type Cursor } from '../../../src/db/listing/page.ts'
import { attentionReasons } from '../../../src/domain/view/attention-reasons.ts'
import { findItemsOfReason } from '../../../src/modules/attention/find-items.ts'
import { buildAttentionQuestion, listAttention } from '../../../src/modules/attention/list-attention.ts'
import { listContainerRows } from '../../../src/modules/containers/list-containers-sql.ts'
import { type AttentionStory, landed, openAttentionStory } from '../../support/attention-story.ts'
import { listenTo, rowsVisited } from '../../support/plans.ts'
import { atScale } from '../../support/scale.ts'

let story: AttentionStory
const shipments = atScale(40_000, 10_000)
const shipmentsAtOnce = 5_000

before(async () => {
  story = await openAttentionStory()
  await story.track('BASE00000001', landed('MSCU4000005'))
  const { pool } = story.api.service
  const accountId = story.api.context.account.id
  const client = await pool.connect()
  try {
    // The rows are made whole, so the triggers that keep them together need not run.
    await client.query('set session_replication_role = replica; set statement_timeout = 0')
    for (let from = 0; from < shipments; from += shipmentsAtOnce) {
      await client.query({
        text: `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, projection, created_at,
                                      updated_at, container_ids, container_statuses)
               select s.account_id, md5('s' || n)::uuid, s.scac, 'B' || n, 'B' || n,
                      case when n % 2 = 0 then s.projection
                           else jsonb_set(s.projection, '{portOfDischarge,ata}', 'null') end,
                      s.created_at, s.updated_at - (n % 30) * interval '1 day', '{}',
                      array[case when n % 2 = 0 then 'grounded' else 'on_ship' end]
                 from generate_series($2::integer + 1, $2 + $3) n, shipments s
                where s.account_id = $1 and s.bill_of_lading_number = 'BASE00000001'`,
        values: [accountId, from, shipmentsAtOnce],
      })
      await client.query({
        text: `insert into containers (account_id, id, shipment_id, number, trip, status, projection, created_at, updated_at)
               select c.account_id, md5('c' || n || '-' || k)::uuid, md5('s' || n)::uuid, 'MSCU' || (1000000 + n * 3 + k), 1,
                      case when n % 2 = 0 then (array['grounded', 'available', 'awaiting_inland_transfer'])[k]
                           else 'on_ship' end,
                      c.projection || jsonb_build_object(
                        'status', case when n % 2 = 0 then (array['grounded', 'available', 'awaiting_inland_transfer'])[k]
                                       else 'on_ship' end,
                        'holds', case when n % 40 = 0 and k = 1
                                      then '[{"name": "customs", "status": "hold", "description": null}]'::jsonb else '[]' end,
                        'fees', case when n % 80 = 0 and k = 2
                                     then '[{"type": "demurrage", "amount": 100, "currencyCode": "USD"}]'::jsonb else '[]' end,
                        'freeTime', jsonb_build_object('line', null, 'rail', null, 'terminal', case when n % 3 > 0
                          then jsonb_build_object('kind', 'day', 'on', (date '2026-01-01' + (n % 60))::text) end)),
                      c.created_at, c.updated_at - (n % 900) * interval '1 minute'
                 from generate_series($2::integer + 1, $2 + $3) n, generate_series(1, 3) k, containers c
                where c.account_id = $1 and c.number = 'MSCU4000005' and c.trip = 1`,
        values: [accountId, from, shipmentsAtOnce],
      })
      await client.query({
        text: `insert into events (account_id, id, sequence, name, reference_type, reference_id, shipment_id, payload, created_at)
               select $1, md5('e' || n || '-' || k)::uuid, 1000000 + n * 3 + k, 'shipment.estimated.arrival', 'estimated_event',
                      md5('e' || n || '-' || k)::uuid, md5('s' || n)::uuid,
                      jsonb_build_object('estimated_timestamp', timestamptz '2026-03-01' + case when n % 50 = 1 then k else 0 end * interval '1 day',
                        'location_locode', 'USLAX', 'vessel_imo', '9321483', 'voyage_number', case when n % 80 = 3 and k = 3 then '602E' else '601E' end, 'data_source', 'shipping_line'),
                      timestamptz '2026-01-20' + k * interval '4 days'
                 from generate_series($2::integer + 1, $2 + $3) n, generate_series(1, 3) k`,
        values: [accountId, from, shipmentsAtOnce],
      })
    }
    await client.query({
      text: `insert into charge_tallies (account_id, container_id, shipment_id, is_asked, costs_from, tally)
             select c.account_id, c.id, c.shipment_id, false, t.at, jsonb_build_object('horizon', '2026-06-01', 'isUndecided', false,
                      'terms', jsonb_build_array(jsonb_build_object(
                        'slot', 'line demurrage port', 'code', 'acme', 'version', 1, 'kind', 'demurrage', 'chargedBy', 'line',
                        'missing', null, 'phase', 'charged', 'zone', 'UTC', 'from', t.at::date, 'stoppedOn', null,
                        'runs', '[["charged", 120, {"minor": 15000, "currency": "USD"}]]'::jsonb,
                        'chargedFrom', jsonb_build_object('day', t.at::date,
                           'at', to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')))))
               from containers c
               cross join lateral (select date_trunc('day', timestamptz '2025-12-20 00:00Z'
                                          + (abs(hashtext(c.number)) % 90) * interval '1 day') as at) t
              where c.account_id = $1 and c.status = 'grounded'`,
      values: [accountId],
    })
    await client.query({
      text: `insert into container_expectations (account_id, container_id, is_asked, expected, due_at, overdue_at)
             select c.account_id, c.id, false, jsonb_build_object('leg', 'at_terminal', 'step', 'vessel_discharged>full_out',
                      'after', 'vessel_discharged', 'afterCall', 'USLAX#1', 'afterAt', '2026-01-02T00:00:00.000Z',
                      'estimateAt', null, 'expected', 'full_out', 'usualHours', 94, 'limitHours', 229, 'by', 'prior',
                      'cases', 2742, 'dueAt', '2026-01-11T13:00:00.000Z'), d.due_at, case when d.due_at < '2026-02-07' then d.due_at end
               from containers c
               cross join lateral (select timestamptz '2025-10-01 00:00Z' + (abs(hashtext(c.number)) % 180) * interval '1 day' as due_at) d
              where c.account_id = $1
             on conflict do nothing`,
      values: [accountId],
    })
  } finally {
    client.release(true)
  }
  await pool.query(
    `select note_told_arrivals(account_id, array_agg(id)) from shipments where account_id = $1 group by account_id`,
    [accountId],
  )
  for (const table of [
    'shipments',
    'containers',
    'events',
    'charge_tallies',
    'container_expectations',
    'told_moves',
    'told_ships',
  ])
    await pool.query(`analyze ${table}`)
})
after(() => story.close())

/** As many as are listed, and the events and shipments of these: less than half of all containers. */
const visitedMax = 12_000

for (const reason of attentionReasons)
  test(`the search for ${reason} reads a bounded number of rows`, async () => {
    const { service, context } = story.api
    const { db, sent } = listenTo(service.pool)
    const startedMs = performance.now()
    const question = { ...buildAttentionQuestion(service, context), now: '2026-02-07T00:00:00.000Z' }
    const items = await findItemsOfReason(db, reason, question)
    const tookMs = Math.round(performance.now() - startedMs)
    const visited = await rowsVisited(service.pool, sent)
    console.log(`${reason}: ${items.length} items, ${visited} rows visited, ${tookMs} ms`)
    assert.ok(visited <= visitedMax, `${visited}`)
    if (reason !== 'tracking_failed') assert.ok(items.length > 100, `${items.length}`)
  })

test('lists at most 500 attention items', async () => {
  const { service, context } = story.api
  const filter = { reasons: null, scac: null, shipmentId: null, isSnoozed: false }
  const startedMs = performance.now()
  const found = await listAttention(service, context, { filter, page: { number: 1, size: 30 } })
  console.log(`the whole inbox: ${Math.round(performance.now() - startedMs)} ms`, found.unknown)
  assert.equal(found.page.total, 500)
  assert.equal(found.isCut, true)
  assert.equal(found.unknown.held, null, 'more than 10,000')
})

test('reads fewer than 100 rows to find the items of one shipment', async () => {
  const { service, context } = story.api
  const { db, sent } = listenTo(service.pool)
  const { rows } = await service.pool.query<{ id: string }>(`select md5('s40')::uuid as id`)
  const question = { ...buildAttentionQuestion(service, context), shipmentIds: rows.map(({ id }) => id) }
  for (const reason of attentionReasons) await findItemsOfReason(db, reason, question)
  const visited = await rowsVisited(service.pool, sent)
  console.log(`of one shipment: ${visited} rows visited`)
  assert.ok(visited < 100, `${visited}`)
})

test('each page of containers by urgency reads a bounded number of rows', async () => {
  const { service, context } = story.api
  const filter = { number: null, status: null, scac: null, updatedAt: anyTime }
  let cursor: Cursor = { side: 'after', position: null }
  for (const where of ['the beginning', 'the second page', 'behind the turn'] as const) {
    const { db, sent } = listenTo(service.pool)
    const startedMs = performance.now()
    const page = await listContainerRows(db, {
      accountId: context.account.id,
      filter,
      order: 'urgency',
      now: '2026-04-10T00:00:00Z',
      isCounted: false,
      page: { number: 1, size: 100, cursor },
    })
    const tookMs = Math.round(performance.now() - startedMs)
    const visited = await rowsVisited(service.pool, sent)
    console.log(`urgency, ${where}: ${visited} rows visited, ${tookMs} ms`)
    assert.equal(page.rows.length, 100)
    assert.ok(visited < 2_500, `${visited}`)
    cursor =
      where === 'the beginning'
        ? { side: 'after', position: page.pagePosition?.last ?? null }
        : { side: 'before', position: null }
  }
})
