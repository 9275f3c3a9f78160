/**
 * What each test file costs, in seconds: as measured by a run (`npm test -- --slowest`), and as kept in `test/costs.json`
 * (`npm test -- --costs`), by which the longest files begin first.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Tier } from './tiers.ts'
import type { WatchedCosts } from './watch-costs.ts'

export interface Cost {
  readonly tier: Tier
  readonly wall: number
  /** Processor time of the worker and the programs that it started. */
  readonly cpu: number
  /** Processor time of programs that no longer had a parent, and of PostgreSQL servers of the file's own. */
  readonly detached?: number
  /** Processor time of the file's sessions on the shared PostgreSQL server. */
  readonly database?: number
}

/** What a worker measures. */
export interface Measured {
  readonly index: number
  readonly wallMs: number
  readonly cpuMs: number
}

export type Costs = Readonly<Record<string, Cost>>

const page = 'test/costs.json'

export function readCosts(): Costs {
  return existsSync(page) ? (JSON.parse(readFileSync(page, 'utf8')) as Costs) : {}
}

/** Keeps what other files cost that did not run this time, as long as they are there. */
export function keepCosts(costs: Costs): number {
  const all = Object.entries({ ...readCosts(), ...costs }).filter(([file]) => existsSync(file))
  const lines = all
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([file, cost]) =>
        `  ${JSON.stringify(file)}: ${JSON.stringify(cost).replace(/[{,:]/g, '$& ').replace('}', ' }')}`,
    )
  writeFileSync(page, `{\n${lines.join(',\n')}\n}\n`)
  return all.length
}

/** Those that take longest begin first, so that none of them runs alone at the end. */
export function longestFirst(files: readonly string[]): readonly string[] {
  const costs = readCosts()
  return files.toSorted((a, b) => (costs[b]?.wall ?? 0) - (costs[a]?.wall ?? 0))
}

export function sumUp(
  files: readonly { readonly file: string; readonly tier: Tier }[],
  measured: readonly Measured[],
  watched: WatchedCosts,
): Costs {
  return Object.fromEntries(
    measured.flatMap(({ index, wallMs, cpuMs }) => {
      const at = files[index]
      const apart = watched.files.get(index)
      if (at === undefined) return []
      const cpu = Math.max(0, cpuMs - (apart?.countedMs ?? 0))
      const detached = seconds(apart?.detachedMs ?? 0)
      const database = seconds(apart?.databaseMs ?? 0)
      const cost: Cost = {
        tier: at.tier,
        wall: seconds(wallMs),
        cpu: seconds(cpu),
        ...(detached > 0 ? { detached } : {}),
        ...(database > 0 ? { database } : {}),
      }
      return [[at.file, cost] as const]
    }),
  )
}

const shown = 25

/** A page for people: the files that cost most, and sums. */
export function printCosts(
  costs: Costs,
  { whole, databaseMs }: { readonly whole: number; readonly databaseMs: number },
): string {
  const all = Object.entries(costs)
  const sum = (of: (cost: Cost) => number | undefined, within = all): string =>
    figure(within.reduce((total, [, cost]) => total + (of(cost) ?? 0), 0))
  const lines = all
    .toSorted(([, a], [, b]) => total(b) - total(a) || b.wall - a.wall)
    .slice(0, shown)
    .map(([file, each]) =>
      line(figure(each.wall), figure(each.cpu), figure(each.detached), figure(each.database), file),
    )
  const byTier = [...Map.groupBy(all, ([, { tier }]) => tier)].map(([tier, within]) =>
    line(
      sum(({ wall }) => wall, within),
      sum(({ cpu }) => cpu, within),
      sum(({ detached }) => detached, within),
      sum(({ database }) => database, within),
      `${tier}: ${within.length} files`,
    ),
  )
  const totals = line(
    sum(({ wall }) => wall),
    sum(({ cpu }) => cpu),
    sum(({ detached }) => detached),
    sum(({ database }) => database),
    `all ${all.length} files one after the other`,
  )
  return [
    '',
    `Seconds: by the clock, of the processor by the file and its programs, by what was detached or its own PostgreSQL, by its sessions on the shared one.`,
    line('wall', 'cpu', 'detached', 'database', ''),
    ...lines,
    ...byTier,
    totals,
    `The whole run took ${figure(whole)} s of the processor, ${figure(databaseMs / 1_000)} s of it the shared PostgreSQL.`,
    '',
  ].join('\n')
}

function total({ cpu, detached = 0, database = 0 }: Cost): number {
  return cpu + detached + database
}

function line(...[wall, cpu, detached, database, name]: readonly [string, string, string, string, string]): string {
  return `${[wall, cpu, detached, database].map((each) => each.padStart(9)).join('')}  ${name}`.trimEnd()
}

function seconds(ms: number): number {
  return Math.round(ms / 10) / 100
}

function figure(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(1)
}
