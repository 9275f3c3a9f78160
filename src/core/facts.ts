/** Which of the facts that were stated is believed. A source that is silent says nothing; an empty list says none. */

import type { FactName, FactValues } from './observation.ts'
import { compareText, saidAt } from './statement.ts'
import type { FactClaim } from './trip.ts'
import { factTrust, rankIn } from './trust.ts'

export interface BelievedFact<Name extends FactName> {
  readonly value: FactValues[Name]
  readonly claim: FactClaim
}

/** The most believed statement of a fact that is `acceptable`; of one source's statements the latest. */
export function believe<Name extends FactName>(
  name: Name,
  facts: readonly FactClaim[],
  isAcceptable: (value: FactValues[Name], claim: FactClaim) => boolean = () => true,
): BelievedFact<Name> | null {
  let best: BelievedFact<Name> | null = null
  for (const claim of facts) {
    if (claim.observation.fact !== name) continue
    // The name determines the type of the value (FactOf).
    const value = claim.observation.value as FactValues[Name]
    if (!isAcceptable(value, claim)) continue
    if (best === null || compareBelief(name, claim, best.claim) < 0) best = { value, claim }
  }
  return best
}

export function believedValue<Name extends FactName>(
  name: Name,
  facts: readonly FactClaim[],
): FactValues[Name] | null {
  return believe(name, facts)?.value ?? null
}

/** The better believed source; then what was said of the box itself; then the later word. */
function compareBelief(name: FactName, a: FactClaim, b: FactClaim): number {
  const ranking = factTrust[name]
  return (
    rankIn(ranking, a.source.kind) - rankIn(ranking, b.source.kind) ||
    Number(a.observation.equipment === null) - Number(b.observation.equipment === null) ||
    saidAt(b) - saidAt(a) ||
    compareText(b.recordedAt, a.recordedAt) ||
    compareText(b.observation.key, a.observation.key) ||
    compareText(a.id, b.id)
  )
}
