/**
 * Finds where a person says one thing and a more believed source says another. It becomes an issue; both stay on
 * record.
 */

import { believe } from '../journey/facts.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { JourneyIssue } from '../shown/projection.ts'
import type { Claim, FactName, FactValues, Source } from '../statements/observation.ts'
import { placeKeyOf } from '../statements/statement.ts'
import { personsFacts } from '../statements/trust.ts'
import { isSameJson } from '../values/json-value.ts'
import { type EventTime, instantOf } from '../values/time.ts'
import { isOfBox } from './box-facts.ts'
import { type Settled, settleFees, settleHolds } from './holds-and-fees.ts'

interface Said {
  /** Facts about the box and about its bill. */
  readonly facts: readonly FactClaim[]
  /** Those of `facts` that still hold at the place of pick-up. */
  readonly atPickup: readonly FactClaim[]
  readonly isOnlyBox: boolean
}

/**
 * One issue for each contradicted statement of a person, however much of it is contradicted. The issue shows no values,
 * because a value may be a secret.
 */
export function contradictedWords({ facts, atPickup, isOnlyBox }: Said): readonly JourneyIssue[] {
  if (!facts.some(isPersons)) return []
  const ofBox = facts.filter((claim) => isOfBox(claim, isOnlyBox))
  const found = [
    ...personsFacts
      .filter((name) => !settledByName.has(name))
      .flatMap((name) => contradictionsOf(name, ofPickup.has(name) ? atPickup : ofBox)),
    ...contradictedNames(atPickup, 'hold', settleHolds),
    ...contradictedNames(atPickup, 'fee', settleFees),
  ]
  return [...Map.groupBy(found, ({ claim }) => claim.id)].map(([claimId, each]) => ({
    kind: 'contradicted',
    claimId,
    detail: each.map(({ detail }) => detail).join('; '),
  }))
}

interface Contradicted {
  readonly claim: Claim
  readonly detail: string
}

const settledByName: ReadonlySet<FactName> = new Set<FactName>(['hold', 'holds', 'fee', 'fees'])
/** Facts about a terminal. They no longer hold once the box has left it. */
const ofPickup: ReadonlySet<FactName> = new Set<FactName>([
  'pickup_appointment',
  'available',
  'yard_location',
])

function isPersons({ source }: Claim): boolean {
  return source.kind === 'user'
}

function contradictionsOf(name: FactName, facts: readonly FactClaim[]): readonly Contradicted[] {
  const believed = believe(name, facts)
  if (believed === null || isPersons(believed.claim)) return []
  const { claim: other, value } = believed
  return facts
    .filter((claim) => claim.observation.fact === name && isPersons(claim))
    .filter(({ observation }) => isContradiction(observation.value, value))
    .map((claim) => ({ claim, detail: believedOver(name, { other: other.source, person: claim.source }) }))
}

/**
 * Compares each name about which both a person and another source spoke. They contradict each other when one sets it
 * and the other lifts it, or when they describe it differently.
 */
function contradictedNames(
  facts: readonly FactClaim[],
  what: 'hold' | 'fee',
  settle: (facts: readonly FactClaim[]) => Settled<unknown>,
): readonly Contradicted[] {
  const decided = new Map(settle(facts).decided.map((each) => [each.name, each]))
  return settle(facts.filter(isPersons)).decided.flatMap(({ name, claim, isSet, shown }) => {
    const other = decided.get(name)
    if (other === undefined || isPersons(other.claim)) return []
    if (other.isSet === isSet && (shown.length === 0 || isSameJson(other.shown, shown))) return []
    const [kind] = name.split(':', 1)
    const sources = { other: other.claim.source, person: claim.source }
    return [{ claim, detail: believedOver(`${what} ${kind}`, sources) }]
  })
}

function believedOver(
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
  if (isTime(a) && isTime(b)) return isApart(a, b)
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
function isApart(a: EventTime, b: EventTime): boolean {
  if (a.kind === 'day' && b.kind === 'day') return a.on !== b.on
  const [left, right] = [spanOf(a), spanOf(b)]
  return left.until < right.from || right.until < left.from
}

/** Time zones lie between UTC-12 and UTC+14. */
function spanOf(time: EventTime): { readonly from: number; readonly until: number } {
  const at = Date.parse(instantOf(time, null).at)
  if (time.kind === 'instant') return { from: at, until: at }
  return { from: at - 14 * hourMs, until: at + (time.kind === 'day' ? 36 : 12) * hourMs }
}
