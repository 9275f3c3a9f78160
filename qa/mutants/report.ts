// What a run of `npm run qa -- mutants` prints and writes: a line a mutant, a summary by room, what became worse.

import { type Mutant, roomOf } from './choose-mutants.ts'
import type { Outcome } from './judge-mutant.ts'
import type { Costs } from './order-tests.ts'

export type Judged = Mutant & Outcome

/** The file that `--json` and `--list` write and `--from` reads. A list has no outcomes and no costs. */
export interface Report {
  readonly seed: number
  readonly budgetS: number
  readonly mutants: readonly (Mutant | Judged)[]
  readonly costs: Costs
}

/** `src/domain/x.ts:12  if (a < b) …  →  a <= b`, and what became of it. */
export function describeJudged(judged: Judged): string {
  return `${judged.outcome.padEnd(8)} ${describeMutant(judged)}\n           ${describeOutcome(judged)}`
}

function describeMutant({ file, line, text, column, remove, insert }: Mutant): string {
  const change = remove === '' ? `add ${insert.trim()}` : `${remove.trim()} → ${insert || 'nothing'}`
  const from = Math.max(0, column - 30)
  const around = text.slice(from, from + 90)
  return `${file}:${line}  ${change}  in  ${from > 0 ? '…' : ''}${around}${from + 90 < text.length ? '…' : ''}`
}

function describeOutcome(outcome: Outcome): string {
  if (outcome.outcome === 'found') return `by ${outcome.by}: ${outcome.test}`
  if (outcome.outcome === 'survived') return `${outcome.asked} of ${outcome.loading} test files that load it were asked`
  return 'no test loads it'
}

export function summarize(judged: readonly Judged[]): string {
  const rooms = Map.groupBy(judged, ({ file }) => roomOf(file))
  const lines = [...rooms.keys()].toSorted().map((room) => line(room, rooms.get(room) ?? []))
  return [`${'room'.padEnd(12)}mutants  found  survived  unloaded`, ...lines, line('all', judged)].join('\n')
}

function line(name: string, judged: readonly Judged[]): string {
  const [found, survived, unloaded] = (['found', 'survived', 'unloaded'] as const).map(
    (outcome) => judged.filter((each) => each.outcome === outcome).length,
  )
  const columns = [judged.length, found, survived, unloaded].map(String)
  return name.padEnd(12) + columns.map((each, index) => each.padStart([7, 7, 10, 10][index] ?? 0)).join('')
}

export function percentFound(judged: readonly Judged[]): number {
  const found = judged.filter(({ outcome }) => outcome === 'found').length
  return judged.length === 0 ? 0 : (100 * found) / judged.length
}

export interface Comparison {
  /** Found before and not any more. */
  readonly worse: readonly Judged[]
  readonly better: readonly Judged[]
}

/** `pairs`: what an earlier run made of a mutant, and what this one makes of it. */
export function compare(pairs: readonly { readonly before: Mutant | Judged; readonly now: Judged }[]): Comparison {
  const known = pairs.filter(({ before }) => 'outcome' in before)
  const wasFound = ({ before }: { before: Mutant | Judged }): boolean =>
    'outcome' in before && before.outcome === 'found'
  return {
    worse: known.filter((pair) => wasFound(pair) && pair.now.outcome !== 'found').map(({ now }) => now),
    better: known.filter((pair) => !wasFound(pair) && pair.now.outcome === 'found').map(({ now }) => now),
  }
}

/** Without the time and the machine: the same code and tests give the same file, but for the costs. */
export function writeReport({ seed, budgetS, mutants, costs }: Report): string {
  const sorted = Object.entries(costs).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify({ seed, budgetS, mutants, costs: Object.fromEntries(sorted) }, null, 2)}\n`
}
