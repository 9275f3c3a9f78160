// The log of polls gets a partition for each day while lines are being polled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../support/eventually.ts'
import { journey, openStage } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100006'

test('stores a poll that ends while the partition of its day is created, and polls the line only once', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  const id = await stage.track(bill)
  const tidying = await stage.service.pool.connect()
  let drained: Promise<void>
  try {
    await tidying.query('begin')
    await tidying.query(`select make_looks_day('2026-02-01')`)
    drained = stage.drain()
    await eventually(
      async () =>
        (
          await stage.rows(
            `select 1 from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and query like '%into day_looks%'`,
          )
        ).length > 0,
    )
    await tidying.query('commit')
  } finally {
    tidying.release()
  }
  await drained
  assert.partialDeepStrictEqual(await stage.request(id), { status: 'created', failedReason: null })
  assert.deepEqual(
    stage.logged().filter(({ event }) => event === 'job.failed'),
    [],
  )
  assert.equal(stage.carrier.asked.length, 1)
})
