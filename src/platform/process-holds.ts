// Which live processes hold a shared thing, told by files that name them: a lock for one at a time, a folder of holders
// for many. A process that was killed leaves its file behind, so a file counts only while its process lives.
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

/** Waits until this process alone holds the lock file, runs the work, and lets go. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!take(path)) {
    if (!isHeld(path)) {
      // Moved away first, so that of two processes that see the dead holder only one removes its file.
      const aside = `${path}.${process.pid}`
      try {
        renameSync(path, aside)
        const wasAlive = isHeld(aside)
        if (wasAlive) renameSync(aside, path)
        else rmSync(aside, { force: true })
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

function take(path: string): boolean {
  try {
    writeNew(path)
    return true
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

// Where the disk is full an empty file can be made and not filled: left there, others would wait for its writer.
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

/** Counts this process among the holders in the folder; letGo returns how many other live ones are left. */
export function holdAmong(folder: string): { readonly letGo: () => number } {
  mkdirSync(folder, { recursive: true })
  const name = `${process.pid}-${Math.trunc(performance.now() * 1000)}`
  writeNew(join(folder, name))
  return {
    letGo: () => {
      rmSync(join(folder, name), { force: true })
      return countHolders(folder)
    },
  }
}

/** How many live processes hold the thing; files of dead ones are removed on the way. */
export function countHolders(folder: string): number {
  let live = 0
  for (const name of readdirSync(folder)) {
    if (isHeld(join(folder, name))) live += 1
    else rmSync(join(folder, name), { force: true })
  }
  return live
}

/** True when a process of that id runs; a zombie does not. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!isErrorCode(error, 'EPERM')) return false
  }
  return readProcessStat(pid)?.state !== 'Z'
}

/** Tells a process from a later one that was given the same id; null when none runs. Says little where there is no /proc. */
export function markProcess(pid: number): string | null {
  return isProcessAlive(pid) ? writeHolder(pid) : null
}

// A holder is its pid and, where /proc tells, the moment it started: ids are given again after a restart.
function writeHolder(pid: number): string {
  return `${pid} ${readProcessStat(pid)?.startedAt ?? '?'}\n`
}

const writtenWithinMs = 10_000

function isHeld(path: string): boolean {
  const holder = readOrEmpty(path)
  const pid = Number.parseInt(holder, 10)
  if (holder !== '') return Number.isInteger(pid) && markProcess(pid) === holder
  // Its process is just writing it, or could not.
  const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return Date.now() - changedMs < writtenWithinMs
}

function readProcessStat(pid: number): { readonly state: string; readonly startedAt: string } | null {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  // The second field is the program's name in brackets and may hold anything, so count from the last bracket.
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
