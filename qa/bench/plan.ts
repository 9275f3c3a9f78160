/**
 * `npm run qa -- bench plan`: what 100 million containers would take. It measures what one unit of work costs on this machine,
 * then reckons and simulates: accounts of Zipf sizes on shards, machines, disks, money, and what breaks first.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { progress } from './measure.ts'
import { type Costs, measureCosts } from './plan-costs.ts'
import { writePlanPage, writePlanText } from './plan-page.ts'
import { type Assumed, type Planned, reckon } from './plan-reckon.ts'
import { describeMachine } from './report.ts'

const help = `Usage: npm run qa -- bench plan [--write] [--json] [--containers 100000000] [--accounts 20000] [--zipf 1]
          [--looks 5000] [--news 0.15] [--reads 2] [--shard-cores 16]
          [--shard-tb 8] [--looks-kept-days 30] [--core-hour 0.04] [--gb-month 0.10]

Measures, on a private cluster, processor time and bytes for one answer with news, one look without, one event numbered, one
read. From these it reckons machines and money for so many containers of so many accounts, whose sizes fall as 1/n^zipf, with so
many looks a second, of which a part has news, and so many reads of each container a day. It simulates the looks on shards
of so many processors, and says what breaks first. Prices are assumptions: give your own. --write writes docs/plan.md.
Exits with 0.`

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    containers: { type: 'string', default: '100000000' },
    accounts: { type: 'string', default: '20000' },
    zipf: { type: 'string', default: '1' },
    looks: { type: 'string', default: '5000' },
    news: { type: 'string', default: '0.15' },
    reads: { type: 'string', default: '2' },
    'shard-cores': { type: 'string', default: '16' },
    'core-hour': { type: 'string', default: '0.04' },
    'gb-month': { type: 'string', default: '0.10' },
    'shard-tb': { type: 'string', default: '8' },
    'looks-kept-days': { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const assumed: Assumed = {
  containers: Number(values.containers),
  accounts: Number(values.accounts),
  zipf: Number(values.zipf),
  looksASecond: Number(values.looks),
  newsShare: Number(values.news),
  readsADay: Number(values.reads),
  shardCores: Number(values['shard-cores']),
  coreHour: Number(values['core-hour']),
  gbMonth: Number(values['gb-month']),
  shardTb: Number(values['shard-tb']),
  looksKeptDays: Number(values['looks-kept-days']),
  seed: Number(values.seed),
}
if (values.help || !Object.values(assumed).every((each) => Number.isFinite(each) && each > 0)) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

const startedMs = performance.now()
const at = new Date(performance.timeOrigin).toISOString().slice(0, 10)
const machine = describeMachine()
const costs: Costs = await measureCosts()
progress('plan: the looks are simulated')
const planned: Planned = reckon(costs, assumed)
const done = {
  at,
  machine,
  seconds: Math.round((performance.now() - startedMs) / 1_000),
  costs,
  assumed,
  planned,
}
if (values.json) console.log(JSON.stringify(done, null, 2))
else console.log(writePlanText(done))
if (values.write) {
  const page = fileURLToPath(new URL('../../docs/plan.md', import.meta.url))
  writeFileSync(page, writePlanPage(done))
  progress('Written: docs/plan.md')
}
