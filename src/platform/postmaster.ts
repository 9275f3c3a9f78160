// The server process of a private cluster: how it is found by its lock file, how it is launched, and what its log
// states about its end.
import { type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isErrorCode } from './error-code.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { PostgresHome } from './postgres-home.ts'
import { isProcessAlive } from './process-holds.ts'
import { archivingSettings, openWalArchive } from './wal-archive.ts'

const staleWithinMs = 5_000
export const readyWithinMs = 120_000 // recovery after a crash may replay as much as max_wal_size

export type Postmaster = {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly isReady: boolean
}

/**
 * The server that runs on this folder, found by its lock file. Lines of that file: pid, folder, start, port, socket,
 * address, memory, state.
 */
export function findPostmaster(home: PostgresHome): Postmaster | null {
  const lines = readLockFile(join(home.pgData, 'postmaster.pid'))
  if (lines === null) return null
  const [pid = '', folder, , port = '', socketFolder = '', , , state = ''] = lines
  if (folder !== home.pgData || !isProcessAlive(Number(pid)) || !worksIn(Number(pid), home.pgData)) return null
  return { pid: Number(pid), port: Number(port), socketFolder, isReady: state.trim() === 'ready' }
}

/**
 * Null when there is no lock file. A server removes it when it ends, which may happen at any moment before the read.
 */
function readLockFile(path: string): readonly string[] | null {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

// The system may have given the pid to another program since. The working folder of a server is its data folder. Where
// /proc does not show it (macOS), the pid is accepted, and PostgreSQL itself refuses to start beside a live server.
function worksIn(pid: number, folder: string): boolean {
  const worksAt = findWorkingFolder(pid)
  return worksAt === null ? !existsSync('/proc/self/cwd') : worksAt === folder
}

/**
 * The working folder of a process, by the folder's present name. Null when the process has ended or the system does not
 * report it.
 */
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

/** The text of the server's log from a position on, and the new end. Only the end of a long text is read. */
export function readLogFrom(home: PostgresHome, from: number): { readonly text: string; readonly end: number } {
  const path = logPathOf(home)
  const end = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  // A position after the end means that the file was truncated.
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

/**
 * The lines of a log that are about the server's end. Statements and their values, which the log may contain too, are
 * left out.
 */
export function selectEndLines(text: string): readonly string[] {
  const endLines = text
    .split('\n')
    .map((line) => /\b(?:PANIC|FATAL|LOG): .*/.exec(line)?.[0] ?? '')
    .filter((line) => endPattern.test(line))
  return [...new Set(endLines)].slice(-linesMax)
}

const endPattern =
  /^PANIC|^FATAL: {2}(?!terminating connection|the database system is|role|password|sorry)|terminated by|exited with exit code [^01]|shutdown request|shut down|aborting|lock file|data directory|could not/

export type LaunchOptions = {
  readonly port?: number
  readonly throwaway?: boolean
  /** The folder to which the log is copied; null for none. */
  readonly walArchive?: string | null
  /** Longer for a server that first replays much of its log. */
  readonly readyWithinMs?: number
  /** Called when it has been started and is not ready yet. */
  readonly launched?: () => void
}

/**
 * Resolves when the server accepts connections; rejects with a sentence and the end of its log when it does not start.
 */
export async function launchServer(
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
    const logText = readFileSync(logPath).subarray(logFrom).toString()
    // Both faults pass soon: children of a killed server still hold its memory, or its old lock file names a pid that
    // is in use again.
    const isStale = /shared memory block.*still in use|lock file ".*" already exists/.test(logText)
    if (!isStale || Date.now() > staleUntil) {
      const why = logText
        .split('\n')
        .filter((line) => /FATAL|PANIC|ERROR|could not|HINT|unrecognized|invalid|syntax/.test(line))
        // Times and ids are removed, so that the same reason always has the same text.
        .map((line) => line.replace(/^.*?(?=\b(?:FATAL|PANIC|ERROR|HINT|LOG|DETAIL): )/, ''))
        .join('\n')
      throw new Error(
        `PostgreSQL did not start in ${home.folder}. Its log (${logPath}) ends:\n${why || logText.slice(-2_000)}`,
      )
    }
    await pause(200)
  }
}

/**
 * The size of Postgres' own cache: an eighth of the memory that this process may use, at least 128 MB and at most 4 GB.
 * Pages that are never touched cost nothing.
 */
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
    ...(options.walArchive == null ? {} : archivingSettings(options.walArchive)),
    jit: 'off', // statements are short: compiling them needs more time than it saves
    ...(options.throwaway === true
      ? {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          autovacuum: 'off',
          // Tests open thousands of sessions, and each would plan most statements several times.
          plan_cache_mode: 'force_generic_plan',
          shared_buffers: '128MB', // dropping a database walks through all of it
        }
      : {}),
  }
  if (options.walArchive != null) openWalArchive(options.walArchive, home)
  const log = openSync(logPath, 'a', 0o600)
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Detached: Ctrl-C in the terminal must reach this process only. The server is still needed for the shutdown.
  const child = spawn(join(binaries.bin, 'postgres'), ['-D', home.pgData, ...args], {
    ...buildSpawnOptions(home),
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  let ended: Error | true | null = null
  child.once('error', (error) => {
    ended = error
  })
  child.once('exit', () => {
    ended ??= true
  })
  child.unref()
  options.launched?.()
  const withinMs = options.readyWithinMs ?? readyWithinMs
  for (const until = Date.now() + withinMs; Date.now() < until; await pause(20)) {
    if ((ended as Error | true | null) instanceof Error)
      throw new Error(`PostgreSQL could not be run: ${String(ended)}`)
    if (ended !== null) return null
    const running = findPostmaster(home)
    if (running?.isReady === true) return running
  }
  throw new Error(`PostgreSQL was not ready within ${withinMs / 1_000} s; see ${logPath}.`)
}

export function buildSpawnOptions(home: PostgresHome): SpawnOptions {
  // The cluster's user must be able to enter the working folder. Settings for libpq in our environment are not for the
  // server.
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && name !== 'LC_ALL')
  return { cwd: home.folder, env: Object.fromEntries(environment), ...home.owner }
}
