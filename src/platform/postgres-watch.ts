// Watches the private cluster while it is in use. Starts the server again after it has ended. Reports a crash, a nearly
// full disk, and data or programs that were replaced while the server was running.
import { closeSync, existsSync, openSync, readSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OperatorIssueKind } from './operator-issue-kinds.ts'
import type { OperatorIssues } from './operator-issues.ts'
import { type PostgresBinaries, readVersion } from './postgres-binaries.ts'
import type { PostgresHome } from './postgres-home.ts'
import {
  findPostmaster,
  findWorkingFolder,
  logPathOf,
  type Postmaster,
  readLogFrom,
  selectEndLines,
} from './postmaster.ts'
import { markProcess, withLock } from './process-holds.ts'

export type WatchedCluster = {
  readonly home: PostgresHome
  /** The path of the lock. A process locks it to start, stop or join the server. */
  readonly lock: string
  readonly binaries: PostgresBinaries
  readonly running: Postmaster
  /** Called while the lock is held and no server runs. */
  readonly relaunch: () => Promise<unknown>
}

export type ClusterWatch = {
  readonly stop: () => Promise<void>
  /**
   * The pid of our server when its data were moved away while it ran, so that the data folder does not lead to it any
   * more.
   */
  readonly findStray: () => number | null
}

const everyMs = 500
const againAfterMs = { first: 1_000, max: 15_000 }
/** Four segments of the write-ahead log. PostgreSQL ends when it has no space for the next segment. */
const freeSpaceMinBytes = 64 * 2 ** 20

/**
 * Watches until `stop` is called. Call `stop` before the server is shut down, or the shutdown is treated as a crash.
 */
export function watchCluster(cluster: WatchedCluster, operatorIssues: OperatorIssues): ClusterWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  const { log } = operatorIssues
  const { home } = cluster
  const identity = readIdentity(home)
  let known: KnownProcess = { pid: cluster.running.pid, mark: markProcess(cluster.running.pid) }
  let logEnd = readLogFrom(home, Number.POSITIVE_INFINITY).end
  let endedAtMs: number | null = null
  let nextTryMs = 0
  let waitMs = againAfterMs.first
  const programs = watchPrograms(cluster.binaries)

  async function checkCluster(): Promise<void> {
    const replaced = findReplacement(home, { identity, known })
    if (replaced !== null) return operatorIssues.raise('database_replaced', { reason: replaced })
    operatorIssues.end('database_replaced')
    const running = findPostmaster(home)
    if (running === null) return startAgain()
    if (running.isReady && (endedAtMs !== null || running.pid !== known.pid)) isBack('another process')
    const logText = readNews()
    const crash = /LOG: +(server process .* was terminated by .*)/.exec(logText)?.[1]
    if (crash !== undefined) operatorIssues.raise('database_crashed', { reason: `PostgreSQL says: ${crash}.` })
    measureFreeSpace(home, operatorIssues)
    const change = programs.findChange()
    if (change !== null) operatorIssues.raise('database_programs_replaced', { reason: change })
  }

  function readNews(): string {
    const { text, end } = readLogFrom(home, logEnd)
    logEnd = end
    return text
  }

  async function startAgain(): Promise<void> {
    if (endedAtMs === null) {
      endedAtMs = performance.now()
      operatorIssues.raise('database_ended', { reason: describeServerEnd(selectEndLines(readNews()), home) })
    }
    operatorIssues.raise('database_ended')
    if (performance.now() < nextTryMs) return
    try {
      const isOurs = await withLock(cluster.lock, async () => {
        if (signal.aborted || findPostmaster(home) !== null) return false
        await cluster.relaunch()
        return true
      })
      if (isOurs) isBack('this process')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      operatorIssues.raise('database_not_started', { reason })
      if (isDiskFull(reason)) operatorIssues.raise('disk_full')
      nextTryMs = performance.now() + waitMs
      waitMs = Math.min(waitMs * 2, againAfterMs.max)
    }
  }

  function isBack(by: 'this process' | 'another process'): void {
    // Null when the server was away for a shorter time than the pause between two checks.
    const awayMs = endedAtMs === null ? null : Math.round(performance.now() - endedAtMs)
    const running = findPostmaster(home)
    if (running !== null) known = { pid: running.pid, mark: markProcess(running.pid) }
    logEnd = readLogFrom(home, Number.POSITIVE_INFINITY).end
    endedAtMs = null
    nextTryMs = 0
    waitMs = againAfterMs.first
    log.info('database.started', { pid: known.pid, by, awayMs })
    for (const issueKind of ended) operatorIssues.end(issueKind)
  }

  const running = (async () => {
    while (!signal.aborted) {
      // A check that fails (no rights, a broken disk) must not end the watch. Requests to the database will report the
      // fault.
      await checkCluster().catch((error: unknown) => log.warn('database.unreachable', { error }))
      await pause(everyMs, undefined, { signal }).catch(() => {})
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
    findStray: () => (findPostmaster(home) === null && isSameProcess(known) ? known.pid : null),
  }
}

type KnownProcess = { readonly pid: number; readonly mark: string | null }

function isSameProcess({ pid, mark }: KnownProcess): boolean {
  return mark !== null && markProcess(pid) === mark
}

const ended: readonly OperatorIssueKind[] = ['database_ended', 'database_not_started']

function isDiskFull(reason: string): boolean {
  return /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/.test(reason)
}

function describeServerEnd(logLines: readonly string[], home: PostgresHome): string {
  return logLines.length === 0
    ? `Its log (${logPathOf(home)}) gives no reason, so it was killed: by a person, or by the system because memory was short.`
    : `Its log (${logPathOf(home)}) ends: ${logLines.join(' | ')}.`
}

/**
 * PostgreSQL gives each cluster a number when it is made: the first eight bytes of its control file. Null when the file
 * is missing.
 */
function readIdentity(home: PostgresHome): string | null {
  const path = join(home.pgData, 'global', 'pg_control')
  if (!existsSync(path)) return null
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(8)
    readSync(file, bytes, 0, 8, 0)
    return bytes.toString('hex')
  } finally {
    closeSync(file)
  }
}

