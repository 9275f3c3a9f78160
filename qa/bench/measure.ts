/** What a benchmark reports, and the arithmetic of it: medians of alternating rounds, percentiles, seeded chance. */

/** A measured value and its limit, both from the same run. */
export interface Figure {
  readonly bench: string
  /** What was measured, in words. */
  readonly what: string
  readonly unit: string
  readonly figure: number
  /** The best that the machine can do when only the unavoidable part of the work is done. */
  readonly limit: { readonly what: string; readonly value: number } | null
  readonly ratio: number | null
  readonly aim: string
  readonly isMet: boolean
  /** What a reader needs to judge the figure: rounds, spread, sizes. */
  readonly note: string
  /** The database of the measurement; null when there was none. */
  readonly postgres: string | null
  /** The parts of the figure, shown by `--json` alone. */
  readonly parts?: readonly Readonly<Record<string, unknown>>[]
  /** The delays of which the figure is a percentile; drawn on a terminal alone. */
  readonly delaysMs?: readonly number[]
}

/** Prints progress on stderr, because stdout is for the figures. */
export function progress(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The value below which this part (0–1) of the values lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * part
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) throw new Error('there is nothing to take a percentile of')
  return below + (above - below) * (place - Math.floor(place))
}

export interface Sides {
  readonly ours: readonly number[]
  readonly limit: readonly number[]
}

/** Measures both sides in turn, so that other work on the machine affects both equally. Each side returns its rate. */
export async function alternate(
  rounds: number,
  sides: {
    readonly ours: (round: number) => Promise<number>
    readonly limit: (round: number) => Promise<number>
  },
): Promise<Sides> {
  const ours: number[] = []
  const limit: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const measureOurs = async () => ours.push(await sides.ours(round))
    const measureLimit = async () => limit.push(await sides.limit(round))
    const order = round % 2 === 0 ? [measureOurs, measureLimit] : [measureLimit, measureOurs]
    for (const measure of order) await measure()
    progress(`  round ${round + 1} of ${rounds}: ${rate(ours.at(-1))}, limit ${rate(limit.at(-1))}`)
  }
  return { ours, limit }
}

/** The median of the ratio of each round, because both sides of one round ran under the same conditions. */
export function medianRatio({ ours, limit }: Sides): number {
  return median(ours.map((value, round) => value / (limit[round] ?? Number.NaN)))
}

/** The lowest and the highest value. */
export function spread(values: readonly number[]): string {
  return `${rate(Math.min(...values))}–${rate(Math.max(...values))}`
}

export function rate(value: number | undefined): string {
  if (value === undefined) return '–'
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 10 ? 1 : 2)
}

/** How many seconds the work took, by the monotonic clock. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

/** Chance by seed (mulberry32): the same seed gives the same data on every machine. */
export function seededChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
