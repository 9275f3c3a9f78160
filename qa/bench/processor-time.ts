/**
 * The processor time that work takes in this process and in PostgreSQL. Other work on the machine changes it much less
 * than it changes the time by the clock.
 */

import { readdirSync, readFileSync } from 'node:fs'
import type { Db } from '../../src/db/database.ts'
import { median, secondsOf } from './measure.ts'

export interface Spent {
  /** Time by the clock. */
  readonly seconds: number
  readonly nodeMs: number
  /** The sum over all processes of the server; null if the system does not report it (Linux does). */
  readonly postgresMs: number | null
}

/**
 * Measures work on the database. Its server must be on this machine. Time of sessions that end during the work is not
 * counted.
 */
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
    for (const [pid, ms] of postgresAfter) if (postgresMs !== null) postgresMs += ms - (postgresBefore.get(pid) ?? 0)
    return { seconds, nodeMs: (user + system) / 1_000, postgresMs }
  }
}

/**
 * The median of the rounds, per item, when a round works on `count` items: `2.35 ms of node and 2.05 ms of PostgreSQL`.
 */
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

/** After the name, which may contain any character, come the state and the parent's id. */
function parentOf(pid: string): string | null {
  return readProcess(pid, 'stat')?.split(') ').at(-1)?.split(' ')[1] ?? null
}

/** Null when there is no such file: on another system, or when the process has ended. */
function readProcess(pid: string, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
