/**
 * Which of the stated facts is believed. A source that does not mention a thing states nothing about it. An empty list
 * states that there is none.
 */

import { type Criterion, compareBy, createFirstHandCriterion, decidingReason } from '../statements/criteria.ts'
import type { FactName, FactValues } from '../statements/observation.ts'
import { compareClaims, compareText, statedAtMsOf } from '../statements/statement.ts'
import { factTrust, isBelievableFact, rankIn } from '../statements/trust.ts'
import { compareInstants } from '../values/time.ts'
import type { FactClaim } from './trip.ts'

export interface BelievedFact<Name extends FactName> {
  readonly value: FactValues[Name]
  readonly claim: FactClaim
}

/** The acceptable statement of a fact that is believed most; of one source's statements the latest. */
export function findBelievedFact<Name extends FactName>(
  name: Name,
  facts: readonly FactClaim[],
  isAcceptable: (value: FactValues[Name], claim: FactClaim) => boolean = () => true,
): BelievedFact<Name> | null {
  let best: BelievedFact<Name> | null = null
  for (const claim of facts) {
    if (claim.observation.fact !== name || !isBelievableFact(claim)) continue
    // The name determines the type of the value (FactOf).
    const value = claim.observation.value as FactValues[Name]
    if (!isAcceptable(value, claim)) continue
    if (best === null || compareBy(factCriteria, claim, best.claim) < 0) best = { value, claim }
  }
  return best
}

export function believedValue<Name extends FactName>(name: Name, facts: readonly FactClaim[]): FactValues[Name] | null {
  return findBelievedFact(name, facts)?.value ?? null
}

/**
 * The first criterion that differs between two statements decides. `reason` explains why the better one is believed.
 */
export const factCriteria: readonly Criterion<FactClaim>[] = [
  {
    reason: 'a source that is believed more on this',
    compare: (a, b) => {
      const ranking = factTrust[a.observation.fact]
      return rankIn(ranking, a.source.kind) - rankIn(ranking, b.source.kind)
    },
  },
  createFirstHandCriterion((claim) => claim),
  {
    reason: 'said of the box itself and not of the whole bill',
    compare: (a, b) => Number(a.observation.equipment === null) - Number(b.observation.equipment === null),
  },
  { reason: 'the later word', compare: (a, b) => statedAtMsOf(b) - statedAtMsOf(a) },
  { reason: 'heard later', compare: (a, b) => compareInstants(b.standsAt, a.standsAt) },
  {
    reason: 'the last by its key, since nothing else tells them apart',
    compare: (a, b) => compareText(b.observation.key, a.observation.key) || compareClaims(a, b),
  },
]

/** Why the first of two statements of one fact is believed over the second. */
export function explainFactChoice(believed: FactClaim, other: FactClaim): string {
  return decidingReason(factCriteria, believed, other)
}
