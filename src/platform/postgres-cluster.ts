// The private PostgreSQL cluster in the data folder. It is made at the first start, and listens on a Unix socket that
// only its user can reach. The processes that use the data folder share it, and the last of them stops it. It keeps
// running when a process is killed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { OperatorIssues } from './operator-issues.ts'
import { findPostgresBinaries, type PostgresBinaries, type PostgresSource } from './postgres-binaries.ts'
import { openPostgresHome, type PostgresHome } from './postgres-home.ts'
import { watchCluster } from './postgres-watch.ts'
import { buildSpawnOptions, findPostmaster, launchServer, readyWithinMs } from './postmaster.ts'
import { addHolder, countHolders, withLock } from './process-holds.ts'

export type ClusterOptions = {
  readonly dataDir: string
  /** It is used in the socket's name. Nothing listens on the network. */
  readonly port?: number
  readonly pgBin?: string | null
  readonly source?: PostgresSource
  /** The folder to which the server copies its log; null for none. Takes effect when the server is started. */
  readonly walArchive?: string | null
  /** The maximum time until it accepts connections. */
  readonly readyWithinMs?: number
  /** Called while the server starts; not when it runs already. */
  readonly launched?: () => void
  /** For tests alone: nothing is forced to disk, so a crash of the machine loses data. */
  readonly throwaway?: boolean
  readonly log?: (sentence: string) => void
  /** For a process that runs for long: the server is started again when it ends, and its faults are reported. */
  readonly watch?: OperatorIssues
}

export type Cluster = {
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
  }
  /** The connection as a URL for pg and libpq. */
  readonly url: string
  readonly binaries: Pick<PostgresBinaries, 'version' | 'from'>
  /** The folder of the cluster, to show to the operator. */
  readonly folder: string
  /** True when no other process used the cluster when it was opened. */
  readonly isAlone: boolean
  /** The server writes to disk what the shutdown would have to write, while others still use it. */
  readonly checkpoint: () => Promise<void>
  /**
   * Stops using the cluster. The last process to do so shuts the cluster down, without waiting for open connections.
   */
  readonly stop: () => Promise<void>
}

const user = 'landfall'
const database = 'landfall'

/** Starts the cluster, or joins it when it runs already. Errors are sentences for the operator. */
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
      initializeCluster(home, binaries, options.throwaway === true)
    }
    const running = findPostmaster(home) ?? (await launchServer(home, binaries, options))
    const connection = { host: running.socketFolder, port: running.port, user, database }
    await makeDatabase(connection)
    const holders = join(home.folder, 'holders')
    const hold = addHolder(holders)
    const isAlone = countHolders(holders) === 1
    // Uses the socket folder and the port of the first launch, because all processes that share the server search it
    // there.
    const relaunch = () =>
      launchServer({ ...home, socketFolder: running.socketFolder }, findBinaries(), {
        ...options,
        port: running.port,
        launched: () => {},
      })
    const watch = options.watch && watchCluster({ home, lock, binaries, running, relaunch }, options.watch)
    return {
      isAlone,
      connection,
      url: `postgresql://${user}@${encodeURIComponent(connection.host)}:${connection.port}/${database}`,
      binaries: { version: binaries.version, from: binaries.from },
      folder: home.folder,
      checkpoint: async () => {
        const client = new pg.Client(connection)
        client.on('error', () => {}) // the statement fails by it, too
        await client.connect()
        await client.query('checkpoint').finally(() => client.end())
      },
      stop: async () => {
        await watch?.stop()
        let isLeaving = false
        const leaveCluster = async (): Promise<void> => {
          isLeaving = true
          hold.release()
          if (countHolders(holders) === 0) await shutDown(home, watch?.findStray)
        }
        // On a full disk there is no lock, and no other process can start either.
        await withLock(lock, leaveCluster).catch((error: unknown) => {
          if (isLeaving) throw error
          return leaveCluster()
        })
      },
    }
  })
}

/** Shuts down a cluster that no process uses any more, such as one that a killed test run has left behind. */
export async function stopAbandonedCluster(dataDir: string): Promise<void> {
  const home = openPostgresHome(dataDir)
  await withLock(join(home.folder, 'lock'), async () => {
    const holders = join(home.folder, 'holders')
    if (!existsSync(holders) || countHolders(holders) === 0) await shutDown(home)
  })
}

// initdb writes into a temporary folder that is then renamed, so a start that is killed cannot leave half a cluster
// behind.
function initializeCluster(home: PostgresHome, binaries: PostgresBinaries, throwaway: boolean): void {
  const draftFolder = join(home.folder, 'pgdata.making')
  // Text must sort the same way on every machine. From 17 on PostgreSQL has its own C.UTF-8. Before 17 the system's
  // C.UTF-8 is used, or the order of bytes where the system has none.
  const locales =
    binaries.major >= 17
      ? [['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']]
      : [['--locale=C.UTF-8'], ['--locale=C']]
  let message = ''
  for (const locale of locales) {
    rmSync(draftFolder, { recursive: true, force: true })
    const args = ['-D', draftFolder, '-U', user, '-A', 'trust', '-E', 'UTF8', '--data-checksums', ...locale]
    const tried = spawnSync(join(binaries.bin, 'initdb'), throwaway ? [...args, '--no-sync'] : args, {
      ...buildSpawnOptions(home),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (tried.status === 0) {
      renameSync(draftFolder, home.pgData)
      return
    }
    message = tried.error?.message ?? tried.stderr.trim()
  }
  throw new Error(`The database could not be made in ${home.folder}: ${message}`)
}

/** Also waits for a server that another process has just launched. */
async function makeDatabase(connection: Cluster['connection']): Promise<void> {
  for (const until = Date.now() + readyWithinMs; ; await pause(50)) {
    const client = new pg.Client({ ...connection, database: 'postgres' })
    client.on('error', () => {})
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
  // Fast shutdown first: it ends the connections and writes everything. Immediate shutdown after half a minute: the
  // next start then recovers.
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
