// The server of a private cluster as a process: found by its lock file, launched, and what its log says of its end.
import { type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isErrorCode } from './error-code.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { PostgresHome } from './postgres-home.ts'
import { isProcessAlive } from './process-holds.ts'

const staleWithinMs = 5_000
export const readyWithinMs = 120_000 // recovery after a crash replays up to max_wal_size

export type Postmaster = {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly isReady: boolean
}

/** The running server of this very folder, by its lock file: pid, folder, start, port, socket, address, memory, state. */
export function findPostmaster(home: PostgresHome): Postmaster | null {
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
    if (isErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

// A pid may have been given to another program since. A server's working folder is its data folder; where /proc does not
// say so (macOS), the pid is believed, and PostgreSQL itself refuses to start beside a live server.
function worksIn(pid: number, folder: string): boolean {
  const worksAt = findWorkingFolder(pid)
  return worksAt === null ? !existsSync('/proc/self/cwd') : worksAt === folder
}

/** Where a process works, by the name that the folder has now; null when it is gone or the system does not tell. */
export function findWorkingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

export function logPathOf(home: PostgresHome): string {
  return join(home.folder, 'postgres.log')
}

const tailBytesMax = 65_536

/** What the server's log says from a place on, and where it ends; of much, the last part. */
export function readLogFrom(
  home: PostgresHome,
  from: number,
): { readonly text: string; readonly end: number } {
  const path = logPathOf(home)
  const end = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  // Shorter than it was: somebody has cut it.
  const begin = Math.max(from > end ? 0 : from, end - tailBytesMax)
  if (begin === end) return { text: '', end }
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(end - begin)
    return { text: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, begin)).toString(), end }
  } finally {
    closeSync(file)
  }
}

const linesMax = 5

/** What a log says of a server's end. Statements and their values, which it may hold as well, are left out. */
export function lastWords(text: string): readonly string[] {
  const said = text
    .split('\n')
    .map((line) => /\b(?:PANIC|FATAL|LOG): .*/.exec(line)?.[0] ?? '')
    .filter((line) => telling.test(line))
  return [...new Set(said)].slice(-linesMax)
}

const telling =
  /^PANIC|^FATAL: {2}(?!terminating connection|the database system is|role|password|sorry)|terminated by|exited with exit code [^01]|shutdown request|shut down|aborting|lock file|data directory|could not/

export type LaunchOptions = { readonly port?: number; readonly throwaway?: boolean }

/** Resolves when the server takes connections; rejects with a sentence and the end of its log when it does not start. */
export async function launch(
  home: PostgresHome,
  binaries: PostgresBinaries,
  options: LaunchOptions,
): Promise<Postmaster> {
  const logPath = logPathOf(home)
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
        .filter((line) => /FATAL|PANIC|ERROR|could not|HINT|unrecognized|invalid|syntax/.test(line))
        // Without times and ids, so that the same reason reads the same each time.
        .map((line) => line.replace(/^.*?(?=\b(?:FATAL|PANIC|ERROR|HINT|LOG|DETAIL): )/, ''))
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
  options: LaunchOptions,
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

export function runAs(home: PostgresHome): SpawnOptions {
  // The working folder must be one that the cluster's user may enter. Settings of libpq in our environment are not its.
  const environment = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') && name !== 'LC_ALL',
  )
  return { cwd: home.folder, env: Object.fromEntries(environment), ...home.owner }
}
