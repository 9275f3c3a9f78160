/**
 * One upgrade under load, from the code of one folder to that of another: rolling, two servers beside each other on one
 * database, or as a stop and a start on the private database of a data folder. Afterwards everything is looked for that
 * was accepted.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../../src/db/database.ts'
import type * as Migrate from '../../src/db/migrate.ts'
import { freePorts, makeDataFolder, type Program, startProgram } from '../../test/e2e/program.ts'
import { openReceiver } from '../../test/e2e/receiver.ts'
import { eventually } from '../../test/support/eventually.ts'
import { chance } from '../kill/chance.ts'
import { checkDeliveries, checkEntries, checkEvents, checkStates, type Report } from '../kill/checks.ts'
import { chooseNumbers, subscribe } from '../kill/client.ts'
import { plantLoss } from '../kill/plants.ts'
import { checkRebuild } from '../kill/rebuild-check.ts'
import { askClock, comeToRest, stopAtRest } from '../kill/rest.ts'
import { checkAnswers, checkFeed, type Phase } from './answers.ts'
import { Balancer, type Target } from './balancer.ts'
import { Customers } from './customers.ts'
import { openDatabase, openServer } from './open-server.ts'

export interface Upgrade {
  readonly from: { readonly folder: string; readonly name: string }
  readonly to: { readonly folder: string; readonly name: string }
  readonly way: 'rolling' | 'restart'
  /** After it the older code serves alone again for a while, on the schema of the newer. */
  readonly isBackAndForth: boolean
  readonly requests: number
  readonly seed: number
  readonly sandboxSpeed: number
  /** How long each state of affairs lasts. */
  readonly phaseMs: number
  /** So many times the usual pauses of customers. */
  readonly calm?: number
  /** Of both. */
  readonly env?: Readonly<Record<string, string>>
  /** Puts a database of the older code into an empty data folder. Without it the older code makes it. */
  readonly prepare?: (dataFolder: string) => Promise<void>
  /** Loses an event on purpose: the proof must fail. */
  readonly plant: 'loss' | null
  readonly say: (sentence: string) => void
}

export interface Proof {
  readonly reports: readonly Report[]
  readonly phases: readonly Phase[]
  /** How long the migrations took in all, and for how long of that they held their tables. */
  readonly migrated: { readonly ms: number; readonly heldMs: number }
  readonly migrations: number
  /** How long no server was ready. */
  readonly nobodyReadyMs: number
  /** What servers answered that were not ready, each answer once. */
  readonly notReady: readonly string[]
}

interface Server {
  readonly tree: Upgrade['from']
  readonly program: Program
  readonly target: Target
}

export async function proveUpgrade(upgrade: Upgrade): Promise<Proof> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    return await prove(upgrade, (close) => closing.push(close))
  } finally {
    for (const close of closing.reverse()) await close().catch(() => {})
  }
}

