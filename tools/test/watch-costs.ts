/**
 * The processor time of what a test's worker does not see: programs that live on without the one that started them, the
 * PostgreSQL servers of their own, and the sessions of the shared test server. They are looked at twice a second, so
 * what lived for less than that is missing.
 */

import { findChildren, listPids, type Process, readCommand, readProcess } from './processes.ts'
import { findFileOf, type RunOfTests } from './run-of-tests.ts'

export interface ApartCosts {
  /** Detached programs, and PostgreSQL servers other than the shared one. */
  readonly detachedMs: number
  /** What of it the worker has counted among its children all the same. */
  readonly countedMs: number
  /** Sessions of the shared PostgreSQL server. */
  readonly databaseMs: number
}

export interface WatchedCosts {
  /** By the file's place in the list. */
  readonly files: ReadonlyMap<number, ApartCosts>
  /** All of the shared server, with what cannot be put down to a file: cloning, dropping, writing. */
  readonly databaseMs: number
}

const everyMs = 500

/** `findDatabase`: the process of the shared server, once it runs. */
export function watchCosts(run: RunOfTests, findDatabase: () => number | null): () => WatchedCosts {
  const files = new Map<number, ApartCosts>()
  const add = (file: number, more: Partial<ApartCosts>): void => {
    const now = files.get(file) ?? { detachedMs: 0, countedMs: 0, databaseMs: 0 }
    files.set(file, {
      detachedMs: now.detachedMs + (more.detachedMs ?? 0),
      countedMs: now.countedMs + (more.countedMs ?? 0),
      databaseMs: now.databaseMs + (more.databaseMs ?? 0),
    })
  }
  const processes = watchProcesses(run, add)
  const sessions = watchSessions(add)
  let databaseMs = 0
  const look = (): void => {
    const server = readProcess(findDatabase() ?? 0)
    processes.look(server?.pid ?? null)
    if (server !== null) databaseMs = sessions.look(server)
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    look()
    processes.end()
    sessions.end()
    return { files, databaseMs }
  }
}

type Add = (file: number, more: Partial<ApartCosts>) => void

function watchProcesses(run: RunOfTests, add: Add) {
  const watched = new Map<number, { readonly file: number; ms: number; last: Process }>()
  let others = new Set<number>()
  const count = (pid: number): void => {
    const seen = watched.get(pid)
    watched.delete(pid)
    if (seen === undefined) return
    const isServer = seen.last.name === 'postgres'
    // Whose parent has ended belongs to the first process of the system; the worker never hears of its end.
    const isOrphan = seen.last.parent === 1
    if (isServer || isOrphan) add(seen.file, { detachedMs: seen.ms, countedMs: isOrphan ? 0 : seen.ms })
  }
  return {
    look: (server: number | null): void => {
      const pids = new Set(listPids())
      others = new Set([...others].filter((pid) => pids.has(pid)))
      for (const pid of watched.keys()) if (!pids.has(pid)) count(pid)
      for (const pid of pids) {
        if (pid === server || others.has(pid)) continue
        const file = watched.get(pid)?.file ?? findFileOf(pid, run)
        const last = readProcess(pid)
        if (file === null) others.add(pid)
        else if (last === null) count(pid)
        else watched.set(pid, { file, last, ms: last.ownMs + last.endedMs + runningMs(pid, last) })
      }
    },
    end: (): void => {
      for (const pid of watched.keys()) count(pid)
    },
  }
}

/** Of a database server, what its sessions that still run have taken. */
function runningMs(pid: number, { name }: Process): number {
  if (name !== 'postgres') return 0
  return findChildren(pid).reduce((sum, child) => sum + (readProcess(child)?.ownMs ?? 0), 0)
}

function watchSessions(add: Add) {
  const watched = new Map<number, { readonly file: number; readonly ms: number }>()
  const count = (pid: number): void => {
    const seen = watched.get(pid)
    watched.delete(pid)
    if (seen !== undefined) add(seen.file, { databaseMs: seen.ms })
  }
  return {
    look: (server: Process): number => {
      const sessions = findChildren(server.pid)
      let ms = server.ownMs + server.endedMs
      for (const pid of watched.keys()) if (!sessions.includes(pid)) count(pid)
      for (const pid of sessions) {
        const taken = readProcess(pid)?.ownMs ?? 0
        ms += taken
        const file = watched.get(pid)?.file ?? fileOfSession(pid)
        if (file !== null) watched.set(pid, { file, ms: taken })
      }
      return ms
    },
    end: (): void => {
      for (const pid of watched.keys()) count(pid)
    },
  }
}

/** A session shows the name of its database, and that has the place of the file in it. */
function fileOfSession(pid: number): number | null {
  const named = /\blandfall_test_\d+_(\d+)_/.exec(readCommand(pid))
  return named === null ? null : Number(named[1])
}
