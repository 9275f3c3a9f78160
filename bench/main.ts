/** `npm run bench`: measures the service, compares it with the best that the machine can do, and prints both. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseChartStyle } from '../src/cli/framework/spark.ts'
import { benchAgents } from './agents.ts'
import { benchBackup } from './backup.ts'
import { benchCharges } from './charges.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchDelivery } from './delivery.ts'
import { benchDocuments } from './documents.ts'
import { benchDoor } from './door.ts'
import { benchEdi } from './edi.ts'
import { benchEta } from './eta.ts'
import { benchExplain } from './explain.ts'
import { benchFeed } from './feed.ts'
import { benchInfer } from './infer.ts'
import { benchInference } from './inference.ts'
import { benchIngest } from './ingest.ts'
import { benchIngestBill } from './ingest-bill.ts'
import { benchLimiter } from './limiter.ts'
import { benchLooks } from './looks.ts'
import { benchMatch } from './match.ts'
import { benchMcp } from './mcp.ts'
import { type Figure, progress } from './measure.ts'
import { benchMerge } from './merge.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchOauth } from './oauth.ts'
import { benchPacks } from './packs.ts'
import { benchParts } from './parts.ts'
import { benchPolling } from './polling.ts'
import { benchProcesses } from './processes.ts'
import { benchRead } from './read.ts'
import { benchReplicas } from './replicas.ts'
import { type BenchRun, describeMachine, writePage, writeText } from './report.ts'
import { benchResolution } from './resolution.ts'
import { benchRest } from './rest.ts'
import { benchRoutes } from './routes.ts'
import { benchSearch } from './search.ts'
import { benchSequencer } from './sequencer.ts'
import { benchSignIn } from './sign-in.ts'
import { benchStart } from './start.ts'

const benches = {
  read: benchRead,
  processes: benchProcesses,
  ingest: benchIngest,
  merge: benchMerge,
  delivery: benchDelivery,
  deliveries: benchDeliveries,
  sequencer: benchSequencer,
  feed: benchFeed,
  neighbours: benchNeighbours,
  limiter: benchLimiter,
  search: benchSearch,
  inference: benchInference,
  infer: benchInfer,
  resolution: benchResolution,
  routes: benchRoutes,
  eta: benchEta,
  'sign-in': benchSignIn,
  oauth: benchOauth,
  mcp: benchMcp,
  agents: benchAgents,
  explain: benchExplain,
  edi: benchEdi,
  door: benchDoor,
  match: benchMatch,
  polling: benchPolling,
  looks: benchLooks,
  packs: benchPacks,
  parts: benchParts,
  documents: benchDocuments,
  charges: benchCharges,
  backup: benchBackup,
  replicas: benchReplicas,
  rest: benchRest,
  start: benchStart,
} as const
type BenchName = keyof typeof benches

const help = `Usage: npm run bench -- [${Object.keys(benches).join('|')} …] [--bill 500] [--full] [--mutants] [--json] [--write]

Measures the service on a database of its own, made in a temporary folder and removed afterwards. Without names, all.
  read       an answer of the API against a bare route with the same bytes
  processes  answers of two processes that share a port against those of one
  ingest     snapshots absorbed and projected against plain inserts of the same rows
  merge      merge and diff of a journey of 60 events on one core
  delivery   delay from snapshot to webhook at a steady 50 changes a second, and the work of one change
             (BENCH_FLAME=file.svg: a picture of where its processor time goes)
  deliveries deliveries a second to 1, 8 and 64 receivers; delay at 100 changes a second, also beside a slow receiver
  sequencer  events of one account, and of a thousand accounts, numbered per second
  feed       events per second that one reader takes; how soon a hundred streams hear of one
  neighbours how long an account waits for its list while another is as busy as it can be
  limiter    turns of the rate limiter, in memory and in the database
  search     search by parts of numbers; BENCH_CONTAINERS says among how many (100000)
  inference  carrier predictions per second on one core, load time and memory of the model
  infer      p99 of the endpoint that infers the line of a number, above an empty route
  resolution places resolved per second as sources write them, and what loading the reference lists costs
  routes     ways by sea, asked for the first time and again
  eta        how far off our own estimates of arrival are, and the line's, by days ahead
  charges    the forecast of a million containers' free time and charges on two cores, and the sums of 100,000 (BENCH_CONTAINERS)
  documents  fields of papers read right: layouts of the rules and others, as text, scan and photo; pages a second
  agents     tasks as users put them, done by a scripted agent in the sandbox: right or misleading, calls, bytes
  mcp        tool calls of agents in both eras of the protocol, against the same read over REST
  sign-in    people signed in per second, what a session costs a request, and how long nobody is told no
  oauth      access tokens renewed per second, and what a check of one costs
  explain    what provenance, a look back and a history take, beside the plain answer
  edi        X12 and EDIFACT read, beside the npm packages that read them; files accepted; memory of a long delivery
  door       statements taken in per second at the door for what is sent unasked
  polling    whom to ask next among 30,000 channels; a day of a million containers and a year of ten thousand, simulated
  looks      the log of polls by days: one poll more, and a day of a million that goes
  packs      old answers compressed together: their room, how fast they are packed, what reading one costs
  parts      deliveries beside sixty months of notifications, a month that goes, transport events in one table
  backup     a backup and a restore, and the room that containers take (BENCH_CONTAINERS, 100000)
  replicas   a list read at a replica against the primary, p50
  rest       an installation that has worked: bytes of /metrics, memory at rest, time to stop (BENCH_TREE: another checkout)
  start      processor time and files loaded until the program serves or a command ends (BENCH_TREE: another checkout)
  match      who hears a message, and what waits for a shipment, beside so many messages that nobody asked for

  --bill     with ingest alone: so many boxes of one bill instead, each asked for by its own number; three minutes at most
  --full     with edi and match: a million segments, a million messages that wait; with polling ten times the containers,
             with looks as many looks
  --mutants  with agents: also whether the tasks find faults that are planted between server and agent
  --json     prints the run as JSON
  --write    writes docs/performance.md (only with all benchmarks)
Exits with 1 when an aim is missed.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bill: { type: 'string' },
    full: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !Object.hasOwn(benches, name))
const boxes = values.bill === undefined ? null : Number(values.bill)
const isBillUnderstood = boxes === null || (Number.isInteger(boxes) && boxes > 0 && positionals.join() === 'ingest')
if (values.help) process.stdout.write(`${help}\n`)
else if (unknown.length > 0 || (values.write && positionals.length > 0)) {
  process.stderr.write(
    `${unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}.` : '--write takes all benchmarks.'}\n\n${help}\n`,
  )
  process.exitCode = 2
} else if (!isBillUnderstood) {
  process.stderr.write(`--bill takes a number of boxes, and goes with ingest alone.\n\n${help}\n`)
  process.exitCode = 2
} else await run((positionals.length > 0 ? positionals : Object.keys(benches)) as BenchName[])

/** Thousands of numbers of which the figure says what counts. */
function withoutDelays(key: string, value: unknown): unknown {
  return key === 'delaysMs' ? undefined : value
}

async function run(names: readonly BenchName[]): Promise<void> {
  const startedAt = Date.now()
  const machine = describeMachine()
  const figures: Figure[] = []
  if (boxes === null) for (const name of names) figures.push(...(await benches[name]()))
  else figures.push(...(await benchIngestBill(boxes)))
  const done: BenchRun = {
    at: new Date(startedAt).toISOString(),
    command: [
      'npm run bench --',
      ...positionals,
      ...(boxes === null ? [] : [`--bill ${boxes}`]),
      ...(values.full ? ['--full'] : []),
      ...(values.mutants ? ['--mutants'] : []),
      ...(values.write ? ['--write'] : []),
    ].join(' '),
    machine,
    node: process.version,
    postgres: figures.find((figure) => figure.postgres !== null)?.postgres ?? 'none',
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    figures,
  }
  process.stdout.write(
    `${values.json ? JSON.stringify(done, withoutDelays, 2) : writeText(done, chooseChartStyle(process.stdout, process.env))}\n`,
  )
  if (values.write) {
    const path = join(import.meta.dirname, '..', 'docs', 'performance.md')
    writeFileSync(path, writePage(done))
    progress(`${path} is written.`)
  }
  if (figures.some(({ isMet }) => !isMet)) process.exitCode = 1
}
