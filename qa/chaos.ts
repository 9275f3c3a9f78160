/**
 * `npm run qa -- chaos`: three accounts; a carrier that repeats, reorders and delays; receivers that fail in twelve ways; the
 * API and two workers killed at random; the database stopped. Then it is checked that every fact that is served was
 * delivered, and nothing else.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Pool } from '../src/db/database.ts'
import { freePorts, makeDataFolder } from '../test/e2e/program.ts'
import { carriersAt, openCarrier } from './chaos/carrier.ts'
import { checkBytes, checkCarrierTruth, checkFeed, checkRedeliveries, checkTenancy } from './chaos/checks.ts'
import { checkCrossings, inventCrossings, numbersOf } from './chaos/crossing.ts'
import { type Account, accountsCount, bringBack, goneOf, openAccounts, untilOff } from './chaos/customers.ts'
import { openOutside } from './chaos/database.ts'
import { endure, hardships } from './chaos/hardships.ts'
import { help } from './chaos/help.ts'
import { inventJourney, type Journey } from './chaos/journeys.ts'
import { type Plant, plantLeak, plantReorder, plants, plantUnsent } from './chaos/plants.ts'
import { Processes, type Role, workers } from './chaos/processes.ts'
import { openReceivers } from './chaos/receivers.ts'
import { comeToRest, hurryLooks } from './chaos/rest.ts'
import { openTakeovers, type Takeovers } from './chaos/takeovers.ts'
import { chance } from './kill/chance.ts'
import { checkDeliveries, checkEntries, checkEvents, checkStates, type Report } from './kill/checks.ts'
import { requestAll } from './kill/client.ts'
import { openDivided } from './kill/nodes.ts'
import { plantDuplicate, plantLoss } from './kill/plants.ts'
import { checkRebuild } from './kill/rebuild-check.ts'
import { tellReports } from './kill/tell-reports.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    plant: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const plant = plants.find((name) => name === values.plant) ?? null
const hardship = hardships.find((name) => name === values.plant) ?? null
const isPlanted = plant !== null || hardship !== null
if (values.help || (values.plant !== undefined && !isPlanted)) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

const scale =
  values.quick || isPlanted
    ? { kills: 6, stopsAfter: [3], own: 8, shared: 4, tellMs: 24_000 }
    : { kills: 22, stopsAfter: [7, 15], own: 60, shared: 12, tellMs: 110_000 }
const scacs = ['MAEU', 'HLCU', 'ONEY']
const deliveryTimeoutMs = 2_000
const lookEveryMs = 6_000
const secret = 'a secret of forty characters for the chaos'

const startedMs = Date.now()
const say = (sentence: string): void =>
  console.log(`${((Date.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${sentence}`)
const random = chance(Number(values.seed))

let serial = 0
const ports = await freePorts()
const data = makeDataFolder()
const journeys = inventJourneys()
const crossings = inventCrossings(inventNext)
const told = [...journeys.flat(), ...crossings.map(({ journey }) => journey)]
const carrier = await openCarrier(told, chance(Number(values.seed) + 1))
const receivers = await openReceivers(deliveryTimeoutMs)
const divided = values.cluster ? await openDivided() : null
const env = {
  ...(divided === null ? {} : { DATABASE_URL: divided.url }),
  LANDFALL_SANDBOX: 'off',
  LANDFALL_ALLOWED_NETWORKS: '127.0.0.0/8',
  LANDFALL_SECRET: secret,
  LANDFALL_DELIVERY_TIMEOUT_MS: String(deliveryTimeoutMs),
  LANDFALL_RETRIES_MAX: '100',
  LANDFALL_WORKERS: '4',
  LANDFALL_LOG_LEVEL: 'warn',
}
const processes = new Processes({ dataFolder: data.path, ports, env, divided })
const redelivered = new Map<string, number>()

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
} finally {
  await processes.end()
  await Promise.all([carrier.close(), receivers.close()])
  await data.remove()
  await divided?.close()
  // Open connections to killed processes would keep this process alive.
  process.exit()
}

async function run(): Promise<number> {
  say(`Starting API and two workers with an empty database (seed ${values.seed}) …`)
  writeFileSync(join(data.path, 'carriers.json'), JSON.stringify(carriersAt(carrier.url, scacs)))
  processes.start('api')
  await processes.up('api')
  for (const role of workers) processes.start(role)
  for (const role of workers) await processes.up(role)
  const pool = openOutside(divided ?? data.path)
  try {
    const since = new Date().toISOString()
    const apiUrl = processes.get('api').apiUrl
    const accounts = await openAccounts(pool, { apiUrl, secret, receivers: receivers.all })
    const tracked = accounts.map((account, n) => ({ account, journeys: journeysOf(n) }))
    const boxes = tracked.flatMap((each) => each.journeys.flatMap((journey) => journey.boxes)).length
    say(`${accounts.length} accounts track ${boxes} containers; ${receivers.all.length} webhooks listen.`)
    const requested = Promise.all(
      accounts.flatMap((account, n) => [request(account, bills(n)), requestAll(account, numbersOf(crossings, n))]),
    )
    requested.catch(() => {})
    carrier.begin()
    const takeovers = openTakeovers(pool, divided !== null)
    await makeChaos(pool, takeovers)
    await requested
    await calmDown(pool, accounts, since)
    const reports = [takeovers.report()]
    if (hardship !== null) reports.push(await endure(hardship, { pool, processes, say }))
    if (plant !== null) say(await putIn(plant, pool, accounts))
    return await judge(pool, tracked, reports)
  } finally {
    await pool.end()
  }
}

/** Requests a few numbers at a time over half of the chaos, so that kills hit requests under way. */
async function request(account: Account, journeys: readonly Journey[]): Promise<void> {
  const asked = journeys.map(({ scac, bill }) => ({ scac, kind: 'bill_of_lading', number: bill }) as const)
  const atOnce = 4
  for (let from = 0; from < asked.length; from += atOnce) {
    await requestAll(account, asked.slice(from, from + atOnce))
    await pause(((scale.tellMs / 2) * atOnce) / asked.length)
  }
}

