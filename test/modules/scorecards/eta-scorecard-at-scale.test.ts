// A million estimates (a tenth in `npm test`) are judged in less than a minute, and their figures are read in seconds.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scoreDueEtas } from '../../../src/modules/scorecards/score-etas.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { atScale } from '../../support/scale.ts'
import { giveAccess } from '../../support/service.ts'
import { event, journey } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100004'
/** Half of them by the line, half our own. */
const etasOfShipment = 40
const estimates = atScale(1_000_000)
const shipments = estimates / etasOfShipment
const shipmentsAtOnce = 1_000

let api: TestApi
let carrier: Carrier

before(async () => {
  api = await openTestApi({ startAt: '2026-01-23T00:00:00Z' })
  carrier = await openCarrier()
  const arrived = event({ told: 802, code: 'ARRI', at: '2026-01-21T10:00:00-08:00', place: 'USLAX', bill })
  carrier.answers({ json: [...journey(bill, 'sailed'), arrived] })
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  await api.call({ method: 'POST', url: '/v2/tracking_requests', body })
  await api.drain()
  const client = await api.service.pool.connect()
  try {
    // The rows are made whole, so the triggers that keep them together need not run.
    await client.query('set session_replication_role = replica; set statement_timeout = 0')
    const copied = ['shipments', 'containers', 'tracking_requests']
    for (let from = 0; from < shipments; from += shipmentsAtOnce) {
      for (const table of copied)
        await client.query({
          text: `insert into ${table} (${await columnsOf(table)})
                 select ${(await columnsOf(table)).replaceAll(/\b(\w+)\b/g, 't.$1')}
                   from generate_series($2::integer + 1, $2 + $3) n, ${table} o,
                        lateral jsonb_populate_record(o, jsonb_build_object(
                          'id', md5('${table}' || n), 'normalized_number', 'B' || n, 'request_number', 'B' || n)
                          || case when '${table}' = 'shipments' then '{}' else jsonb_build_object(
                            'shipment_id', md5('shipments' || n), 'number', 'N' || n, 'subject_id', md5('subjects' || n)) end) t
                  where o.account_id = $1 and o.id not in (select md5('${table}' || m)::uuid from generate_series(1, $2) m)`,
          values: [api.context.account.id, from, Math.min(shipmentsAtOnce, shipments - from)],
        })
      await client.query({
        text: `insert into claims (account_id, id, subject_id, source_kind, source_code, source_key, observation, reader,
                                   read_at, recorded_at)
               select $1, md5('claim' || n || '-' || k)::uuid, md5('subjects' || n)::uuid, 'shipping_line', 'HLCU', k,
                      jsonb_build_object('kind', 'event', 'key', k::text, 'code', 'ARRI', 'classifier', 'EST', 'mode', 'VESSEL',
                        'statedAt', null, 'place', '{"unlocode": "USLAX", "timeZone": "America/Los_Angeles"}'::jsonb,
                        'time', jsonb_build_object('kind', 'instant', 'at', to_char(
                          timestamp '2026-01-21' + ((n * 7 + k * 13) % 100 - 50) * interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"'))),
                      'dcsa/1', at, at
                 from generate_series($2::integer + 1, $2 + $3) n, generate_series(1, $4) k,
                      lateral (select timestamptz '2026-01-01Z' + k * interval '20 hours' as at) at`,
        values: [api.context.account.id, from, Math.min(shipmentsAtOnce, shipments - from), etasOfShipment / 2],
      })
      await client.query({
        text: `insert into shipment_etas (account_id, shipment_id, made_at, eta, earliest, latest, unlocode, vessel_imo,
                                          fix_at, remaining_nm, speed_knots, made_of)
               select $1, md5('shipments' || n)::uuid, at, eta, eta - interval '1 day', eta + interval '1 day', 'USLAX',
                      '9321483', at, 100, 17, '{"vesselEta": "2026-01-21T00:00:00.000Z", "line": null, "lineWeight": 0, "calls": []}'
                 from generate_series($2::integer + 1, $2 + $3) n, generate_series(1, $4) k,
                      lateral (select timestamptz '2026-01-01 03:00Z' + k * interval '20 hours' as at,
                                      timestamptz '2026-01-21Z' + ((n + k) % 60 - 30) * interval '1 hour' as eta) told`,
        values: [api.context.account.id, from, Math.min(shipmentsAtOnce, shipments - from), etasOfShipment / 2],
      })
    }
    await client.query({
      text: `insert into eta_outcomes_due select account_id, id from shipments where account_id = $1 on conflict do nothing`,
      values: [api.context.account.id],
    })
    await client.query('analyze')
  } finally {
    client.release(true)
  }
})
after(async () => {
  await carrier.close()
  await api.close()
})

const columns = new Map<string, string>()
async function columnsOf(table: string): Promise<string> {
  const known = columns.get(table)
  if (known !== undefined) return known
  const { rows } = await api.service.pool.query<{ names: string }>(
    `select string_agg(column_name, ', ' order by ordinal_position) as names from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const names = rows[0]?.names ?? ''
  columns.set(table, names)
  return names
}

test('a million estimates are judged in less than a minute', async (t) => {
  const beganMs = performance.now()
  await scoreDueEtas(api.service)
  // The cluster of a test has no autovacuum.
  await api.service.pool.query('analyze eta_outcomes')
  while ((await scoreDueEtas(api.service)) > 0);
  const tookMs = performance.now() - beganMs
  const { rows } = await api.service.pool.query<{ kind: string; n: number }>(
    'select kind, count(*) as n from eta_outcomes group by kind order by kind',
  )
  const half = estimates / 2
  const counted = [{ kind: 'first', n: shipments }, ...['line', 'own', 'vessel'].map((kind) => ({ kind, n: half }))]
  assert.deepEqual(rows, counted)
  t.diagnostic(`${estimates} estimates of ${shipments} shipments in ${Math.round(tookMs)} ms`)
  assert.ok(tookMs < 60_000, `${Math.round(tookMs)} ms`)
})

test('the figures of a million estimates are read in seconds, and an estimate by its page at once', async (t) => {
  await api.service.pool.query('analyze eta_outcomes')
  for (const [query, limitMs] of [
    ['', 5_000],
    ['?group_by=line,lane', 5_000],
    ['?filter[kind]=own', 5_000],
    ['/outcomes?filter[kind]=own&filter[days_ahead]=7', 5_000],
  ] as const) {
    const beganMs = performance.now()
    const { status, many } = await api.call({ url: `/v2/scorecards/etas${query}` })
    const tookMs = Math.round(performance.now() - beganMs)
    assert.equal(status, 200)
    assert.ok(many().length > 0)
    t.diagnostic(`${query || 'all'}: ${tookMs} ms`)
    assert.ok(tookMs < limitMs, `${query}: ${tookMs} ms`)
  }
})
