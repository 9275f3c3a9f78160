/** `npm run rebuild`: folds the ledger again. `-- --check` only compares, and exits with 1 when something differs. */

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Db, openPool } from '../src/db/database.ts'
import { readSetting } from '../src/db/settings.ts'
import { openInstallationEncryption } from '../src/modules/installation/installation-secret.ts'
import { foldBy } from '../src/pipeline/ledger/fold.ts'
import { type RebuildReport, rebuildProjections } from '../src/pipeline/ledger/rebuild-projections.ts'
import { type RereadReport, rereadAll } from '../src/pipeline/ledger/reread-history.ts'
import { readRules } from '../src/pipeline/ledger/rules.ts'
import { type Clock, realClock, type SandboxAnchor, sandboxClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { startCluster } from '../src/platform/postgres-cluster.ts'

const help = `Usage: npm run rebuild -- [--check | --reread] [--json]

Folds the ledger anew and compares the result with what is served, row by row, ids included.
  --check   changes nothing; exits with 1 when something differs
  --reread  first reads the kept snapshots of what is or was tracked with this program's readers; what they read
            otherwise than the readers before them is announced as corrections. Then checks. After an upgrade the
            service does this by itself; by hand it is for a profile that you have changed.
  --json    prints the report as JSON
Without either, what differs is made what the ledger yields, while nobody writes. Events that were announced stay.`

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    reread: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}

const config = readConfig(process.env)
if (config.data.databaseUrl === null && !existsSync(config.data.folder)) {
  console.error(
    `There is no data in ${config.data.folder}. Start Landfall first, or set LANDFALL_DATA or DATABASE_URL.`,
  )
  process.exit(2)
}
const cluster =
  config.data.databaseUrl === null
    ? await startCluster({
        dataDir: config.data.folder,
        port: config.data.pgPort,
        pgBin: config.data.pgBin,
        source: config.data.pgSource,
      })
    : null
// The rebuild works in its own schema. A role that may only serve cannot create one.
const url = cluster?.url ?? config.data.migrationDatabaseUrl ?? config.data.databaseUrl ?? ''
const pool = openPool({ connection: url, connectionsMax: 2 })
const fold = foldBy(readRules(config))
const startedAt = performance.now()
try {
  const place = { provided: config.server.secret, dataFolder: config.data.folder }
  const kept = { pool, config, encryption: await openInstallationEncryption(pool, place) }
  const reread = values.reread ? await rereadAll(kept, fold, await journeyClocks(pool)) : null
  const report = await rebuildProjections(kept, fold, {
    repair: !values.check && reread === null,
    differencesMax: 50,
    progress: ({ entries, account }) => process.stderr.write(`\r${entries} entries folded (${account}) …`),
  })
  process.stderr.write('\n')
  const seconds = (performance.now() - startedAt) / 1_000
  if (values.json) console.log(JSON.stringify({ ...report, reread, seconds }))
  else say(report, reread, seconds)
  process.exitCode = report.differences.length === 0 || report.isRepaired ? 0 : 1
} catch (error) {
  process.stderr.write('\n')
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await pool.end()
  await cluster?.stop()
}

function say(report: RebuildReport, reread: RereadReport | null, seconds: number): void {
  const { entries, snapshotsRead, asRecorded, rows, differences, isRepaired } = report
  const { reprojectedShipments: takenOver, eventsOfOlderRules: heardByOlderRules, waiting } = report
  if (reread !== null) {
    const { requests, snapshots, changed, added, retired, failed } = reread
    console.log(`${snapshots} snapshots of ${requests} requests read anew: ${changed} say otherwise now`)
    console.log(`(${added} claims added, ${retired} retired); the differences are announced as corrections.`)
    for (const { requestId, why } of failed) console.log(`  request ${requestId} could not be read anew: ${why}`)
  }
  console.log(
    `${entries} entries (${snapshotsRead} snapshots read, ${asRecorded} looks folded as another reader read them)` +
      ` → ${rows} rows compared in ${seconds.toFixed(1)} s.`,
  )
  if (takenOver > 0)
    console.log(
      `${takenOver} times newer merge rules took a shipment over: ${heardByOlderRules} events announced under older rules stand.`,
    )
  if (waiting > 0)
    console.log(
      `${waiting} shipments were last folded by older merge rules and may differ: a running Landfall takes them over.`,
    )
  for (const { table, id, kind, columns } of differences) {
    console.log(
      `  ${table} ${id} is ${kind.replaceAll('_', ' ')}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`,
    )
  }
  if (differences.length === 0) console.log('Identical.')
  else if (!isRepaired)
    console.log(values.check || values.reread ? 'NOT identical.' : 'NOT repaired: snapshots are broken.')
  else if (differences.some(({ table }) => table === 'events'))
    console.log('Repaired, save events: what was heard stands.')
  else console.log('Repaired.')
}

/** The journeys of fiction run on the sandbox's clock, which is stored in the database. */
async function journeyClocks(db: Db): Promise<(isSandbox: boolean) => Clock> {
  const anchor = await readSetting<SandboxAnchor>(db, 'sandbox_anchor')
  const fiction = anchor === null ? realClock : sandboxClock(anchor, realClock)
  return (isSandbox) => (isSandbox ? fiction : realClock)
}
