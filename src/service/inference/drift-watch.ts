/** The drift watch: a line, or a node of the model, whose automatic choices were wrong too often of late loses them. */

import type { NodeRecord } from '../../store/inference/predictions.ts'

/** Automatic choices shall be right this often. */
export const precisionMin = 0.97
/** So many days back. */
export const watchedDays = 30
/** Fewer say nothing: two mistakes among five may be chance. */
export const casesMin = 10
/** From so many on the doubt is the line's: by fewer not even a clean record could prove the precision. */
const casesToProve = 125
/** 95 %, two-sided. */
const z = 1.96

/** Of a share seen in so many cases, the bounds between which the true one lies (Wilson). */
export function wilsonBounds(
  right: number,
  cases: number,
): { readonly lower: number; readonly upper: number } {
  if (cases === 0) return { lower: 0, upper: 1 }
  const share = right / cases
  const scale = 1 + z ** 2 / cases
  const centre = (share + z ** 2 / (2 * cases)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / cases + z ** 2 / (4 * cases ** 2))
  return { lower: centre - half, upper: centre + half }
}

/** With few cases it must be sure to be too low, with many it must prove that it is not. */
export function isTooOftenWrong({
  right,
  cases,
}: {
  readonly right: number
  readonly cases: number
}): boolean {
  if (cases < casesMin) return false
  const { lower, upper } = wilsonBounds(right, cases)
  return upper < precisionMin || (cases >= casesToProve && lower < precisionMin)
}

/** What `isDemoted` looks up: `SCAC node`, the node `*` for the whole line. */
export function demotedOf(records: readonly NodeRecord[]): ReadonlySet<string> {
  return new Set(records.filter(isTooOftenWrong).map(({ scac, node }) => `${scac} ${node}`))
}

export function isDemotedBy(demoted: ReadonlySet<string>, nodes: readonly string[], scac: string): boolean {
  return demoted.size > 0 && ['*', ...nodes].some((node) => demoted.has(`${scac} ${node}`))
}
