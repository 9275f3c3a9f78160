// The scorecard of sources reads the containers that came back last, however many there are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreSources } from '../../../src/modules/sources/score-sources.ts'
import { atScale } from '../../support/scale.ts'
import { openTestService } from '../../support/service.ts'

const boxes = atScale(20_000)
const moves = [
  ['GTOT', 'empty_out', 'CNSHA'],
  ['GTIN', 'full_in', 'CNSHA'],
  ['LOAD', 'vessel_loaded', 'CNSHA'],
  ['DEPA', 'vessel_departed', 'CNSHA'],
  ['ARRI', 'vessel_arrived', 'USLAX'],
  ['DISC', 'vessel_discharged', 'USLAX'],
  ['GTOT', 'full_out', 'USLAX'],
  ['GTIN', 'empty_in', 'USLAX'],
] as const

const timesMax = 8

test(`scores the sources of an account with ${boxes} containers in at most ${timesMax} times a reading of their claims`, async (t) => {
  const { service, newAccount, close } = await openTestService()
  t.after(close)
  const account = await newAccount()
  const client = await service.pool.connect()
  const accountId = account.account.id
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, shipment_id, subject_id, status, lifecycle, created_at, updated_at)
       select $1, md5('r' || n)::uuid, 'bill_of_lading', 'B' || n, 'B' || n, 'HLCU', md5('s' || n)::uuid, md5('u' || n)::uuid, 'created', '{}', '2026-01-01', now()
         from generate_series(1, $2::integer) n`,
      [accountId, boxes],
    )
    // Each move is told by the line, two of them by the terminal as well, and each is told three times.
    await client.query(
      `insert into claims (account_id, id, subject_id, source_kind, source_code, source_key, equipment, observation, reader, read_at, recorded_at)
       select $1, md5(concat_ws(' ', n, m, by, again))::uuid, md5('u' || n)::uuid, by, case by when 'terminal' then 'W185' else 'HLCU' end,
              concat_ws(' ', m, again), 'MSCU' || lpad(n::text, 7, '0'),
              jsonb_build_object('kind', 'event', 'classifier', 'ACT', 'code', $3::jsonb -> m::integer ->> 0, 'load', 'LADEN',
                'place', jsonb_build_object('unlocode', $3::jsonb -> m::integer ->> 2),
                'time', jsonb_build_object('kind', 'instant', 'at', timestamptz '2026-01-02' + m * interval '1 day' + again * interval '1 minute')),
              'dcsa', now(), timestamptz '2026-01-02' + m * interval '1 day' + again * interval '1 hour'
         from generate_series(1, $2::integer) n, generate_series(0, 7) m, unnest(array['shipping_line', 'terminal']) by, generate_series(0, 2) again
        where by = 'shipping_line' or m in (5, 6)`,
      [accountId, boxes, JSON.stringify(moves)],
    )
    await client.query(
      `insert into containers (account_id, id, shipment_id, number, trip, status, scac, projection, created_at, updated_at)
       select $1, md5('c' || n)::uuid, md5('s' || n)::uuid, 'MSCU' || lpad(n::text, 7, '0'), 1, 'empty_returned', 'HLCU',
              jsonb_build_object('milestones', (
                select jsonb_agg(jsonb_build_object('kind', 'actual', 'name', $3::jsonb -> m::integer ->> 1, 'source', 'shipping_line',
                                   'claimId', md5(concat_ws(' ', n, m, 'shipping_line', 0))::uuid,
                                   'time', '{"kind": "instant", "at": "2026-01-02T00:00:00Z"}'::jsonb))
                  from generate_series(0, 7) m)),
              now(), now()
         from generate_series(1, $2::integer) n`,
      [accountId, boxes, JSON.stringify(moves)],
    )
    await client.query('analyze tracking_requests, claims, containers')
  } finally {
    client.release(true)
  }
  const measure = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
    const startedMs = performance.now()
    return [await work(), performance.now() - startedMs]
  }
  const [cards, ms] = await measure(() => scoreSources(service, account))
  const [, readMs] = await measure(() =>
    service.pool.query('select source_code, observation, recorded_at from claims where account_id = $1', [accountId]),
  )
  t.diagnostic(`${boxes} containers: ${Math.round(ms)} ms, ${(ms / readMs).toFixed(1)} times a reading of their claims`)
  const [line, pier] = cards.map(({ code, milestones }) => [
    code,
    milestones?.containers,
    milestones?.known,
    milestones?.told,
  ])
  assert.deepEqual(line, ['HLCU', 500, 4_000, 4_000])
  assert.deepEqual(pier, ['W185', 500, 2_000, 1_000])
  assert.ok(ms < timesMax * readMs, `${Math.round(ms)} ms, a reading takes ${Math.round(readMs)} ms`)
})
