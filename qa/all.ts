/**
 * `npm run qa -- all`: runs the long proofs one after the other. The seed is the date, so each night has another world.
 * At the end it prints which ones failed, and how to repeat them. `--brief` is what CI has time for:
 * less of each, always the same world.
 */

import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** Tests of which `npm test` makes a part of the rows, or leaves some out (`test/support/scale.ts`). */
const atScale = [
  'test/api/fuzz.test.ts',
  'test/modules/attention/attention-at-scale.test.ts',
  'test/modules/events/many-event-readers.test.ts',
  'test/api/exports.test.ts',
  'test/modules/fleet/fleet.test.ts',
  'test/modules/imports/imports.test.ts',
  'test/e2e/processes.test.ts',
  'test/e2e/restore-to-a-moment.test.ts',
  'test/e2e/upgrade.test.ts',
  'test/pipeline/delivery/deliveries-by-time.test.ts',
  'test/pipeline/event-sequence/number-events.test.ts',
  'test/modules/tracking-requests/tracking-garbage.test.ts',
  'test/upgrade/kept-installations.test.ts',
  'test/connectors/papers/scans.test.ts',
  'test/e2e/seen.test.ts',
]
/** Every statement, the fold, upgrades and backups on the PostgreSQL of the npm package, newer than most machines' own. */
const onNewerPostgres = [
  'test/db/statements.test.ts',
  'test/db/schema.test.ts',
  'test/db/index-functions.test.ts',
  'test/pipeline/ledger/rebuild-projections.test.ts',
  'test/upgrade/kept-installations.test.ts',
  'test/cli/backup.test.ts',
]
const proofs = {
  'newer-postgres': () => onNewerPostgres,
  'full-scale': () => atScale,
  rebuild: () => [],
  kill: (seed) => ['--seed', seed],
  chaos: (seed) => ['--seed', seed],
  'chaos-lock': (seed) => ['--seed', seed, '--plant', 'lock'],
  fuzz: (seed) => ['--seed', seed, '--seconds', '120'],
  upgrade: (seed) => ['--seed', seed, '--back'],
  intake: (seed) => ['--seed', seed],
  dcsa: (seed) => ['--seed', seed, '--journeys', '200'],
  sandbox: (seed) => ['--seed', seed, '--journeys', '200', '--days', '14'],
  'intake-kills': (seed) => ['--seed', seed, '--kills', '10'],
  'intake-fuzz': (seed) => ['--seed', seed, '--fuzz-seconds', '300'],
  client: () => [],
  mutants: (seed) => ['--seed', seed, '--count', '100', '--minutes', '40'],
} as const satisfies Record<string, (seed: string) => readonly string[]>
type Proof = keyof typeof proofs
const names = Object.keys(proofs) as Proof[]
/** In this order, so that the quick ones have been run when the minutes are over. */
const brief: Partial<Record<Proof, readonly string[]>> = {
  'newer-postgres': onNewerPostgres,
  'full-scale': atScale,
  chaos: ['--quick'],
  kill: ['--kills', '6', '--journeys', '150'],
  'intake-kills': ['--kills', '3'],
  upgrade: ['--requests', '100', '--seconds', '2'],
  intake: ['--journeys', '200'],
  sandbox: ['--journeys', '60', '--days', '14'],
  dcsa: ['--journeys', '60'],
  fuzz: ['--seconds', '60'],
}
const environments: Partial<Record<Proof, Readonly<Record<string, string>>>> = {
  'newer-postgres': { LANDFALL_PG: 'npm' },
  'full-scale': { LANDFALL_TEST_SCALE: 'full' },
}
/** What npm runs. */
const commandOf = (proof: Proof, args: readonly string[]): readonly string[] => {
  if (proof in environments) return ['test', '--', ...args]
  const name = proof === 'chaos-lock' ? 'chaos' : proof.startsWith('intake-') ? 'intake' : proof
  return ['run', 'qa', '--', name, ...args]
}

const help = `Usage: npm run qa -- all [--brief] [--only ${names.join(',')}] [--times 1] [--seed 20260131] [--minutes 60] [--logs <folder>] [--json]

Runs the long proofs in turn, an hour or more in all; nothing but loopback and folders of their own.
  --only   some of them, by name
  --times  so often each; every time with the next seed
  --seed   of the first; the day (UTC) when it is left out
  --minutes  begins none after so many; those that it left out are named, and are no failure
  --brief  less of each, in the order of how long they take, with the seed 1
  --logs   what each printed goes to a file here (default: nightly-logs, not in git)
  --json   the result as JSON on standard output
Exits with 0 when all held, 1 when one did not, 2 when it could not be run.`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    times: { type: 'string', default: '1' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '1440' },
    brief: { type: 'boolean', default: false },
    logs: { type: 'string', default: 'nightly-logs' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const offered = values.brief ? (Object.keys(brief) as Proof[]) : names
const only = values.only?.split(',') ?? offered
const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
const [times, minutes] = [Number(values.times), Number(values.minutes)]
const seed = Number(values.seed ?? (values.brief ? 1 : today))
const isUnderstood =
  only.every((name) => name in proofs) && times >= 1 && minutes > 0 && Number.isInteger(seed) && seed > 0
if (values.help || !isUnderstood) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

interface Outcome {
  readonly proof: Proof
  readonly seed: number
  readonly seconds: number
  readonly code: number
  readonly log: string
}

const linesShown = 60
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
mkdirSync(values.logs, { recursive: true })
const outcomes: Outcome[] = []
const leftOut = new Set<Proof>()
const until = Date.now() + minutes * 60_000
for (const proof of offered.filter((name) => only.includes(name))) {
  for (let time = 0; time < times; time += 1)
    if (Date.now() > until) leftOut.add(proof)
    else outcomes.push(await run(proof, seed + time))
}
if (leftOut.size > 0) say(`No time was left for ${[...leftOut].join(', ')}.`)
const failed = outcomes.filter(({ code }) => code !== 0)
if (values.json) console.log(JSON.stringify(outcomes, null, 2))
for (const { proof, seed: its, log } of failed) {
  const before = Object.entries(environments[proof] ?? {}).map(([name, value]) => `${name}=${value} `)
  say(readFileSync(log, 'utf8').split('\n').slice(-linesShown).join('\n'))
  say(
    `${proof} failed: see ${log}; again: ${before.join('')}npm ${commandOf(proof, argumentsOf(proof, its)).join(' ')}`,
  )
}
say(failed.length === 0 ? `All ${outcomes.length} held.` : `${failed.length} of ${outcomes.length} did not hold.`)
process.exitCode = failed.length === 0 ? 0 : 1

function argumentsOf(proof: Proof, its: number): readonly string[] {
  if (proof in environments) return proofs[proof](String(its))
  return values.brief ? [...(brief[proof] ?? []), '--seed', String(its)] : proofs[proof](String(its))
}

async function run(proof: Proof, itsSeed: number): Promise<Outcome> {
  const log = join(values.logs, `${proof}-${itsSeed}.log`)
  const startedMs = Date.now()
  say(`${proof}, seed ${itsSeed} …`)
  const code = await spawnInto(log, commandOf(proof, argumentsOf(proof, itsSeed)), environments[proof])
  const seconds = Math.round((Date.now() - startedMs) / 1_000)
  say(`  ${code === 0 ? 'held' : `FAILED with exit code ${code}`} after ${seconds} s`)
  return { proof, seed: itsSeed, seconds, code, log }
}

function spawnInto(log: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const output = createWriteStream(log)
  const child = spawn('npm', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => output.end(() => resolve(code ?? 1)))
  })
}
