/** The ledger is the proof: folded anew it yields what is served, byte by byte; and the check sees what is planted. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RebuildReport, rebuild } from '../../src/service/rebuild/rebuild.ts'
import { foldBy } from '../../src/service/tracking/fold.ts'
import { readRules } from '../../src/service/tracking/rules.ts'
import { type BusyMonths, liveBusyMonths } from '../support/busy-months.ts'

describe('folding the ledger anew', () => {
  let months: BusyMonths
  before(async () => {
    months = await liveBusyMonths({ journeys: 18, seed: 7 })
  })
  after(() => months.close())

  const fold = (): ReturnType<typeof foldBy> => foldBy(readRules(months.world.service.config))
  const check = (repair = false): Promise<RebuildReport> =>
    rebuild(months.world.service.pool, fold(), { repair, differencesMax: 20, progress: () => {} })
  const query = async (text: string): Promise<readonly Record<string, unknown>[]> =>
    (await months.world.service.pool.query<Record<string, unknown>>(text)).rows

  test('it yields the same bytes, ids included', async () => {
    const report = await check()
    assert.deepEqual(report.differences, [])
    assert.equal(report.asRecorded, 0)
    assert.ok(months.snapshots > 200, `${months.snapshots} snapshots`)
    assert.ok(
      report.snapshotsRead > months.snapshots,
      'accounts that share a subject read its snapshots each',
    )
  })

  test('the months had everything in them that a fold may go wrong by', async () => {
    const [counts] = await query(`
      select (select count(*) from ledger where kind = 'timer') as timers,
             (select count(*) from ledger where payload ->> 'action' = 'stop_tracking') as stops,
             (select count(*) from ledger where payload ->> 'action' = 'resume_tracking') as resumes,
             (select count(*) from ledger where payload ? 'delivered') as deliveries,
             (select count(*) from claims where retired_at is not null) as retired,
             (select count(*) from events where name = 'container.transport.corrected') as corrected,
             (select count(*) from events where name = 'container.transport.retracted') as retracted,
             (select count(*) from events where name like 'container.transport.estimated.%') as estimates,
             (select count(*) from issues) as issues,
             (select count(*) from tracking_requests where status = 'tracking_stopped') as stopped,
             (select count(*) from (select 1 from tracking_requests where shipment_id is not null
                                     group by account_id, shipment_id having count(*) > 1) s) as joined`)
    for (const [what, count] of Object.entries(counts ?? {})) assert.ok(Number(count) > 0, `no ${what}`)
    const failed = months.world.logged().filter(({ event }) => event === 'job.failed')
    assert.deepEqual(failed.slice(0, 2), [], `${failed.length} jobs failed`)
  })
})
