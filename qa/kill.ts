/**
 * `npm run qa -- kill`: tracks 500 journeys of the sandbox, kills the program with kill -9 at 20 random moments, and
 * starts it again each time. Then proves from outside that nothing was lost, and that no event was announced again
 * under a new id.
 */

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openPool } from '../src/db/database.ts'
import { startCluster } from '../src/platform/postgres-cluster.ts'
import { isProcessAlive } from '../src/platform/process-holds.ts'
import { freePorts, makeDataFolder, type Program, startProgram } from '../test/e2e/program.ts'
import { openReceiver } from '../test/e2e/receiver.ts'
import { eventually } from '../test/support/eventually.ts'
import { chance } from './kill/chance.ts'
import { checkDeliveries, checkEntries, checkEvents, checkStates } from './kill/checks.ts'
import { chooseNumbers, requestAll, subscribe } from './kill/client.ts'
import { killNode, openDivided } from './kill/nodes.ts'
import { plantDuplicate, plantLoss, plantMisplaced } from './kill/plants.ts'
import { checkRebuild } from './kill/rebuild-check.ts'
import { askClock, comeToRest, stopAtRest } from './kill/rest.ts'
import { tellReports } from './kill/tell-reports.ts'
import { checkTruth } from './kill/truth-check.ts'

const help = `Usage: npm run qa -- kill [--kills 20] [--journeys 500] [--seed 1] [--plant loss|duplicate|misplaced]
                       [--keep] [--cluster]

Takes less than four minutes and touches nothing but loopback and a folder of its own.
  --plant loss       takes an event and a notification away behind the service's back: the proof must fail
  --plant duplicate  writes an event a second time under a new id: the proof must fail
  --plant misplaced  writes an availability at a port that nobody named: the proof must fail
  --cluster          divides the database among the nodes of LANDFALL_TEST_CITUS_URL (\`node tools/run.mjs tools/citus.ts\`),
                     and kills one of the nodes as well
  --keep             leaves the data folder and prints its path: its database shows how a problem came about
Exits with 0 when nothing was lost and nothing doubled, 1 when something was, 2 when it could not be run.`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    journeys: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    plant: { type: 'string' },
    keep: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
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

/** 90 days take about two minutes: journeys move while the program is killed, and are tracked until today. */
const sandboxSpeed = 60_000
const upWithinMs = 60_000

const data = makeDataFolder()
const divided = values.cluster ? await openDivided() : null
/** Where the program finds its data, and the check of a rebuild too. */
const place = { LANDFALL_DATA: data.path, ...(divided === null ? {} : { DATABASE_URL: divided.url }) }
const ports = await freePorts()
const sandboxUrl = `http://127.0.0.1:${ports.sandbox}`
const receiver = await openReceiver()
const program: { now: Program | null } = { now: null }
const start = (): Program => {
  program.now = startProgram({
    dataFolder: data.path,
    ports,
    env: {
      ...place,
      LANDFALL_SANDBOX_SPEED: String(sandboxSpeed),
      LANDFALL_LOG_LEVEL: 'info',
      LANDFALL_RETRIES_MAX: '100',
    },
  })
  return program.now
}

const resting = { sandboxUrl, say, logEnd: () => program.now?.stdout().slice(-3_000) ?? '' }

try {
  process.exitCode = await prove()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
} finally {
  await program.now?.kill('SIGKILL')
  await receiver.close()
  if (values.keep) say(`Kept: ${data.path} ${divided?.url ?? ''}`)
  else {
    await data.remove()
    await divided?.close()
  }
}

async function prove(): Promise<number> {
  say(`Starting Landfall with an empty database (seed ${values.seed}) …`)
  const customer = { apiUrl: `http://127.0.0.1:${ports.api}`, key: await start().up }
  const webhook = await subscribe(customer, receiver.url)
  receiver.trust(webhook.secret)
  const asked = await chooseNumbers(sandboxUrl, { count: journeys, random })
  say(`${asked.length} numbers of ${new Set(asked.map(({ scac }) => scac)).size} lines will be tracked.`)
  const requested = requestAll(customer, asked)
  requested.catch(() => {})
  const orphanMs = await killAgainAndAgain()
  await requested
  say(`All ${asked.length} requests are made. Catching up …`)
  const cluster = divided ?? (await startCluster({ dataDir: data.path }))
  const pool = openPool({ connection: cluster.url, connectionsMax: 2 })
  try {
    await comeToRest(pool, resting)
    if (values.plant === 'loss') say(await plantLoss(pool))
    if (values.plant === 'misplaced') say(await plantMisplaced(pool))
    if (values.plant === 'duplicate') {
      say(await plantDuplicate(pool))
      await comeToRest(pool, resting)
    }
    const { seed } = await askClock(sandboxUrl)
    const codes: (number | null | undefined)[] = []
    await stopAtRest(pool, {
      ...resting,
      stop: async () => codes.push(await program.now?.kill('SIGTERM')),
      startAgain: () => start().up,
    })
    say(`Stopped on SIGTERM with exit code ${codes.join(', ')}. Checking …`)
    const reports = [
      await checkEvents(pool),
      await checkDeliveries(pool, { webhookId: webhook.id, deliveries: receiver.deliveries }),
      await checkStates(pool),
      await checkEntries(pool),
      await checkTruth(pool, asked, seed),
      checkRebuild(place),
    ]
    for (const code of codes.filter((each) => each !== 0))
      reports.push({ says: 'The stop', problems: [`SIGTERM ended in exit code ${String(code)}`] })
    const isWhole = tellReports(reports, { problemsMax: 10, say })
    say(`${kills} kills; the sandbox of a killed process was gone after ${Math.max(0, ...orphanMs)} ms at most.`)
    say(isWhole ? 'Nothing was lost, nothing was told twice.' : 'NOT whole: see above.')
    return isWhole ? 0 : 1
  } finally {
    await pool.end()
    if ('stop' in cluster) await cluster.stop()
  }
}

async function killAgainAndAgain(): Promise<readonly number[]> {
  const orphanMs: number[] = []
  for (let killed = 0; killed < kills; killed += 1) {
    const running = program.now
    if (running === null) throw new Error('nothing runs')
    // One in five kills hits the program while it starts. The others hit it at work.
    const isStarting = killed > 0 && random() < 0.2
    if (!isStarting) await withTimeout(running.up)
    await pause(isStarting ? 50 + random() * 900 : 300 + random() * 2_700)
    if (divided !== null && killed === Math.floor(kills / 2)) say(await killNode(divided.url))
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

/** Finds the sandbox. The database is not a child process: it is meant to survive a kill. */
function childrenOf(pid: number): readonly number[] {
  try {
    const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
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
