/**
 * `npm run qa -- rebuild`: simulates months of a busy installation, with at least 5,000 snapshots, and folds its ledger
 * again: every row must have the same bytes, ids included. Prints counts and seconds; exits with 1 when anything
 * differs.
 * `-- --journeys 16 --copies 60` simulates fewer journeys and copies their ledgers to 60 times as many accounts. A
 * repair makes the rows of these accounts, and then their ledgers are folded once more. Prints the memory that it took.
 */

import { parseArgs } from 'node:util'

import { foldBy } from '../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../src/pipeline/ledger/rules.ts'
import { liveBusyMonths } from '../test/support/busy-months.ts'
import { copyLedgers } from '../test/support/copy-accounts.ts'

const { values } = parseArgs({
  options: { journeys: { type: 'string', default: '245' }, copies: { type: 'string', default: '0' } },
})
const [journeys, copies] = [Number(values.journeys), Number(values.copies)]
const startedAt = performance.now()
const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(1)

const months = await liveBusyMonths({
  journeys,
  seed: 1_000,
  progress: ({ look, of }) => process.stderr.write(`\rlook ${look} of ${of} (${seconds(startedAt)} s) …`),
})
let rssMax = 0
const watch = setInterval(() => {
  rssMax = Math.max(rssMax, process.memoryUsage.rss())
}, 50)
try {
  const { pool, config } = months.world.service
  if (copies > 0) {
    const entries = await copyLedgers(pool, copies)
    process.stderr.write(`\n${entries} entries by copying (${seconds(startedAt)} s) …\n`)
    const options = { repair: true, differencesMax: 20, progress: () => {} }
    await rebuildProjections(months.world.service, foldBy(readRules(config)), options)
    rssMax = 0
  }
  const { rows } = await pool.query<{ what: string; n: number }>(`
    select 'looks' as what, count(*) as n from looks
     union all select 'actuals corrected', count(*) from events where name = 'container.transport.corrected'
     union all select 'actuals retracted', count(*) from events where name = 'container.transport.retracted'
     union all select 'estimates announced', count(*) from events where name like 'container.transport.estimated.%'
     union all select 'claims retired', count(*) from claims where retired_at is not null
     union all select 'user actions', count(*) from ledger where kind = 'user_action'
     union all select 'stops', count(*) from ledger where payload ->> 'action' = 'stop_tracking'
     union all select 'resumes', count(*) from ledger where payload ->> 'action' = 'resume_tracking'
     union all select 'timers', count(*) from ledger where kind = 'timer'
     union all select 'shipments', count(*) from shipments
     union all select 'containers', count(*) from containers
     union all select 'events', count(*) from events`)
  process.stderr.write('\n')
  console.log(
    `${months.snapshots} snapshots lived through in ${seconds(startedAt)} s: ${rows.map(({ what, n }) => `${n} ${what}`).join(', ')}.`,
  )
  const failed = months.world.logged().filter(({ event }) => event === 'job.failed')
  if (failed.length > 0) console.log(`${failed.length} jobs failed, the first: ${JSON.stringify(failed[0])}`)
  const foldedAt = performance.now()
  const report = await rebuildProjections(months.world.service, foldBy(readRules(config)), {
    repair: false,
    differencesMax: 20,
    progress: ({ entries }) => process.stderr.write(`\r${entries} entries folded …`),
  })
  process.stderr.write('\n')
  console.log(
    `${report.entries} ledger entries (${report.snapshotsRead} snapshots read) folded anew, ${report.rows} rows compared` +
      ` in ${seconds(foldedAt)} s: ${report.differences.length === 0 ? 'identical' : 'NOT identical'}.`,
  )
  for (const { table, id, kind, columns } of report.differences) {
    console.log(
      `  ${table} ${id} is ${kind.replaceAll('_', ' ')}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`,
    )
  }
  console.log(`${Math.round(rssMax / 1e6)} MB of memory at the most.`)
  // The copied accounts have no events, because events are never made again. So missing events do not count.
  const others = report.differences.filter(({ table }) => copies === 0 || table !== 'events')
  const isProven = others.length === 0 && (copies > 0 || months.snapshots >= 5_000) && failed.length === 0
  console.log(isProven ? `Proven in ${seconds(startedAt)} s.` : 'NOT proven.')
  process.exitCode = isProven ? 0 : 1
} finally {
  clearInterval(watch)
  await months.close()
}
