/** The plan as text for a terminal, and as docs/plan.md. Every number in it comes from the run. */

import type { Costs, WorkCost } from './plan-costs.ts'
import { type Assumed, fullMax, type Planned, type Shards } from './plan-reckon.ts'
import type { Run } from './report.ts'

interface Done {
  readonly at: string
  readonly machine: Run['machine']
  readonly seconds: number
  readonly costs: Costs
  readonly assumed: Assumed
  readonly planned: Planned
}

export function writePlanText(done: Done): string {
  return [...costRows(done.costs), ...resultRows(done), ...shardRows(done.planned)]
    .map((cells) => cells.join('  '))
    .concat('', breaksFirst(done))
    .join('\n')
}

export function writePlanPage(done: Done): string {
  const { costs, assumed, planned } = done
  return `# A plan for ${whole(assumed.containers)} containers

For operators and engineers who ask how far this design goes, on paper. To reckon with your own numbers:

\`\`\`sh
npm run qa -- bench plan                                   # measures, reckons, simulates, prints
npm run qa -- bench plan --looks 500 --containers 10000000 --core-hour 0.03
\`\`\`

Written by \`npm run qa -- bench plan --write\`; that command printed or reckoned every number below. **This is a plan, not a measurement
of such an installation**: nothing here ran on more than one machine. What one unit of work costs was measured (${done.at},
${done.machine.cores} cores of ${done.machine.processor}, ${done.machine.memoryGb} GB, PostgreSQL ${costs.postgres}, load before the run ${done.machine.loadBefore},
${done.seconds} s); the rest is arithmetic, and a simulation of how looks wait. A larger database costs somewhat more for each unit, because less
of it is in memory: [lists by size](scale.md) shows how much up to a million containers.

## What is assumed

| | |
|---|---|
${table([
  ['Containers', whole(assumed.containers)],
  [
    'Accounts',
    `${whole(assumed.accounts)}; the n-th has 1/n^${assumed.zipf} as many containers as the largest, which has ${percent(planned.largest)} of all`,
  ],
  ['Looks a second', `${whole(assumed.looksASecond)}, of which ${percent(assumed.newsShare)} bring something new`],
  ['Reads', `${assumed.readsADay} of each container a day`],
  [
    'A shard',
    `${assumed.shardCores} processors and ${assumed.shardTb} TB, never planned fuller than ${percent(fullMax)}`,
  ],
  [
    'Prices',
    `${assumed.coreHour} for a processor and hour, ${assumed.gbMonth} for a GB and month; invented, give your own`,
  ],
])}

## What one unit costs, measured

| | processor of the service | of PostgreSQL |
|---|---:|---:|
${table(costRows(costs))}

An answer with news makes ${costs.eventsOfAnswer.toFixed(1)} events and ${whole(costs.logBytesOfAnswer)} bytes of PostgreSQL's log. A container takes
${whole(costs.bytesOfContainer)} bytes with its share of everything but looks and answers, a look ${whole(costs.bytesOfLook)}, a stored answer ${whole(costs.bytesOfSnapshot)}, and ${whole(costs.bytesOfPackedSnapshot)} when it is packed.

## What it takes

| | |
|---|---:|
${table(resultRows(done))}

## Shards

All work on one account is done by one shard. Looks come by chance, wait for a free processor of their shard, and take a time by chance
around the measured mean. "By hash" is how a new installation places accounts; "largest first" is how they are moved after that.

| shards | accounts placed | the fullest shard has | its processors are busy | a look waits, median | 99 of 100 wait less than |
|---:|---|---:|---:|---:|---:|
${table(shardRows(planned))}

${breaksFirst(done)}

| What can be full | used | what helps |
|---|---:|---|
${table(planned.strained.map(({ what, used, remedy }) => [what, percent(used), remedy]))}

## What it does not say

- What carriers allow. At ${whole(assumed.looksASecond)} looks a second each container is asked about ${((assumed.looksASecond * 86_400) / assumed.containers).toFixed(1)} times a day; limits of lines decide that before any machine does.
- The request to a carrier itself (connection, TLS, reading an answer that is known already) and the choice of whom to ask next: a look without news counts here only as its row. [Polling](performance.md) measures the choice.
- Vacuum, checkpoints and the waiting for disks, of which processor time says nothing.
- Network, backups, replicas and people. A replica doubles the disks and the processors of its shard.
- That the shards are built. Today one PostgreSQL holds an installation; API and workers may be on any number of machines ([capacity](many-machines.md)).
`
}

function costRows({ answer, unchanged, numbering, read, list }: Costs): readonly (readonly string[])[] {
  const row = (what: string, { nodeMs, postgresMs }: WorkCost): readonly string[] => [
    what,
    `${nodeMs.toFixed(3)} ms`,
    `${postgresMs.toFixed(3)} ms`,
  ]
  return [
    row('an answer with news: read, folded, saved', answer),
    row('a look without news: its row in the log', unchanged),
    row('an event numbered', numbering),
    row('a container read, with its shipment', read),
    row('a list of thirty containers', list),
  ]
}

function resultRows({ planned, assumed }: Done): readonly (readonly string[])[] {
  const { bytes, money, chosen } = planned
  const terabytes = (count: number): string => `${(count / 1e12).toFixed(2)} TB`
  return [
    ['processors of workers, fully used', planned.workerCores.toFixed(1)],
    ['processors of the API, fully used', planned.apiCores.toFixed(1)],
    ['processors of PostgreSQL, fully used', planned.databaseCores.toFixed(1)],
    [
      'shards that are enough',
      chosen === null ? 'none of those simulated' : `${chosen.shards}, accounts placed ${chosen.placing}`,
    ],
    ['containers on disk', terabytes(bytes.containers)],
    [`log of looks, the last ${assumed.looksKeptDays} days`, terabytes(bytes.looks)],
    ['stored answers, a year, packed after 14 days', terabytes(bytes.snapshotsAYear)],
    ["PostgreSQL's log", `${(planned.logBytesASecond / 1e6).toFixed(1)} MB a second`],
    [`machines, a month, no part fuller than ${percent(fullMax)}`, whole(money.cores)],
    ['disks after a year, a month', whole(money.disks)],
    [`for each of ${whole(assumed.containers)} containers, a month`, money.eachContainer.toPrecision(2)],
  ]
}

function shardRows({ shards }: Planned): readonly (readonly string[])[] {
  return shards.map(({ shards: count, placing, fullest, waited }: Shards) => [
    String(count),
    placing,
    `${percent(fullest)} of all`,
    percent(waited.busiest),
    `${waited.p50Ms.toFixed(1)} ms`,
    `${waited.p99Ms.toFixed(1)} ms`,
  ])
}

/** In one sentence. */
function breaksFirst({ planned }: Done): string {
  const [first] = planned.strained
  return first === undefined
    ? ''
    : `What breaks first: ${first.what}, at ${percent(first.used)}. What helps: ${first.remedy}.`
}

function table(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function whole(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

function percent(part: number): string {
  return `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`
}
