/**
 * Differences between then and now, each with what differs and where, so that intended differences can be separated.
 */

import assert from 'node:assert/strict'
import { type IntendedDifference, intendedDifferences } from './intended-differences.ts'

export interface Difference {
  /** Without ids, as in `wire shipment.attributes.pod_eta_at`. */
  readonly what: string
  /** The address or the key. */
  readonly where: string
  readonly was: unknown
  readonly now: unknown
}

/** The kinds of differences, with one example of each. */
const shownMax = 30

/** Fails for each unintended difference. Returns the intended ones that occurred. */
export function refuseUnintended(
  differences: readonly Difference[],
  intended: readonly IntendedDifference[] = intendedDifferences,
): readonly IntendedDifference[] {
  const met = new Set<IntendedDifference>()
  const unintended = differences.filter(({ what }) => {
    const found = intended.find((each) => isOf(each, what))
    if (found !== undefined) met.add(found)
    return found === undefined
  })
  const kinds = Map.groupBy(unintended, ({ what }) => what)
  const shown = [...kinds.values()].slice(0, shownMax).map((alike) => {
    const [first] = alike
    return first === undefined
      ? ''
      : `${alike.length} × ${first.what}, as at ${first.where}\n  was ${write(first.was)}\n  now ${write(first.now)}`
  })
  assert.equal(
    unintended.length,
    0,
    `${unintended.length} differences that are not in intended-differences.ts:\n${shown.join('\n')}`,
  )
  return [...met]
}

function isOf(each: IntendedDifference, what: string): boolean {
  return each.what.endsWith('*') ? what.startsWith(each.what.slice(0, -1)) : each.what === what
}

function write(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300)
}
