/** `npm run qa -- bench`: measures the service, compares it with the best that the machine can do, and prints both. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseChartStyle } from '../../src/cli/framework/spark.ts'
import { type Figure, progress } from './measure.ts'
import { type BenchRun, describeMachine, writePage, writeText } from './report.ts'

interface Bench {
  readonly about: string
  readonly run: () => Promise<readonly Figure[]>
}

const benches: Readonly<Record<string, Bench>> = {
  read: {
    about: 'an answer of the API against a bare route with the same bytes',
    run: async () => (await import('./read.ts')).benchRead(),
  },
  ingest: {
    about: 'answers of carriers read and stored, against plain inserts of the same rows',
    run: async () => (await import('./ingest.ts')).benchIngest(),
  },
  delivery: {
    about:
      'from a carrier’s answer to the last webhook: delay at 50 changes a second, and the work of one change by step',
    run: async () => (await import('./delivery.ts')).benchDelivery(),
  },
  deliveries: {
    about: 'webhook deliveries a second to 1, 8 and 64 receivers, and beside a slow one',
    run: async () => (await import('./deliveries.ts')).benchDeliveries(),
  },
  polling: {
    about: 'whom to poll next among 30,000 channels; a day of a million containers, simulated',
    run: async () => (await import('./polling.ts')).benchPolling(),
  },
  inference: {
    about: 'carriers of numbers inferred a second on one core, load time and memory of the model',
    run: async () => (await import('./inference.ts')).benchInference(),
  },
  eta: {
    about: 'how wrong our own estimates of arrival are, and the carrier’s, by days ahead',
    run: async () => (await import('./eta.ts')).benchEta(),
  },
  edi: {
    about: 'X12 and EDIFACT read, beside the npm packages that read them; memory of a long delivery',
    run: async () => (await import('./edi.ts')).benchEdi(),
  },
  documents: {
    about: 'fields of documents read right, by layout and quality; pages a second',
    run: async () => (await import('./documents.ts')).benchDocuments(),
  },
  agents: {
    about: 'tasks as users put them, done by a scripted agent over MCP: right or misleading, calls, bytes',
    run: async () => (await import('./agents.ts')).benchAgents(),
  },
  start: {
    about: 'processor time and files loaded until the program serves, or a command ends',
    run: async () => (await import('./start.ts')).benchStart(),
  },
  rest: {
    about: 'an installation that has worked: bytes of /metrics, memory at rest, time to stop',
    run: async () => (await import('./rest.ts')).benchRest(),
  },
}

const help = `Usage: npm run qa -- bench [name …] [--full] [--mutants] [--json] [--write]
       npm run qa -- bench scale --help
       npm run qa -- bench plan --help

Measures the service on a database of its own, in a temporary folder that is removed afterwards. Without names, all of these:
${Object.entries(benches)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join('\n')}

And, each by itself and written to a page of its own:
  scale      lists and searches with ten thousand to a million containers (docs/scale.md)
  plan       what a hundred million containers would take (docs/plan.md)

  --full     edi: a million segments; polling: ten times the containers; documents: all layouts
  --mutants  with agents: also whether the tasks find faults that are planted between server and agent
  --json     prints the run as JSON
  --write    writes docs/performance.md (only with all benches)

BENCH_FLAME=<file.svg>  with delivery: draws where the processor time of a change goes
BENCH_TREE=<folder>     with start and rest: another checkout, of older code perhaps
Exits with 1 when an aim is missed.`

const separate: ReadonlyMap<string | undefined, () => Promise<unknown>> = new Map([
  ['scale', () => import('./scale.ts')],
  ['plan', () => import('./plan.ts')],
])
const ofItsOwn = separate.get(process.argv[2])
if (ofItsOwn === undefined) await runNamed()
else {
  process.argv.splice(2, 1)
  await ofItsOwn()
}

async function runNamed(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      mutants: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.filter((name) => !Object.hasOwn(benches, name))
  if (values.help) process.stdout.write(`${help}\n`)
  else if (unknown.length > 0 || (values.write && positionals.length > 0)) {
    const fault = unknown.length > 0 ? `There is no bench ${unknown.join(', ')}.` : '--write takes all benches.'
    process.stderr.write(`${fault}\n\n${help}\n`)
    process.exitCode = 2
  } else await run(positionals.length > 0 ? positionals : Object.keys(benches), values)
}

async function run(
  names: readonly string[],
  values: { readonly full: boolean; readonly mutants: boolean; readonly json: boolean; readonly write: boolean },
): Promise<void> {
  const startedAt = Date.now()
  const machine = describeMachine()
  const figures: Figure[] = []
  for (const name of names) figures.push(...((await benches[name]?.run()) ?? []))
  const done: BenchRun = {
    at: new Date(startedAt).toISOString(),
    command: ['npm run qa -- bench', ...process.argv.slice(2).filter((each) => each !== '--json')].join(' '),
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
    const path = join(import.meta.dirname, '..', '..', 'docs', 'performance.md')
    writeFileSync(path, writePage(done))
    progress(`${path} is written.`)
  }
  if (figures.some(({ isMet }) => !isMet)) process.exitCode = 1
}

/** Thousands of numbers of which the figure says what counts. */
function withoutDelays(key: string, value: unknown): unknown {
  return key === 'delaysMs' ? undefined : value
}
