/** The results of index functions do not depend on the schemas in which a session looks for names. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../support/database.ts'

test('functions that indexes use can call each other when the search path has only the system schema', async () => {
  const database = await openTestDatabase()
  const client = await database.pool.connect()
  try {
    // As PostgreSQL 17 and newer do for `analyze`, `create index`, `reindex` and `vacuum full`.
    await client.query('set search_path = pg_catalog, pg_temp')
    const projection = JSON.stringify({
      portOfLoading: { etd: { kind: 'instant', at: '2026-03-04T00:00:00Z' }, place: { timeZone: 'UTC' } },
      originalEtd: { kind: 'instant', at: '2026-03-01T00:00:00Z' },
      milestones: [
        {
          kind: 'actual',
          name: 'vessel_discharged',
          time: { kind: 'instant', at: '2026-03-20T12:00:00Z' },
          place: { timeZone: 'UTC' },
        },
      ],
      freeTime: { line: { kind: 'day', on: '2026-03-28' } },
      holds: [{ name: 'customs' }],
    })
    const { rows } = await client.query(
      `select public.sails_later($1::jsonb) as later, public.discharged_at($1::jsonb) as discharged,
              public.earliest_free_day($1::jsonb, 'available')::text as free,
              public.acts_on($1::jsonb, 'available', date '2026-03-21', date '2026-03-19')::text as acts`,
      [projection],
    )
    assert.deepEqual(rows, [
      { later: true, discharged: '2026-03-20T12:00:00.000Z', free: '2026-03-28', acts: '2026-03-19' },
    ])
  } finally {
    await client.query('reset search_path')
    client.release()
    await database.close()
  }
})
