// Which live processes use a shared thing, recorded in files that name the processes: a lock for one process at a time,
// a folder of files for many. A killed process leaves its file behind, so a file counts only while its process lives.
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isErrorCode } from './error-code.ts'

/** Waits until this process alone holds the lock file, runs the work, and removes the file. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!tryAcquire(path)) {
    if (!isHeld(path)) {
      // The file of a dead process is renamed before it is removed, so that of two processes that find it only one
      // removes it.
      const renamedPath = `${path}.${process.pid}`
      try {
        renameSync(path, renamedPath)
        const wasAlive = isHeld(renamedPath)
        if (wasAlive) renameSync(renamedPath, path)
        else rmSync(renamedPath, { force: true })
      } catch (error) {
        if (!isErrorCode(error, 'ENOENT')) throw error
      }
    }
    await pause(20)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

function tryAcquire(path: string): boolean {
  try {
    writeNew(path)
    return true
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

// On a full disk an empty file can be made but not filled. It is removed again, because other processes would wait for
// its content.
function writeNew(path: string): void {
  const file = openSync(path, 'wx')
  try {
    writeSync(file, writeHolder(process.pid))
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/**
 * Adds this process to the holders in the folder. `release` removes it and returns how many other live holders are left.
 */
export function addHolder(folder: string): { readonly release: () => number } {
  mkdirSync(folder, { recursive: true })
  const name = `${process.pid}-${Math.trunc(performance.now() * 1000)}`
  writeNew(join(folder, name))
  return {
    release: () => {
      rmSync(join(folder, name), { force: true })
      return countHolders(folder)
    },
  }
}

/** How many live processes hold the thing. Files of dead processes are removed at the same time. */
export function countHolders(folder: string): number {
  let live = 0
  for (const name of readdirSync(folder)) {
    if (isHeld(join(folder, name))) live += 1
    else rmSync(join(folder, name), { force: true })
  }
  return live
}

/** True when a process with this id runs. A zombie does not count. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!isErrorCode(error, 'EPERM')) return false
  }
  return readProcessStat(pid)?.state !== 'Z'
}

/**
 * A text that differs from that of a later process with the same id. Null when no process has the id. Without /proc the
 * text is only the pid, so it cannot distinguish two such processes.
 */
export function markProcess(pid: number): string | null {
  return isProcessAlive(pid) ? writeHolder(pid) : null
}

// The pid and, where /proc shows it, the moment when the process started, because the system reuses pids.
function writeHolder(pid: number): string {
  return `${pid} ${readProcessStat(pid)?.startedAt ?? '?'}\n`
}

const writtenWithinMs = 10_000

function isHeld(path: string): boolean {
  const holder = readOrEmpty(path)
  const pid = Number.parseInt(holder, 10)
  if (holder !== '') return Number.isInteger(pid) && markProcess(pid) === holder
  // An empty file: its process is about to fill it, or could not.
  const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return Date.now() - changedMs < writtenWithinMs
}

function readProcessStat(pid: number): { readonly state: string; readonly startedAt: string } | null {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  // The second field is the program's name in brackets and may contain any character, so the count starts at the last
  // bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return stat === '' ? null : { state: fields[0] ?? '', startedAt: fields[19] ?? '' }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrorCode(error, 'ENOENT') || isErrorCode(error, 'ESRCH') || isErrorCode(error, 'EACCES')) return ''
    throw error
  }
}
