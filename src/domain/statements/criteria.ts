/**
 * Rules of precedence that can name the rule that decided. One list decides which statement is believed, and explains
 * in words why another is not.
 */

import type { Claim } from './observation.ts'

export interface Criterion<T> {
  /** Why the better of two is believed. */
  readonly reason: string
  /** Negative when the first is the better one. */
  readonly compare: (a: T, b: T) => number
}

/** A source's own statement counts more than one that somebody passes on from a source of the same kind. */
export function createFirstHandCriterion<T>(claimOf: (item: T) => Pick<Claim, 'hand'>): Criterion<T> {
  const rank = (item: T) => Number(claimOf(item).hand === 'relayed')
  return {
    reason: 'told at first hand, where the other is only passed on',
    compare: (a, b) => rank(a) - rank(b),
  }
}

/** Compares by the first criterion that differs between the two; 0 when none does. */
export function compareBy<T>(criteria: readonly Criterion<T>[], a: T, b: T): number {
  for (const { compare } of criteria) {
    const order = compare(a, b)
    if (order !== 0) return order
  }
  return 0
}

/** The reason of the first criterion that differs between the two. */
export function decidingReason<T>(criteria: readonly Criterion<T>[], better: T, worse: T): string {
  return criteria.find(({ compare }) => compare(better, worse) !== 0)?.reason ?? 'both say the same'
}
