/** Processor time that work takes, of this process and of PostgreSQL's: other work on the machine changes it far less than the clock. */

import { readdirSync, readFileSync } from 'node:fs'
import type { Db } from '../src/store/database.ts'
import { median, secondsOf } from './measure.ts'

export interface Spent {
  /** By the clock. */
  readonly seconds: number
  readonly nodeMs: number
  /** Of all processes of the server; null where the system does not tell of them (it does on Linux). */
  readonly postgresMs: number | null
}

/** Measures work on the database, whose server is on this machine; of sessions that end meanwhile nothing is counted. */
export async function openProcessorTime(db: Db): Promise<(work: () => Promise<unknown>) => Promise<Spent>> {
  const { rows } = await db.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
  const server = parentOf(String(rows[0]?.pid))
  return async (work) => {
    const postgresBefore = msOfChildren(server)
    const nodeBefore = process.cpuUsage()
    const seconds = await secondsOf(work)
    const { user, system } = process.cpuUsage(nodeBefore)
    const postgresAfter = msOfChildren(server)
    let postgresMs = server === null ? null : 0
    for (const [pid, ms] of postgresAfter)
      if (postgresMs !== null) postgresMs += ms - (postgresBefore.get(pid) ?? 0)
    return { seconds, nodeMs: (user + system) / 1_000, postgresMs }
  }
}

/** The median of the rounds, of each of `count` that were worked off in a round: `2.35 ms of node and 2.05 ms of PostgreSQL`. */
export function processorTimeOfEach(rounds: readonly Spent[], count: number): string {
  const ofEach = (ms: readonly number[]): string => (median(ms) / count).toFixed(2)
  const postgres = rounds.flatMap(({ postgresMs }) => postgresMs ?? [])
  const ofPostgres = postgres.length === 0 ? '' : ` and ${ofEach(postgres)} ms of PostgreSQL`
  return `${ofEach(rounds.map(({ nodeMs }) => nodeMs))} ms of node${ofPostgres}`
}

function msOfChildren(parent: string | null): ReadonlyMap<string, number> {
  const ms = new Map<string, number>()
  if (parent === null) return ms
  for (const pid of readdirSync('/proc')) {
    const ran = /^\d+$/.test(pid) && parentOf(pid) === parent ? readProcess(pid, 'schedstat') : null
    if (ran !== null) ms.set(pid, Number(ran.split(' ')[0]) / 1e6)
  }
  return ms
}

/** Behind the name, which may hold anything, the state and the parent's id. */
function parentOf(pid: string): string | null {
  return readProcess(pid, 'stat')?.split(') ').at(-1)?.split(' ')[1] ?? null
}

/** Null where there is no such file: another system, or a process that has ended. */
function readProcess(pid: string, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
