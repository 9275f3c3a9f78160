// The private PostgreSQL cluster in the data folder: made at first start, on a Unix socket that only its user can reach,
// shared by the processes that use the data folder, and stopped by the last of them. It outlives a killed process.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findPostgresBinaries, type PostgresBinaries, type PostgresSource } from './postgres-binaries.ts'
import { openPostgresHome, type PostgresHome } from './postgres-home.ts'
import { watchCluster } from './postgres-watch.ts'
import { findPostmaster, launch, readyWithinMs, runAs } from './postmaster.ts'
import { countHolders, holdAmong, withLock } from './process-holds.ts'
import type { Troubles } from './troubles.ts'

export type ClusterOptions = {
  readonly dataDir: string
  /** Names the socket; nothing listens on the network. */
  readonly port?: number
  readonly pgBin?: string | null
  readonly source?: PostgresSource
  /** For tests alone: nothing is forced to disk, so a crash of the machine loses data. */
  readonly throwaway?: boolean
  readonly log?: (sentence: string) => void
  /** For a process that stays: the server is started again when it ends, and what befalls it is said. */
  readonly watch?: Troubles
}

export type Cluster = {
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
  }
  /** The same as a URL that pg and libpq read. */
  readonly url: string
  readonly binaries: Pick<PostgresBinaries, 'version' | 'from'>
  /** The folder of the cluster, for telling the operator. */
  readonly folder: string
  /** Nobody else used it when it was opened. */
  readonly isAlone: boolean
  /** Lets go; the last process to do so shuts the cluster down, without waiting for open connections. */
  readonly stop: () => Promise<void>
}

const user = 'landfall'
const database = 'landfall'

/** Starts the cluster, or joins it where it runs. Errors are sentences for the operator. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const log = options.log ?? (() => {})
  const home = openPostgresHome(options.dataDir)
  const made = join(home.pgData, 'PG_VERSION')
  const lock = join(home.folder, 'lock')
  const findBinaries = (): PostgresBinaries =>
    findPostgresBinaries({
      pgBin: options.pgBin ?? null,
      source: options.source ?? 'any',
      major: existsSync(made) ? Number.parseInt(readFileSync(made, 'utf8'), 10) : null,
      owner: home.owner,
      copyTo: home.copyBinariesTo,
    })
  return withLock(lock, async () => {
    const binaries = findBinaries()
    if (!existsSync(made)) {
      log(`Making a database in ${home.folder} with PostgreSQL ${binaries.version} …`)
      initialise(home, binaries, options.throwaway === true)
    }
    const running = findPostmaster(home) ?? (await launch(home, binaries, options))
    const connection = { host: running.socketFolder, port: running.port, user, database }
    await makeDatabase(connection)
    const holders = join(home.folder, 'holders')
    const hold = holdAmong(holders)
    const isAlone = countHolders(holders) === 1
    // Where all that share the server look for it, whatever this process would have chosen.
    const relaunch = () =>
      launch({ ...home, socketFolder: running.socketFolder }, findBinaries(), {
        ...options,
        port: running.port,
      })
    const watch = options.watch && watchCluster({ home, lock, binaries, running, relaunch }, options.watch)
    return {
      isAlone,
      connection,
      url: `postgresql://${user}@${encodeURIComponent(connection.host)}:${connection.port}/${database}`,
      binaries: { version: binaries.version, from: binaries.from },
      folder: home.folder,
      stop: async () => {
        await watch?.stop()
        await withLock(lock, async () => {
          hold.letGo()
          if (countHolders(holders) === 0) await shutDown(home, watch?.findStray)
        })
      },
    }
  })
}

/** Shuts down a cluster whose users are all gone, such as one left behind by a killed test run. */
export async function stopAbandonedCluster(dataDir: string): Promise<void> {
  const home = openPostgresHome(dataDir)
  await withLock(join(home.folder, 'lock'), async () => {
    const holders = join(home.folder, 'holders')
    if (!existsSync(holders) || countHolders(holders) === 0) await shutDown(home)
  })
}

// initdb works beside and is moved into place: a start that is killed half-way leaves no half a cluster.
function initialise(home: PostgresHome, binaries: PostgresBinaries, throwaway: boolean): void {
  const making = join(home.folder, 'pgdata.making')
  // The same order of text on every machine: PostgreSQL's own C.UTF-8 from 17 on, before it the system's, else bytes.
  const locales =
    binaries.major >= 17
      ? [['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']]
      : [['--locale=C.UTF-8'], ['--locale=C']]
  let message = ''
  for (const locale of locales) {
    rmSync(making, { recursive: true, force: true })
    const args = ['-D', making, '-U', user, '-A', 'trust', '-E', 'UTF8', '--data-checksums', ...locale]
    const tried = spawnSync(join(binaries.bin, 'initdb'), throwaway ? [...args, '--no-sync'] : args, {
      ...runAs(home),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (tried.status === 0) {
      renameSync(making, home.pgData)
      return
    }
    message = tried.error?.message ?? tried.stderr.trim()
  }
  throw new Error(`The database could not be made in ${home.folder}: ${message}`)
}

/** Waits for a server that another process has just launched, too. */
async function makeDatabase(connection: Cluster['connection']): Promise<void> {
  for (const until = Date.now() + readyWithinMs; ; await pause(50)) {
    const client = new pg.Client({ ...connection, database: 'postgres' })
    try {
      await client.connect()
      const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
      if (rowCount === 0) await client.query(`create database ${database}`)
      return
    } catch (error) {
      const isStarting = error instanceof pg.DatabaseError ? error.code === '57P03' : true
      if (!isStarting || Date.now() > until) throw error
    } finally {
      await client.end().catch(() => {})
    }
  }
}

async function shutDown(home: PostgresHome, findStray: () => number | null = () => null): Promise<void> {
  const findServer = (): number | null => findPostmaster(home)?.pid ?? findStray()
  // Fast: connections are ended and everything is written. Immediate, after half a minute: the next start recovers.
  for (const { signal, withinMs } of [
    { signal: 'SIGINT', withinMs: 30_000 },
    { signal: 'SIGQUIT', withinMs: 10_000 },
  ] as const) {
    const running = findServer()
    if (running === null) return
    process.kill(running, signal)
    for (const until = Date.now() + withinMs; Date.now() < until; await pause(10)) {
      if (findServer() === null) return
    }
  }
  throw new Error(`PostgreSQL in ${home.folder} does not stop.`)
}