async function makeChaos(pool: Pool, takeovers: Takeovers): Promise<void> {
  const beganMs = Date.now()
  const over = new AbortController()
  const hurrying = hurryLooks(pool, { everyMs: lookEveryMs, signal: over.signal })
  const gapMs = scale.tellMs / (scale.kills + 2 * scale.stopsAfter.length)
  for (let killed = 1; killed <= scale.kills; killed += 1) {
    await pause(gapMs * (0.1 + random() * 0.9))
    const role: Role = random() < 0.6 ? (workers[Math.floor(random() * workers.length)] ?? 'worker') : 'api'
    const isStarting = random() < 0.2
    if (isStarting) {
      await processes.kill(role)
      processes.start(role)
      await pause(50 + random() * 900)
    }
    const takenOver = takeovers.await(processes.get(role).pid)
    await processes.kill(role)
    const { pid } = processes.start(role)
    const arrived = receivers.all.reduce((sum, { arrivals }) => sum + arrivals.length, 0)
    say(
      `kill -9 no. ${killed}: ${role}${isStarting ? ', twice, the second time while starting' : ''}; ${pid} takes over, ${arrived} arrivals so far.`,
    )
    await processes.up(role)
    await takenOver
    if (killed === Math.ceil(scale.kills / 2)) receivers.goAway()
    if (scale.stopsAfter.includes(killed)) say(await processes.stopDatabase())
  }
  await pause(Math.max(0, beganMs + scale.tellMs - Date.now()))
  over.abort()
  await hurrying
}

/** Everything recovers. All processes are killed once more, so the first to start releases the leases of the dead. */
async function calmDown(pool: Pool, accounts: readonly Account[], since: string): Promise<void> {
  carrier.calmDown()
  const gone = goneOf(accounts)
  for (const { webhook } of gone) await untilOff(pool, webhook.id)
  receivers.recover()
  const roles = ['worker', 'api', 'other worker'] as const
  await Promise.all(roles.map((role) => processes.kill(role)))
  for (const role of roles) {
    processes.start(role)
    await processes.up(role)
  }
  const kills = processes.interruptions.filter(({ what }) => what !== 'database').length
  say(`${kills} processes were killed. Carrier and receivers have recovered; catching up …`)
  const lookedAfter = new Date().toISOString()
  const resting = { accounts, lookedAfter, redelivered, say, logEnd: () => processes.logEnd() }
  await comeToRest(pool, resting)
  for (const { account, webhook } of gone) {
    if (plant === 'loss') say(await plantUnsent(pool, account, webhook))
    const before = new Set(webhook.receiver.arrivals.map(({ id }) => id)).size
    const sent = await bringBack(account, webhook, since)
    say(`The webhook that answered 410 was off after ${before} notifications; recover sends it ${sent}.`)
  }
  await comeToRest(pool, resting)
}

