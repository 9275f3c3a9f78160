/** How the line's estimate of an arrival moved: a bar for each estimate, and the first and the last in words. */

import { type Drawing, writeSpark } from '../frame/spark.ts'

export interface EstimateTold {
  /** ISO 8601, as the other times here. */
  readonly etaAt: string
  readonly heardAt: string
  /** When the line said so; null when it did not say. */
  readonly statedAt: string | null
  /** Boxes of one shipment may be on several ships; null where nobody named it. */
  readonly ship: string | null
  readonly isPlanned: boolean
}

/** Only the last ones are drawn. */
const barsMax = 30

/** A line for each ship of which several estimates were told; none where nothing can be shown. */
export function linesOfEstimates(told: readonly EstimateTold[], drawing: Drawing): readonly string[] {
  if (drawing === 'none') return []
  const named = new Set(told.flatMap(({ ship }) => ship ?? []))
  // What names no ship is about the only one.
  const [only = null] = named.size === 1 ? named : []
  const byShip = Map.groupBy(told, ({ ship }) => ship ?? only)
  return [...byShip].flatMap(([ship, own]) => {
    const steps = stepsOf(own)
    const [first, last] = [steps[0], steps.at(-1)]
    if (first === undefined || last === undefined || steps.length < 2) return []
    const spark = writeSpark(steps.slice(-barsMax).map(({ etaAt }) => Date.parse(etaAt)))
    const words = `${minuteOf(first.etaAt)} to ${minuteOf(last.etaAt)}, ${difference(first, last)}; ${steps.length} estimates, ${dayOf(toldAt(first))} to ${dayOf(toldAt(last))}`
    // A terminal would act on control characters in a name.
    const about = named.size > 1 ? `; ${(ship ?? 'no ship named').replace(/\p{Cc}+/gu, ' ')}` : ''
    return [`${drawing === 'bars' ? `${spark}  ` : ''}${words}${about}`]
  })
}

/**
 * In the order in which they were heard, and what was heard at once as it was stated, without what only repeats the one
 * before. A plan that is told again beside estimates is no step back to it.
 */
function stepsOf(told: readonly EstimateTold[]): readonly EstimateTold[] {
  const all = told.toSorted(
    (a, b) => Date.parse(a.heardAt) - Date.parse(b.heardAt) || Date.parse(toldAt(a)) - Date.parse(toldAt(b)),
  )
  const firstEstimate = all.findIndex(({ isPlanned }) => !isPlanned)
  const ordered = all.filter(({ isPlanned }, at) => !isPlanned || firstEstimate === -1 || at < firstEstimate)
  return ordered.filter((each, at) => Date.parse(each.etaAt) !== Date.parse(ordered[at - 1]?.etaAt ?? ''))
}

function toldAt({ statedAt, heardAt }: EstimateTold): string {
  return statedAt ?? heardAt
}

function difference(first: EstimateTold, last: EstimateTold): string {
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