async function prove(upgrade: Upgrade, onClose: (close: () => Promise<unknown>) => void): Promise<Proof> {
  const { from, to, say, phaseMs } = upgrade
  const data = makeDataFolder()
  onClose(() => data.remove())
  const server = upgrade.way === 'rolling' ? await openServer(upgrade, onClose) : null
  if (server === null) await upgrade.prepare?.(data.path)
  const env = {
    LANDFALL_SANDBOX_SPEED: String(upgrade.sandboxSpeed),
    LANDFALL_LOG_LEVEL: 'info',
    LANDFALL_RETRIES_MAX: '100',
    ...upgrade.env,
    ...(server === null ? {} : { DATABASE_URL: server }),
  }
  const receiver = await openReceiver()
  onClose(() => receiver.close())
  const balancer = new Balancer()
  onClose(() => balancer.close())
  const { sandbox } = await freePorts()
  const exits: string[] = []
  const phases: { name: string; seconds: number }[] = []
  const phase = async <T>(state: string, work: () => Promise<T>): Promise<T> => {
    const times = phases.filter(({ name }) => name.replace(/ \(\d\)$/, '') === state).length
    const name = times === 0 ? state : `${state} (${times + 1})`
    const startedMs = performance.now()
    balancer.phase = name
    try {
      return await work()
    } finally {
      const seconds = (performance.now() - startedMs) / 1_000
      phases.push({ name, seconds })
      say(`${name}: ${seconds.toFixed(1)} s`)
    }
  }
  const start = async (tree: Upgrade['from'], api?: number): Promise<Server> => {
    const ports = { api: api ?? (await freePorts()).api, sandbox }
    const program = startProgram({ dataFolder: data.path, ports, env, tree: tree.folder })
    onClose(() => program.kill('SIGKILL'))
    await program.up
    const target = balancer.add(tree.name, program.apiUrl)
    await eventually(() => target.isReady, { late: () => `${tree.name} is not ready.` })
    return { tree, program, target }
  }
  const stop = async ({ tree, program, target }: Server): Promise<void> => {
    target.stoppedAtMs = performance.now()
    const code = await program.kill('SIGTERM')
    balancer.remove(target)
    if (code !== 0) exits.push(`SIGTERM ended ${tree.name} with exit code ${String(code)}`)
  }
  /** Long enough that somebody has asked: on a busy machine a request may take longer than a phase. */
  const serve = async (name: string): Promise<void> =>
    phase(name, async () => {
      await pause(phaseMs)
      await eventually(() => balancer.sendings.some((sending) => sending.phase === name), {
        everyMs: 20,
        late: () => `Nobody asked while ${name}.`,
      })
    })
  const roll = async (old: Server, next: Upgrade['from']): Promise<Server> => {
    if (upgrade.way === 'restart')
      return phase(`${old.tree.name} stops, ${next.name} starts`, async () => {
        await stop(old)
        return start(next, Number(new URL(old.program.apiUrl).port))
      })
    const beside = await phase(`${next.name} starts beside`, () => start(next))
    await serve('both serve')
    await phase(`${old.tree.name} stops`, () => stop(old))
    return beside
  }

  say(`Starting ${from.name} with an empty database …`)
  let running = await start(from)
  balancer.nobodyReadyMs = 0
  const key = await running.program.up
  const document = await (await fetch(`${running.target.url}/v2/openapi.json`)).text()
  const customer = { apiUrl: running.target.url, key }
  const webhook = await subscribe(customer, receiver.url, eventsOf(document))
  receiver.trust(webhook.secret)
  const numbers = await chooseNumbers(running.program.sandboxUrl, {
    count: upgrade.requests,
    random: chance(upgrade.seed),
  })
  const paths = new Set(Object.keys((JSON.parse(document) as { readonly paths: object }).paths))
  const customers = new Customers(balancer, { key, paths })
  onClose(async () => customers.abandon())
  const before = Math.floor(numbers.length / 2)
  await phase('requests before', () => customers.requestAll(numbers.slice(0, before)))
  const states = upgrade.isBackAndForth ? 9 : 5
  customers.begin(numbers.slice(before), {
    requestEveryMs: (phaseMs * states) / (numbers.length - before),
    ...(upgrade.calm === undefined ? {} : { calm: upgrade.calm }),
  })
  await serve(`${from.name} serves`)

  const migrations = migrationsOf(to.folder) - migrationsOf(from.folder)
  let migrated = { ms: 0, heldMs: 0 }
  if (server !== null) {
    await phase('migrations', async () => {
      migrated = await migrate(to.folder, server)
    })
    await serve(`${from.name} serves on the newer schema`)
  }
  running = await roll(running, to)
  await serve(`${to.name} serves`)
  if (upgrade.isBackAndForth) {
    running = await roll(running, from)
    await serve(`${from.name} serves again`)
    running = await roll(running, to)
  }
  await phase('requests after', () => customers.stop())

  const pool = await openDatabase(server ?? data.path, { isServer: server !== null, onClose })
  const { program } = running
  // The sandbox belonged to a server that was stopped; the next one starts another within moments.
  await eventually(() => askClock(program.sandboxUrl).catch(() => null))
  await eventually(() => isAnswered(pool), {
    everyMs: 500,
    late: () => 'Requests are still pending after two minutes.',
  })
  const resting = {
    sandboxUrl: program.sandboxUrl,
    say,
    logEnd: () => running.program.stdout().slice(-3_000),
  }
  await comeToRest(pool, resting)
  await eventually(() => isMended(pool), {
    withinMs: 300_000,
    everyMs: 500,
    late: () => 'The history was not brought up to the newer rules within five minutes.',
  })
  if (upgrade.plant === 'loss') say(await plantLoss(pool))
  const told = await lastNumber(pool)
  await customers.catchUp()
  const lost = await customers.findLost()
  const { nobodyReadyMs } = balancer
  await stopAtRest(pool, {
    ...resting,
    stop: () => stop(running),
    startAgain: async () => {
      running = await start(to)
    },
  })
  const reports = [
    checkAnswers(balancer.sendings),
    { says: `Servers stopped with exit code 0.`, problems: exits },
    {
      says: `${customers.requested.size} requests, ${customers.notes.size} notes and the last of the edits of ${customers.edited.size} shipments were accepted and are there, none twice.`,
      problems: [...customers.problems, ...lost],
    },
    checkFeed(customers.fed, told),
    await checkEvents(pool),
    await checkDeliveries(pool, { webhookId: webhook.id, deliveries: receiver.deliveries }),
    await checkStates(pool),
    await checkEntries(pool),
    checkRebuild({ LANDFALL_DATA: data.path, ...(server === null ? {} : { DATABASE_URL: server }) }),
  ]
  return {
    reports,
    migrated,
    migrations,
    nobodyReadyMs,
    notReady: [...new Set(balancer.notReady)],
    phases: phases.map((each) => ({
      ...each,
      sendings: balancer.sendings.filter((sending) => sending.phase === each.name),
    })),
  }
}