/** A sentence when the data folder holds other data than those that the server was started with, else null. */
function findReplacement(
  home: PostgresHome,
  was: { readonly identity: string | null; readonly known: KnownProcess },
): string | null {
  const lives = isSameProcess(was.known)
  const worksAt = lives ? findWorkingFolder(was.known.pid) : null
  const identity = readIdentity(home)
  const stillServed = lives ? ' The server still uses the old data.' : ''
  if (identity === null) return `${home.pgData} is gone.${stillServed}`
  if (identity !== was.identity) return `${home.pgData} holds another database now.${stillServed}`
  if (worksAt === null || worksAt === home.pgData) return null
  return `The server uses ${worksAt}, but ${home.pgData} is another folder now.`
}

function measureFreeSpace(home: PostgresHome, operatorIssues: OperatorIssues): void {
  const { bavail, bsize } = statfsSync(home.pgData)
  const free = bavail * bsize
  if (free < freeSpaceMinBytes) {
    operatorIssues.raise('disk_nearly_full', { freeMegabytes: Math.floor(free / 2 ** 20) })
  } else if (free > freeSpaceMinBytes * 1.25) operatorIssues.end('disk_nearly_full')
}

/** Runs the programs to get their version only when their file has changed. */
function watchPrograms({ bin, version }: PostgresBinaries): { findChange(): string | null } {
  const path = join(bin, 'postgres')
  const stampOf = (): string => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined ? 'gone' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
  }
  let seen = stampOf()
  let change: string | null = null
  return {
    findChange: () => {
      const stamp = stampOf()
      if (stamp === seen) return change
      seen = stamp
      const now = readVersion(bin)
      change =
        now === null
          ? `${path} is gone or does not run; the server that runs is ${version}.`
          : now === version
            ? null
            : `${bin} holds PostgreSQL ${now} now; the server that runs is ${version}.`
      return change
    },
  }
}
