/** What Linux tells of its processes in /proc: parents, processor time, environment. Elsewhere there is nothing to read. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface Process {
  readonly pid: number
  readonly name: string
  readonly parent: number
  /** Its own processor time. */
  readonly ownMs: number
  /** That of its children that have ended, and of their children. */
  readonly endedMs: number
}

/** A clock tick of the kernel's figures: all Linux systems count a hundred a second for programs. */
const tickMs = 10

/** Null when no such process runs; a zombie does not run. */
export function readProcess(pid: number): Process | null {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  // The second field is the program's name in brackets and may hold any character.
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  if (stat === '' || fields[0] === 'Z' || fields[0] === 'X') return null
  const ticks = (first: number): number => (Number(fields[first]) + Number(fields[first + 1])) * tickMs
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    ownMs: ticks(11),
    endedMs: ticks(13),
  }
}

export function listPids(): readonly number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
  } catch {
    return []
  }
}

/** A variable of the environment with which the process was started; null when it has none or is another user's. */
export function readVariable(pid: number, name: string): string | null {
  const environment = readOrEmpty(`/proc/${pid}/environ`).split('\0')
  return environment.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
}

/** The words with which the process was started, or what it shows instead. */
export function readCommand(pid: number): string {
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

/** Whether pids mean the same to the process as to this one: in a container they do not. */
export function sharesPids(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync('/proc/self/ns/pid')
  } catch {
    return false
  }
}

export function findChildren(pid: number): readonly number[] {
  return readOrEmpty(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .map(Number)
    .filter((child) => child > 0)
}

/** Whether processor times of other processes can be read here. */
export const hasProcesses = readProcess(process.pid) !== null

/** The processor time of this process, of its children that ended, and of those that run. Elsewhere only its own. */
export function processorMs(): number {
  if (!hasProcesses) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const running = listPids().flatMap((pid) => readProcess(pid) ?? [])
  return withDescendants([process.pid], running).reduce((sum, { ownMs, endedMs }) => sum + ownMs + endedMs, 0)
}

/** These processes and all below them. */
export function withDescendants(pids: readonly number[], running: readonly Process[]): readonly Process[] {
  const below = Map.groupBy(running, ({ parent }) => parent)
  const found = new Map<number, Process>()
  const add = (each: Process): void => {
    if (found.has(each.pid)) return
    found.set(each.pid, each)
    for (const child of below.get(each.pid) ?? []) add(child)
  }
  for (const each of running) if (pids.includes(each.pid)) add(each)
  return [...found.values()]
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // It has ended, or belongs to another user.
  }
}