async function putIn(what: Plant, pool: Pool, accounts: readonly Account[]): Promise<string> {
  if (what === 'loss') return plantLoss(pool)
  if (what === 'leak') return plantLeak(pool, accounts, redelivered)
  if (what === 'reorder') return plantReorder(pool)
  const told = await plantDuplicate(pool)
  await comeToRest(pool, {
    accounts,
    lookedAfter: new Date(0).toISOString(),
    redelivered,
    say,
    logEnd: () => processes.logEnd(),
  })
  return told
}

async function judge(
  pool: Pool,
  tracked: readonly { readonly account: Account; readonly journeys: readonly Journey[] }[],
  endured: readonly Report[],
): Promise<number> {
  const accounts = tracked.map(({ account }) => account)
  const reports = [...endured, await checkEvents(pool), await checkFeed(pool, accounts)]
  // The database ends with the last process that uses it, so the workers are stopped after the checks.
  const codes = [await processes.get('api').kill('SIGTERM')]
  for (const { name, webhooks } of accounts)
    for (const { id, receiver } of webhooks) {
      const { says, problems } = await checkDeliveries(pool, { webhookId: id, deliveries: receiver.arrivals })
      reports.push({ says: `${name}, ${receiver.mode}: ${says}`, problems })
    }
  const { interruptions } = processes
  reports.push(
    await checkTenancy(pool, accounts),
    await checkBytes(pool, accounts),
    await checkRedeliveries(pool, accounts, {
      interruptions,
      manual: redelivered,
      logOf: (id) => processes.logOf(id),
    }),
    await checkStates(pool),
    await checkEntries(pool),
    await checkCrossings(pool, accounts, crossings),
    await checkCarrierTruth(pool, tracked),
    checkRebuild({ ...env, LANDFALL_DATA: data.path }),
  )
  for (const role of workers) codes.push(await processes.get(role).kill('SIGTERM'))
  reports.push({
    says: 'API and workers stop on SIGTERM; no redirect was followed.',
    problems: [
      ...(codes.every((code) => code === 0) ? [] : [`exit codes ${codes.join(' and ')}`]),
      ...(receivers.strayed() === 0 ? [] : [`${receivers.strayed()} requests followed a redirect`]),
    ],
  })
  const isWhole = tellReports(reports, { problemsMax: 6, say })
  const { answers, failures, repeats, stale } = carrier.told()
  const killed = (...roles: readonly string[]): number =>
    interruptions.filter(({ what }) => roles.includes(what)).length
  const failed = receivers.all.map(({ mode, arrivals }) => `${mode} ${arrivals.filter((each) => each.failed).length}`)
  const manual = [...redelivered.values()].reduce((sum, count) => sum + count, 0)
  say(
    `${killed('api')} kills of the API, ${killed(...workers)} of the workers, ${killed('database')} stops of the database.`,
  )
  say(`The carrier answered ${answers} times: ${failures} failures, ${stale} stale, ${repeats} statements repeated.`)
  say(
    `Failures of receivers: ${failed.join(', ')}; they stood still for ${receivers.stoodStillMs()} ms at most; ${manual} redeliveries by hand.`,
  )
  say(isWhole ? 'Facts served are facts delivered: every promise held.' : 'NOT whole: see above.')
  return isWhole ? 0 : 1
}

/** The journeys of each account, and in the last place those that all three accounts track. */
function inventJourneys(): readonly (readonly Journey[])[] {
  const invent = (count: number): readonly Journey[] => Array.from({ length: count }, () => inventNext())
  return [...Array.from({ length: accountsCount }, () => invent(scale.own)), invent(scale.shared)]
}

function inventNext(of: { readonly boxesCount?: number; readonly isAlwaysKnown?: boolean } = {}): Journey {
  serial += 1
  const scac = scacs[serial % scacs.length] ?? ''
  return inventJourney(serial, { scac, tellMs: scale.tellMs, nowMs: startedMs, random, ...of })
}

/** Journeys that are requested by their bills only. */
function bills(account: number): readonly Journey[] {
  return [...(journeys[account] ?? []), ...(journeys[accountsCount] ?? [])]
}

function journeysOf(account: number): readonly Journey[] {
  return [...bills(account), ...crossings.map(({ journey }) => journey)]
}