/** What the older code can tell; it refuses a webhook for others. */
function eventsOf(openapi: string): readonly string[] {
  const named = openapi.match(/"(?:tracking_request|container|shipment)(?:\.[a-z_]+)+"/g) ?? []
  return [...new Set(named)].map((quoted) => JSON.parse(quoted) as string)
}

function migrationsOf(folder: string): number {
  // Older code has the folder in another place.
  const paths = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => /(^|\/)migrations\/\d{4}_\w+\.sql$/.test(path)).length
}

/** With the newer code, in this process. */
async function migrate(folder: string, url: string): Promise<{ readonly ms: number; readonly heldMs: number }> {
  const code = (await import(join(folder, 'src/db/migrate.ts'))) as typeof Migrate
  const startedMs = performance.now()
  const { heldMs = 0 } = await code.migrate(url)
  return { ms: performance.now() - startedMs, heldMs }
}

/** A look that failed while the sandbox changed hands is tried again in minutes; here at once. */
async function isAnswered(pool: Pool): Promise<boolean> {
  await pool.query(
    `update subjects set next_look_at = now()
      where next_look_at > now() and lease_token is null and last_succeeded_at is null`,
  )
  const { rows } = await pool.query<{ readonly pending: number }>(
    `select count(*)::int as pending from tracking_requests where status = 'pending'`,
  )
  return rows[0]?.pending === 0
}

async function isMended(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ readonly open: number }>(
    'select count(*)::int as open from mendings where ended_at is null',
  )
  return rows[0]?.open === 0
}

/** The number of the newest event. The sandbox goes on, so there may be more a moment later. */
async function lastNumber(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ readonly last: number }>(
    'select max(last_sequence)::int as last from event_counters',
  )
  return rows[0]?.last ?? 0
}
