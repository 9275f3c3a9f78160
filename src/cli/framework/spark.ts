/**
 * Numbers as a row of bars, for a quick view: `▁▁▃▃▆█`. No package: the small ones that exist add colours or know no
 * gaps.
 */

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** Whether standard output can show bars; a terminal that cannot gets the same as text, and programs get neither. */
export type ChartStyle = 'bars' | 'words' | 'none'

export function chooseChartStyle(
  out: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): ChartStyle {
  if (out.isTTY !== true) return 'none'
  // As POSIX reads them: the first that is set decides.
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  const isPlain = Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb' || !/utf-?8/i.test(locale)
  return isPlain ? 'words' : 'bars'
}

/** A bar for each number, from the least (▁) to the greatest (█), and a blank for null. All are ▁ when all are equal. */
export function writeSpark(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  const least = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const range = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) - least
  const barOf = (value: number): string =>
    bars[range > 0 ? Math.round(((value - least) / range) * (bars.length - 1)) : 0] ?? ' '
  return values.map((value) => (value === null ? ' ' : barOf(value))).join('')
}

export interface IntervalCounts {
  /** Null where there is none, so that a blank is nothing and ▁ is little. */
  readonly counts: readonly (number | null)[]
  readonly from: number
  readonly to: number
}

/**
 * How many of the numbers are in each of so many equal stretches from the least to the greatest; with `by: 'ratio'`
 * each stretch is so many times the one before, for times of which most are short and a few long. Numbers below one
 * count as one there. Null for no numbers.
 */
export function countByInterval(
  values: readonly number[],
  { columns, by }: { readonly columns: number; readonly by: 'distance' | 'ratio' },
): IntervalCounts | null {
  if (values.length === 0) return null
  const from = values.reduce((a, b) => Math.min(a, b))
  const to = values.reduce((a, b) => Math.max(a, b))
  const scale = (value: number): number => (by === 'ratio' ? Math.log(Math.max(1, value)) : value)
  const range = scale(to) - scale(from)
  const counts = Array.from({ length: range > 0 ? columns : 1 }, () => 0)
  for (const value of values) {
    const share = range > 0 ? (scale(value) - scale(from)) / range : 0
    const at = Math.min(counts.length - 1, Math.floor(share * counts.length))
    counts[at] = (counts[at] ?? 0) + 1
  }
  return { counts: counts.map((count) => (count === 0 ? null : count)), from, to }
}
