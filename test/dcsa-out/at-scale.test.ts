// However many moves an account has, a DCSA answer reads only a bounded number of rows: 130,000 moves of 12,000
// containers: with fewer rows a complete read is as quick.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readEvents2Query } from '../../src/dcsa-out/events-2-query.ts'
import { listMoves } from '../../src/modules/transport-events/moves-sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { listenTo, rowsVisited } from '../support/plans.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded
const boxes = 12_000
/** One of three containers has the rare values. */
const third = boxes / 3
const half = boxes / 2

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  const { pool } = api.service
  const values = [api.context.account.id, boxes, seeded.numbers[0]]
  const client = await pool.connect()
  try {
    // The rows are inserted complete, so the triggers that keep them consistent need not run.
    await client.query('set session_replication_role = replica; set statement_timeout = 0')
    await client.query({
      text: `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, projection, created_at, updated_at)
             select s.account_id, md5('s' || n)::uuid, s.scac, 'B' || n, 'B' || n,
                    s.projection || jsonb_build_object('billOfLadingNumber', 'B' || n, 'bookingNumber', 'K' || n),
                    s.created_at, s.updated_at
               from generate_series(1, $2::integer) n, shipments s
               join containers c on c.account_id = s.account_id and c.shipment_id = s.id and c.number = $3
              where s.account_id = $1`,
      values,
    })
    await client.query({
      text: `insert into containers (account_id, id, shipment_id, number, trip, status, projection, created_at, updated_at)
             select c.account_id, md5('c' || n)::uuid, md5('s' || n)::uuid, 'MSCU' || (1000000 + n), 1, c.status, c.projection,
                    c.created_at, c.updated_at
               from generate_series(1, $2::integer) n, containers c where c.account_id = $1 and c.number = $3`,
      values,
    })
    await client.query({
      text: `insert into transport_events (account_id, id, shipment_id, container_id, event, call_key, occurs_at, time_zone,
                                           unlocode, vessel_imo, voyage_number, data_source, source_claim_id, milestone, created_at)
             select t.account_id, md5(n || t.id::text)::uuid, md5('s' || n)::uuid, md5('c' || n)::uuid, t.event, t.call_key,
                    t.occurs_at, t.time_zone, case when n % $4 = 0 then 'NLRTM' else t.unlocode end,
                    case when n % $4 = 1 then '9000001' else t.vessel_imo end,
                    case when n % $4 = 2 then 'RARE1' else t.voyage_number end,
                    t.data_source, t.source_claim_id, t.milestone, t.created_at - n * interval '1 minute'
               from generate_series(1, $2::integer) n, transport_events t
               join containers c on c.account_id = t.account_id and c.id = t.container_id and c.number = $3
              where t.account_id = $1 and t.invalidated_at is null and t.milestone is not null`,
      values: [...values, third],
    })
  } finally {
    client.release(true)
  }
  for (const table of ['shipments', 'containers', 'transport_events']) await pool.query(`analyze ${table}`)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

/** A page, the rows joined to each of its rows, and as many again for a rare value in a common order. */
const visitedMax = 2_000
const questions: readonly (readonly [Record<string, string>, number])[] = [
  [{}, 100],
  [{ sort: 'eventCreatedDateTime:DESC' }, 100],
  [{ 'eventCreatedDateTime:gte': '2026-03-05T00:00:00Z' }, 100],
  [{ equipmentReference: `MSCU${1_000_000 + half}` }, 11],
  [{ transportDocumentReference: `b${half}` }, 11],
  [{ carrierBookingReference: `K${half}` }, 11],
  [{ UNLocationCode: 'NLRTM' }, 33],
  [{ UNLocationCode: 'USLAX', equipmentEventTypeCode: 'DISC' }, 100],
  [{ vesselIMONumber: '9000001' }, 33],
  [{ exportVoyageNumber: 'RARE1' }, 33],
  [{ transportEventTypeCode: 'ARRI' }, 100],
]

for (const [query, rowsMin] of questions)
  test(`the query ${JSON.stringify(query)} reads a bounded number of rows`, async () => {
    const { query: _, ...asked } = readEvents2Query(query)
    const { db, sent } = listenTo(api.service.pool)
    const accountId = api.context.account.id
    const { rows } = await listMoves(db, { ...asked, accountId })
    assert.ok(rows.length >= rowsMin, `${rows.length} rows`)
    const visited = await rowsVisited(api.service.pool, sent)
    assert.ok(visited <= visitedMax, `${visited} rows visited`)
  })
