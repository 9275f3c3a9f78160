// The private PostgreSQL cluster in the data folder: made at first start, on a Unix socket that only its user can reach,
// shared by the processes that use the data folder, and stopped by the last of them. It outlives a killed process.
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findPostgresBinaries, type PostgresBinaries, type PostgresSource } from './postgres-binaries.ts'
import { openPostgresHome, type PostgresHome } from './postgres-home.ts'
import { countHolders, holdAmong, isProcessAlive, withLock } from './process-holds.ts'

export type ClusterOptions = {
  readonly dataDir: string
  /** Names the socket; nothing listens on the network. */
  readonly port?: number
  readonly pgBin?: string | null
  readonly source?: PostgresSource
  /** For tests alone: nothing is forced to disk, so a crash of the machine loses data. */
  readonly throwaway?: boolean
  readonly log?: (sentence: string) => void
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
const readyWithinMs = 120_000 // recovery after a crash replays up to max_wal_size
const staleWithinMs = 5_000

/** Starts the cluster, or joins it where it runs. Errors are sentences for the operator. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const log = options.log ?? (() => {})
  const home = openPostgresHome(options.dataDir)
  const made = join(home.pgData, 'PG_VERSION')
  return withLock(join(home.folder, 'lock'), async () => {
    const binaries = findPostgresBinaries({
      pgBin: options.pgBin ?? null,
      source: options.source ?? 'any',
      major: existsSync(made) ? Number.parseInt(readFileSync(made, 'utf8'), 10) : null,
      owner: home.owner,
      copyTo: home.copyBinariesTo,
    })
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
    return {
      isAlone,
      connection,
      url: `postgresql://${user}@${encodeURIComponent(connection.host)}:${connection.port}/${database}`,
      binaries: { version: binaries.version, from: binaries.from },
      folder: home.folder,
      stop: () =>
        withLock(join(home.folder, 'lock'), async () => {
          hold.letGo()
          if (countHolders(holders) === 0) await shutDown(home)
        }),
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

type Postmaster = {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly isReady: boolean
}

/** The running server of this very folder, by its lock file: pid, folder, start, port, socket, address, memory, state. */
function findPostmaster(home: PostgresHome): Postmaster | null {
  const lines = readLockFile(join(home.pgData, 'postmaster.pid'))
  if (lines === null) return null
  const [pid = '', folder, , port = '', socketFolder = '', , , state = ''] = lines
  if (folder !== home.pgData || !isProcessAlive(Number(pid)) || !worksIn(Number(pid), home.pgData))
    return null
  return { pid: Number(pid), port: Number(port), socketFolder, isReady: state.trim() === 'ready' }
}

/** Null when there is none: a server that ends takes it away, also between a look for it and the reading. */
function readLockFile(path: string): readonly string[] | null {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

// A pid may have been given to another program since. A server's working folder is its data folder; where /proc does not
// say so (macOS), the pid is believed, and PostgreSQL itself refuses to start beside a live server.
function worksIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return !existsSync('/proc/self/cwd')
  }
}

async function launch(
  home: PostgresHome,
  binaries: PostgresBinaries,
  options: ClusterOptions,
): Promise<Postmaster> {
  const logPath = join(home.folder, 'postgres.log')
  const staleUntil = Date.now() + staleWithinMs
  for (;;) {
    const logFrom = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0
    const running = await launchOnce(home, binaries, options, logPath)
    if (running !== null) return running
    const said = readFileSync(logPath).subarray(logFrom).toString()
    // Children of a killed server hold its memory for a moment longer; its lock file names a pid that may be in use again.
    const isStale = /shared memory block.*still in use|lock file ".*" already exists/.test(said)
    if (!isStale || Date.now() > staleUntil) {
      const why = said
        .split('\n')
        .filter((line) => /FATAL|ERROR|could not|HINT/.test(line))
        .join('\n')
      throw new Error(
        `PostgreSQL did not start in ${home.folder}. Its log (${logPath}) ends:\n${why || said.slice(-2_000)}`,
      )
    }
    await pause(200)
  }
}

/** An eighth of the memory that we may use, 4 GB at most, as the cache of Postgres itself. What is not touched costs nothing. */
function cacheMegabytes(): number {
  const allowed = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.floor(Math.max(128, Math.min(4_096, totalmem() / 8 / 2 ** 20, allowed / 8 / 2 ** 20)))
}

async function launchOnce(
  home: PostgresHome,
  binaries: PostgresBinaries,
  options: ClusterOptions,
  logPath: string,
): Promise<Postmaster | null> {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: home.socketFolder,
    unix_socket_permissions: '0700',
    port: String(options.port ?? 5432),
    max_connections: '200',
    shared_buffers: `${cacheMegabytes()}MB`,
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    jit: 'off', // short statements: compiling them costs more than it saves
    ...(options.throwaway === true
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }
      : {}),
  }
  const log = openSync(logPath, 'a', 0o600)
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Detached: the terminal's Ctrl-C must reach us and not the server that we still need to finish with.
  const child = spawn(join(binaries.bin, 'postgres'), ['-D', home.pgData, ...args], {
    ...runAs(home),
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  let gone: Error | true | null = null
  child.once('error', (error) => {
    gone = error
  })
  child.once('exit', () => {
    gone ??= true
  })
  child.unref()
  for (const until = Date.now() + readyWithinMs; Date.now() < until; await pause(20)) {
    if ((gone as Error | true | null) instanceof Error)
      throw new Error(`PostgreSQL could not be run: ${String(gone)}`)
    if (gone !== null) return null
    const running = findPostmaster(home)
    if (running?.isReady === true) return running
  }
  throw new Error(`PostgreSQL was not ready within ${readyWithinMs / 1_000} s; see ${logPath}.`)
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

async function shutDown(home: PostgresHome): Promise<void> {
  // Fast: connections are ended and everything is written. Immediate, after half a minute: the next start recovers.
  for (const { signal, withinMs } of [
    { signal: 'SIGINT', withinMs: 30_000 },
    { signal: 'SIGQUIT', withinMs: 10_000 },
  ] as const) {
    const running = findPostmaster(home)
    if (running === null) return
    process.kill(running.pid, signal)
    for (const until = Date.now() + withinMs; Date.now() < until; await pause(10)) {
      if (findPostmaster(home) === null) return
    }
  }
  throw new Error(`PostgreSQL in ${home.folder} does not stop.`)
}

function runAs(home: PostgresHome): SpawnOptions {
  // The working folder must be one that the cluster's user may enter. Settings of libpq in our environment are not its.
  const environment = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') && name !== 'LC_ALL',
  )
  return { cwd: home.folder, env: Object.fromEntries(environment), ...home.owner }
}
