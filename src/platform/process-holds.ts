// Which live processes hold a shared thing, told by files that name them: a lock for one at a time, a folder of holders
// for many. A process that was killed leaves its file behind, so a file counts only while its process lives.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isErrorCode } from './error-code.ts'

/** Waits until this process alone holds the lock file, runs the work, and lets go. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const mine = writeHolder(process.pid)
  for (;;) {
    try {
      writeFileSync(path, mine, { flag: 'wx' })
      break
    } catch (error) {
      if (!isErrorCode(error, 'EEXIST')) throw error
    }
    if (!isLive(readOrEmpty(path))) {
      // Moved away first, so that of two processes that see the dead holder only one removes its file.
      const aside = `${path}.${process.pid}`
      try {
        renameSync(path, aside)
        const wasAlive = isLive(readOrEmpty(aside))
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

/** Counts this process among the holders in the folder; letGo returns how many other live ones are left. */
export function holdAmong(folder: string): { readonly letGo: () => number } {
  mkdirSync(folder, { recursive: true })
  const name = `${process.pid}-${Math.trunc(performance.now() * 1000)}`
  writeFileSync(join(folder, name), writeHolder(process.pid))
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
    if (isLive(readOrEmpty(join(folder, name)))) live += 1
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

// A holder is its pid and, where /proc tells, the moment it started: ids are given again after a restart.
function writeHolder(pid: number): string {
  return `${pid} ${readProcessStat(pid)?.startedAt ?? '?'}\n`
}

function isLive(holder: string): boolean {
  const pid = Number.parseInt(holder, 10)
  // An empty file is one that its process is just writing.
  if (holder === '') return true
  return Number.isInteger(pid) && isProcessAlive(pid) && writeHolder(pid) === holder
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
