/** How the line's estimate of an arrival moved: a bar for each estimate, and the first and the last as text. */

import { type ChartStyle, writeSpark } from '../framework/spark.ts'

export interface StatedEstimate {
  /** ISO 8601, as the other times here. */
  readonly etaAt: string
  readonly heardAt: string
  /** When the line stated this; null when it did not state a time. */
  readonly statedAt: string | null
  /** Containers of one shipment may be on several ships; null where no source named it. */
  readonly ship: string | null
  readonly isPlanned: boolean
}

/** Only the last ones are drawn. */
const barsMax = 30

/** A line for each ship of which several estimates were stated; none where nothing can be shown. */
export function linesOfEstimates(estimates: readonly StatedEstimate[], drawing: ChartStyle): readonly string[] {
  if (drawing === 'none') return []
  const named = new Set(estimates.flatMap(({ ship }) => ship ?? []))
  // What names no ship is about the only one.
  const [only = null] = named.size === 1 ? named : []
  const byShip = Map.groupBy(estimates, ({ ship }) => ship ?? only)
  return [...byShip].flatMap(([ship, shipEstimates]) => {
    const steps = stepsOf(shipEstimates)
    const [first, last] = [steps[0], steps.at(-1)]
    if (first === undefined || last === undefined || steps.length < 2) return []
    const spark = writeSpark(steps.slice(-barsMax).map(({ etaAt }) => Date.parse(etaAt)))
    const summary = `${minuteOf(first.etaAt)} to ${minuteOf(last.etaAt)}, ${describeShift(first, last)}; ${steps.length} estimates, ${dayOf(estimateTime(first))} to ${dayOf(estimateTime(last))}`
    // A terminal would act on control characters in a name.
    const about = named.size > 1 ? `; ${(ship ?? 'no ship named').replace(/\p{Cc}+/gu, ' ')}` : ''
    return [`${drawing === 'bars' ? `${spark}  ` : ''}${summary}${about}`]
  })
}

/**
 * In the order in which they were ingested, and those ingested at once in the order of their statements, without
 * repetitions of the one before. A plan that is repeated beside estimates is no step back to it.
 */
function stepsOf(estimates: readonly StatedEstimate[]): readonly StatedEstimate[] {
  const all = estimates.toSorted(
    (a, b) =>
      Date.parse(a.heardAt) - Date.parse(b.heardAt) || Date.parse(estimateTime(a)) - Date.parse(estimateTime(b)),
  )
  const firstEstimate = all.findIndex(({ isPlanned }) => !isPlanned)
  const ordered = all.filter(({ isPlanned }, at) => !isPlanned || firstEstimate === -1 || at < firstEstimate)
  return ordered.filter((each, at) => Date.parse(each.etaAt) !== Date.parse(ordered[at - 1]?.etaAt ?? ''))
}

function estimateTime({ statedAt, heardAt: ingestedAt }: StatedEstimate): string {
  return statedAt ?? ingestedAt
}

function describeShift(first: StatedEstimate, last: StatedEstimate): string {
  const hours = Math.round((Date.parse(last.etaAt) - Date.parse(first.etaAt)) / 3_600_000)
  if (hours === 0) return 'the same hour'
  const size = Math.abs(hours)
  const long = size < 48 ? `${size} h` : `${Math.round(size / 24)} days`
  return `${long} ${hours > 0 ? 'later' : 'earlier'}`
}

function minuteOf(at: string): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`
}

function dayOf(at: string): string {
  return new Date(at).toISOString().slice(0, 10)
}
