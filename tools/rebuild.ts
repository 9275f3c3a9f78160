/** `npm run rebuild`: folds the ledger anew. `-- --check` only compares and exits with 1 when something differs. */

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../src/platform/config.ts'
import { startCluster } from '../src/platform/postgres-cluster.ts'
import { findShippingLine } from '../src/reference/shipping-lines.ts'
import { rebuild } from '../src/service/rebuild/rebuild.ts'
import { readRules } from '../src/service/tracking/rules.ts'
import { openPool } from '../src/store/database.ts'
import { scratchSchema } from '../src/store/rebuild.ts'

const help = `Usage: npm run rebuild -- [--check] [--json]

Folds the ledger anew and compares the result with what is served, row by row, ids included.
  --check   changes nothing; exits with 1 when something differs
  --json    prints the report as JSON
Without --check what differs is made what the ledger yields. Events that were announced stay as they are.`

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
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
  console.error(`There is no data in ${config.data.folder}. Start Landfall first, or set LANDFALL_DATA or DATABASE_URL.`)
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
const pool = openPool({ connection: cluster?.url ?? config.data.databaseUrl ?? '', connectionsMax: 1 })
const startedAt = performance.now()
const client: pg.PoolClient = await pool.connect()
try {
  await client.query('begin isolation level repeatable read')
  await client.query(
    `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
     set local search_path = ${scratchSchema}, public`,
  )
  const report = await rebuild(
    client,
    { rules: readRules(config), findLine: findShippingLine },
    {
      repair: !values.check,
      differencesMax: 50,
      progress: ({ entries, account }) => process.stderr.write(`\r${entries} entries folded (${account}) …`),
    },
  )
  process.stderr.write('\n')
  if (!values.check) await client.query(`drop schema ${scratchSchema} cascade`)
  await client.query(values.check ? 'rollback' : 'commit')
  const seconds = (performance.now() - startedAt) / 1_000
  if (values.json) console.log(JSON.stringify({ ...report, seconds }))
  else {
    console.log(`${report.entries} entries (${report.looks} snapshots read) → ${report.rows} rows compared in ${seconds.toFixed(1)} s.`)
    for (const { table, id, kind, columns } of report.differences) {
      console.log(`  ${table} ${id} is ${kind}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`)
    }
    console.log(report.differences.length === 0 ? 'Identical.' : values.check ? 'NOT identical.' : 'Repaired.')
  }
  process.exitCode = values.check && report.differences.length > 0 ? 1 : 0
} catch (error) {
  process.stderr.write('\n')
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  client.release(true)
  await pool.end()
  await cluster?.stop()
}
