/**
 * `npm run kill-proof`: tracks 500 journeys of the sandbox, ends the program with kill -9 at 20 random moments, starts it
 * again each time, and then proves from outside that nothing was lost and nothing was told twice under a new id.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startCluster } from '../src/platform/postgres-cluster.ts'
import { isProcessAlive } from '../src/platform/process-holds.ts'
import { eventNames } from '../src/service/webhooks/event-catalogue.ts'
import { openPool, type Pool } from '../src/store/database.ts'
import { eventually, freePorts, makeDataFolder, type Program, startProgram } from '../test/e2e/program.ts'
import { openReceiver } from '../test/e2e/receiver.ts'
import type { Asked } from '../test/e2e/truth.ts'
import { checkDeliveries, checkEvents, checkStates } from './kill-proof/checks.ts'
import { plantDuplicate, plantLoss } from './kill-proof/plants.ts'
import { checkTruth } from './kill-proof/truth-check.ts'

const help = `Usage: npm run kill-proof -- [--kills 20] [--journeys 500] [--seed 1] [--plant loss|duplicate]

Takes less than four minutes and touches nothing but loopback and a folder of its own.
  --plant loss       takes an event and a notification away behind the service's back: the proof must fail
  --plant duplicate  writes an event a second time under a new id: the proof must fail
Exits with 0 when nothing was lost and nothing doubled, 1 when something was, 2 when it could not be run.`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    journeys: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    plant: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const [kills, journeys] = [Number(values.kills), Number(values.journeys)]
const random = chance(Number(values.seed))
const startedMs = Date.now()
const say = (sentence: string): void =>
  console.log(`${((Date.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${sentence}`)

/** 90 days in about a minute, so that some kills strike after the sandbox has caught up with the real clock. */
const sandboxSpeed = 140_000
const upWithinMs = 60_000
/** The lease of a look that was killed half-way. */
const leasesEndWithinMs = 190_000

const requestTypes = {
  bill_of_lading: 'bill_of_lading',
  booking: 'booking_number',
  container: 'container',
} as const

const data = makeDataFolder()
const ports = await freePorts()
const receiver = await openReceiver()
const program: { now: Program | null } = { now: null }
const start = (): Program => {
  program.now = startProgram({
    dataFolder: data.path,
    ports,
    env: {
      LANDFALL_SANDBOX_SPEED: String(sandboxSpeed),
      LANDFALL_LOG_LEVEL: 'info',
      LANDFALL_RETRIES_MAX: '100',
    },
  })
  return program.now
}

try {
  process.exitCode = await prove()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
} finally {
  await program.now?.kill('SIGKILL')
  await receiver.close()
  await data.remove()
}

async function prove(): Promise<number> {
  say(`Starting Landfall with an empty database (seed ${values.seed}) …`)
  const key = await start().up
  const webhookId = await subscribe(key)
  const asked = await chooseNumbers()
  say(`${asked.length} numbers of ${new Set(asked.map(({ scac }) => scac)).size} lines will be tracked.`)
  const requested = requestAll(key, asked)
  requested.catch(() => {})
  const orphanMs = await killAgainAndAgain()
  await requested
  say(`All ${asked.length} requests are made. Catching up …`)
  const cluster = await startCluster({ dataDir: data.path })
  const pool = openPool({ connection: cluster.url, connectionsMax: 2 })
  try {
    await quiet(pool)
    if (values.plant === 'loss') say(await plantLoss(pool))
    if (values.plant === 'duplicate') {
      say(await plantDuplicate(pool))
      await quiet(pool)
    }
    const { seed } = await askClock()
    const code = await program.now?.kill('SIGTERM')
    say(`Stopped on SIGTERM with exit code ${String(code)}. Checking …`)
    const reports = [
      await checkEvents(pool),
      await checkDeliveries(pool, { webhookId, deliveries: receiver.deliveries }),
      await checkStates(pool),
      await checkTruth(pool, asked, seed),
      checkRebuild(),
    ]
    if (code !== 0)
      reports.push({ says: 'The stop', problems: [`SIGTERM ended in exit code ${String(code)}`] })
    for (const { says, problems } of reports) {
      say(`${problems.length === 0 ? 'ok   ' : 'WRONG'} ${says}`)
      for (const problem of problems.slice(0, 10)) say(`        ${problem}`)
      if (problems.length > 10) say(`        … and ${problems.length - 10} more`)
    }
    const isWhole = reports.every(({ problems }) => problems.length === 0)
    say(
      `${kills} kills; the sandbox of a killed process was gone after ${Math.max(0, ...orphanMs)} ms at most.`,
    )
    say(isWhole ? 'Nothing was lost, nothing was told twice.' : 'NOT whole: see above.')
    return isWhole ? 0 : 1
  } finally {
    await pool.end()
    await cluster.stop()
  }
}

async function subscribe(key: string): Promise<string> {
  const attributes = { url: receiver.url, active: true, events: eventNames }
  const { status, body } = await call(key, 'POST', '/v2/webhooks', { data: { type: 'webhook', attributes } })
  const { data: webhook } = body as {
    readonly data: { readonly id: string; readonly attributes: { readonly secret: string } }
  }
  if (status !== 201) throw new Error(`The webhook was refused: ${JSON.stringify(body)}`)
  receiver.trust(webhook.attributes.secret)
  return webhook.id
}

interface Listed extends Asked {
  readonly containers: readonly string[]
}

