/**
 * The drift watch: when too many recent automatic choices of a line, or of a node of the model, were wrong, there are
 * no automatic choices for it any more.
 */

import type { NodeRecord } from './predictions-sql.ts'

/** The share of automatic choices that must be right. */
export const precisionMin = 0.97
/** How many days back the watch counts. */
export const watchedDays = 30
/** Fewer cases prove nothing: two mistakes among five may be chance. */
export const casesMin = 10
/**
 * From this many cases on the line must prove its precision. With fewer cases not even a record without mistakes could
 * prove it.
 */
const casesToProve = 125
/** 95 %, two-sided. */
const z = 1.96

/** The bounds (Wilson) between which the true share lies when `right` of `cases` were right. */
export function wilsonBounds(right: number, cases: number): { readonly lower: number; readonly upper: number } {
  if (cases === 0) return { lower: 0, upper: 1 }
  const share = right / cases
  const scale = 1 + z ** 2 / cases
  const centre = (share + z ** 2 / (2 * cases)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / cases + z ** 2 / (4 * cases ** 2))
  return { lower: centre - half, upper: centre + half }
}

/** With few cases the precision must be certainly too low. With many cases it must be proved that it is not. */
export function isTooOftenWrong({ right, cases }: { readonly right: number; readonly cases: number }): boolean {
  if (cases < casesMin) return false
  const { lower, upper } = wilsonBounds(right, cases)
  return upper < precisionMin || (cases >= casesToProve && lower < precisionMin)
}

/** The keys that `isDemotedBy` looks up: `SCAC node`, with the node `*` for the whole line. */
export function findDemotedNodes(records: readonly NodeRecord[]): ReadonlySet<string> {
  return new Set(records.filter(isTooOftenWrong).map(({ scac, node }) => `${scac} ${node}`))
}

export function isDemotedBy(demoted: ReadonlySet<string>, nodes: readonly string[], scac: string): boolean {
  return demoted.size > 0 && ['*', ...nodes].some((node) => demoted.has(`${scac} ${node}`))
}
