/**
 * `npm run nightly`: runs the long proofs one after the other. The seed is the date, so each night has another world.
 * At the end it prints which ones failed, and how to repeat them.
 */

import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const proofs = {
  'rebuild:proof': () => [],
  'kill-proof': (seed) => ['--seed', seed],
  chaos: (seed) => ['--seed', seed],
  'chaos-lock': (seed) => ['--seed', seed, '--plant', 'lock'],
  fuzz: (seed) => ['--seed', seed, '--seconds', '120'],
  'intake-proof': (seed) => ['--seed', seed],
  'dcsa-loop': (seed) => ['--seed', seed, '--journeys', '200'],
  'sandbox-proof': (seed) => ['--seed', seed, '--journeys', '200', '--days', '14'],
  'intake-kills': (seed) => ['--seed', seed, '--kills', '10'],
  'intake-fuzz': (seed) => ['--seed', seed, '--fuzz-seconds', '300'],
} as const satisfies Record<string, (seed: string) => readonly string[]>
type Proof = keyof typeof proofs
const names = Object.keys(proofs) as Proof[]
/** The name of the npm script. */
const scriptOf = (proof: Proof): string =>
  proof === 'chaos-lock' ? 'chaos' : proof.startsWith('intake-') ? 'intake-proof' : proof

const help = `Usage: npm run nightly -- [--only ${names.join(',')}] [--times 1] [--seed 20260131] [--logs <folder>] [--json]

Runs the long proofs in turn, an hour or more in all; nothing but loopback and folders of their own.
  --only   some of them, by name
  --times  so often each; every time with the next seed
  --seed   of the first; the day (UTC) when it is left out
  --logs   what each printed goes to a file here (default: nightly-logs, not in git)
  --json   the result as JSON on standard output
Exits with 0 when all held, 1 when one did not, 2 when it could not be run.`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: names.join(',') },
    times: { type: 'string', default: '1' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
    logs: { type: 'string', default: 'nightly-logs' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const only = values.only.split(',')
const [times, seed] = [Number(values.times), Number(values.seed)]
const isUnderstood = only.every((name) => name in proofs) && times >= 1 && Number.isInteger(seed) && seed > 0
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

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
mkdirSync(values.logs, { recursive: true })
const outcomes: Outcome[] = []
for (const proof of names.filter((name) => only.includes(name))) {
  for (let time = 0; time < times; time += 1) outcomes.push(await run(proof, seed + time))
}
const failed = outcomes.filter(({ code }) => code !== 0)
if (values.json) console.log(JSON.stringify(outcomes, null, 2))
for (const { proof, seed: its, log } of failed)
  say(
    `${proof} failed: see ${log}; again: npm run ${[scriptOf(proof), '--', ...proofs[proof](String(its))].join(' ')}`,
  )
say(
  failed.length === 0
    ? `All ${outcomes.length} held.`
    : `${failed.length} of ${outcomes.length} did not hold.`,
)
process.exitCode = failed.length === 0 ? 0 : 1

async function run(proof: Proof, itsSeed: number): Promise<Outcome> {
  const log = join(values.logs, `${proof.replaceAll(':', '-')}-${itsSeed}.log`)
  const startedMs = Date.now()
  say(`${proof}, seed ${itsSeed} …`)
  const code = await spawnInto(log, ['run', scriptOf(proof), '--', ...proofs[proof](String(itsSeed))])
  const seconds = Math.round((Date.now() - startedMs) / 1_000)
  say(`  ${code === 0 ? 'held' : `FAILED with exit code ${code}`} after ${seconds} s`)
  return { proof, seed: itsSeed, seconds, code, log }
}

function spawnInto(log: string, args: readonly string[]): Promise<number> {
  const output = createWriteStream(log)
  const child = spawn('npm', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => output.end(() => resolve(code ?? 1)))
  })
}
