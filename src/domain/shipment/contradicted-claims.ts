/**
 * Finds contradictions between a person and a more believed source. A contradiction becomes an issue; both claims stay
 * on record.
 */

import { findBelievedFact } from '../journey/facts.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { Claim, FactName, FactValues, Source } from '../statements/observation.ts'
import { placeKeyOf } from '../statements/statement.ts'
import { personsFacts } from '../statements/trust.ts'
import { isSameJson } from '../values/json-value.ts'
import { type EventTime, instantOf } from '../values/time.ts'
import type { JourneyIssue } from '../view/projection.ts'
import { isAboutContainer } from './container-facts.ts'
import { type ResolvedList, resolveFees, resolveHolds } from './holds-and-fees.ts'

interface ContradictionInput {
  /** Facts about the container and about its bill. */
  readonly facts: readonly FactClaim[]
  /** Those of `facts` that still hold at the place of pick-up. */
  readonly atPickup: readonly FactClaim[]
  readonly isOnlyContainer: boolean
}

/**
 * One issue for each contradicted statement of a person, however much of it is contradicted. The issue shows no values,
 * because a value may be a secret.
 */
export function findContradictedClaims({
  facts,
  atPickup,
  isOnlyContainer,
}: ContradictionInput): readonly JourneyIssue[] {
  if (!facts.some(isFromPerson)) return []
  const containerFacts = facts.filter((claim) => isAboutContainer(claim, isOnlyContainer))
  const found = [
    ...personsFacts
      .filter((name) => !resolvedByName.has(name))
      .flatMap((name) => contradictionsOf(name, ofPickup.has(name) ? atPickup : containerFacts)),
    ...contradictedNames(atPickup, 'hold', resolveHolds),
    ...contradictedNames(atPickup, 'fee', resolveFees),
  ]
  return [...Map.groupBy(found, ({ claim }) => claim.id)].map(([claimId, each]) => ({
    kind: 'contradicted',
    claimId,
    detail: each.map(({ detail }) => detail).join('; '),
  }))
}

interface Contradiction {
  readonly claim: Claim
  readonly detail: string
}

const resolvedByName: ReadonlySet<FactName> = new Set<FactName>(['hold', 'holds', 'fee', 'fees'])
/** Facts about a terminal. They no longer hold once the container has left it. */
const ofPickup: ReadonlySet<FactName> = new Set<FactName>(['pickup_appointment', 'available', 'yard_location'])

function isFromPerson({ source }: Claim): boolean {
  return source.kind === 'user'
}

function contradictionsOf(name: FactName, facts: readonly FactClaim[]): readonly Contradiction[] {
  const believed = findBelievedFact(name, facts)
  if (believed === null || isFromPerson(believed.claim)) return []
  const { claim: other, value } = believed
  return facts
    .filter((claim) => claim.observation.fact === name && isFromPerson(claim))
    .filter(({ observation }) => isContradiction(observation.value, value))
    .map((claim) => ({ claim, detail: describeContradiction(name, { other: other.source, person: claim.source }) }))
}

/**
 * Compares each name about which both a person and another source spoke. They contradict each other when one sets it
 * and the other lifts it, or when they describe it differently.
 */
function contradictedNames(
  facts: readonly FactClaim[],
  what: 'hold' | 'fee',
  resolve: (facts: readonly FactClaim[]) => ResolvedList<unknown>,
): readonly Contradiction[] {
  const decided = new Map(resolve(facts).decided.map((each) => [each.name, each]))
  return resolve(facts.filter(isFromPerson)).decided.flatMap(({ name, claim, isSet, entries }) => {
    const other = decided.get(name)
    if (other === undefined || isFromPerson(other.claim)) return []
    if (other.isSet === isSet && (entries.length === 0 || isSameJson(other.entries, entries))) return []
    const [kind] = name.split(':', 1)
    const sources = { other: other.claim.source, person: claim.source }
    return [{ claim, detail: describeContradiction(`${what} ${kind}`, sources) }]
  })
}

function describeContradiction(
  what: string,
  { other, person }: { readonly other: Source; readonly person: Source },
): string {
  return `${what}: ${other.kind} ${other.code} is believed over ${person.kind} ${person.code}`
}

type Value = FactValues[FactName]

function isContradiction(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return lettersOf(a) !== lettersOf(b)
  // Converting between pounds and kilograms may lose up to one kilogram.
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) > 1
  if (isTime(a) && isTime(b)) return areTimesContradictory(a, b)
  if (isPlace(a) && isPlace(b)) return placeKeyOf(a) !== placeKeyOf(b)
  return !isSameJson(a, b)
}

function lettersOf(text: string): string {
  return text.toUpperCase().replace(/[\s-]+/g, '')
}

function isTime(value: Value): value is EventTime {
  return value !== null && typeof value === 'object' && 'kind' in value
}

function isPlace(value: Value): value is FactValues['empty_return_place'] {
  return value !== null && typeof value === 'object' && 'unlocode' in value
}

const hourMs = 3_600_000

/** Two different days contradict each other. Other times do so only when they cannot be the same in any time zone. */
function areTimesContradictory(a: EventTime, b: EventTime): boolean {
  if (a.kind === 'day' && b.kind === 'day') return a.on !== b.on
  const [left, right] = [computePossibleTimeSpan(a), computePossibleTimeSpan(b)]
  return left.until < right.from || right.until < left.from
}

/** Time zones are between UTC-12 and UTC+14. */
function computePossibleTimeSpan(time: EventTime): { readonly from: number; readonly until: number } {
  const at = Date.parse(instantOf(time, null).at)
  if (time.kind === 'instant') return { from: at, until: at }
  return { from: at - 14 * hourMs, until: at + (time.kind === 'day' ? 36 : 12) * hourMs }
}