/** Numbers of all kinds and lines, at most one for each shipment. */
async function chooseNumbers(): Promise<readonly Asked[]> {
  const response = await fetch(`http://127.0.0.1:${ports.sandbox}/sandbox/numbers?limit=100000`)
  const listed = ((await response.json()) as readonly Listed[]).map((entry) => ({ entry, rank: random() }))
  const taken = new Set<string>()
  const chosen: Asked[] = []
  for (const { entry } of listed.toSorted((a, b) => a.rank - b.rank)) {
    const { scac, kind, number, containers } = entry
    const names = [number, ...containers].map((name) => `${scac} ${name}`)
    if (chosen.length === journeys || names.some((name) => taken.has(name))) continue
    for (const name of names) taken.add(name)
    chosen.push({ scac, kind, number })
  }
  if (chosen.length < journeys) throw new Error(`The sandbox has only ${chosen.length} shipments to track.`)
  return chosen
}

/** Clients that ask again until they have an answer: what the service took without saying so is a duplicate then. */
async function requestAll(key: string, asked: readonly Asked[]): Promise<void> {
  const queue = asked.values()
  const client = async (): Promise<void> => {
    for (const number of queue) await request(key, number)
  }
  await Promise.all(Array.from({ length: 4 }, client))
}

async function request(key: string, { scac, kind, number }: Asked): Promise<void> {
  const attributes = { request_type: requestTypes[kind], request_number: number, scac }
  const body = { data: { type: 'tracking_request', attributes } }
  await eventually(
    async () => {
      const answer = await call(key, 'POST', '/v2/tracking_requests', body).catch(() => null)
      if (answer === null || answer.status === 429 || answer.status >= 500) return null
      const { errors } = answer.body as { readonly errors?: readonly { readonly code: string }[] }
      if (answer.status !== 201 && errors?.[0]?.code !== 'duplicate')
        throw new Error(`${scac} ${number} was refused: ${JSON.stringify(answer.body)}`)
      return true
    },
    { withinMs: 120_000, late: () => `${scac} ${number} could not be requested within two minutes.` },
  )
}

async function killAgainAndAgain(): Promise<readonly number[]> {
  const orphanMs: number[] = []
  for (let killed = 0; killed < kills; killed += 1) {
    const running = program.now
    if (running === null) throw new Error('nothing runs')
    // One in five dies while it starts, the others at work.
    const isStarting = killed > 0 && random() < 0.2
    if (!isStarting) await withTimeout(running.up)
    await pause(isStarting ? 50 + random() * 900 : 100 + random() * 2_000)
    const children = childrenOf(running.pid)
    await running.kill('SIGKILL')
    const atMs = Date.now()
    const next = start()
    const gone = eventually(async () => (children.some(isProcessAlive) ? null : Date.now() - atMs), {
      withinMs: 10_000,
      late: () => `A child of the killed process ${running.pid} still runs after 10 s.`,
    })
    orphanMs.push(await gone)
    say(
      `kill -9 no. ${killed + 1}${isStarting ? ' (while starting)' : ''}; process ${next.pid} takes over, ${receiver.deliveries.length} deliveries so far.`,
    )
  }
  await withTimeout(program.now?.up ?? Promise.reject(new Error('nothing runs')))
  return orphanMs
}

/** The sandbox; the database is meant to outlive a kill and is no child any more. */
function childrenOf(pid: number): readonly number[] {
  try {
    const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
    return ids.filter((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('sandbox'))
  } catch {
    return []
  }
}

async function withTimeout<T>(promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`It is not up within ${upWithinMs / 1_000} s:\n${program.now?.stderr()}`)),
    upWithinMs,
  )
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Until the sandbox has caught up, no lease is left over, and nothing waits to be read, numbered or delivered. */
async function quiet(pool: Pool): Promise<void> {
  let waitsFor = ''
  await eventually(
    async () => {
      const { rows } = await pool.query<Record<string, number>>(`
        select (select count(*) from subjects where next_look_at <= now() or leased_until is not null) as looks,
               (select count(*) from tasks) as tasks,
               (select count(*) from events where sequence is null) as events,
               (select count(*) from webhook_notifications where delivery_status = 'pending') as deliveries`)
      const waiting = rows[0] ?? {}
      const isQuiet = Object.values(waiting).every((count) => Number(count) === 0)
      const behindMs = Date.now() - Date.parse((await askClock()).now)
      const now = Object.entries(waiting)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')
      if (now !== waitsFor && Math.floor(Date.now() / 1_000) % 10 === 0)
        say(`waiting for ${now}; the sandbox is ${Math.round(behindMs / 86_400_000)} days behind`)
      waitsFor = now
      await pause(400)
      return isQuiet && behindMs < 5_000 ? true : null
    },
    {
      withinMs: leasesEndWithinMs,
      late: () =>
        `It does not come to rest; waiting for ${waitsFor}. Its log ends:\n${program.now?.stdout().slice(-3_000)}`,
    },
  )
}

async function askClock(): Promise<{ readonly now: string; readonly seed: number }> {
  const response = await fetch(`http://127.0.0.1:${ports.sandbox}/sandbox/clock`)
  return (await response.json()) as { readonly now: string; readonly seed: number }
}

function checkRebuild(): { readonly says: string; readonly problems: readonly string[] } {
  const tool = fileURLToPath(new URL('rebuild.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, '--check'], {
    env: { ...process.env, LANDFALL_DATA: data.path },
    encoding: 'utf8',
  })
  const [told = ''] = stdout.split('\n')
  const problems =
    status === 0 ? [] : `${stdout}${stderr}`.split('\n').filter((line) => /^ {2}\S|NOT|rror|entry/.test(line))
  return {
    says: `Every state equals a rebuild: ${told}`,
    problems: status === 0 ? [] : problems.concat(`exit code ${String(status)}`),
  }
}

async function call(
  key: string,
  method: string,
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${ports.api}${path}`, {
    method,
    headers: { authorization: `Token ${key}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  })
  return { status: response.status, body: await response.json() }
}

/** mulberry32: the same seed, the same moments and numbers. */
function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
