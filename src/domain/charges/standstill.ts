/**
 * When a clock was stopped: the time in which each hold was in force, and in which the container was not available.
 * Read from every statement that was ever on record, because a release replaces the hold that it lifts.
 */

import type { FactClaim } from '../journey/trip.ts'
import { resolveHolds } from '../shipment/holds-and-fees.ts'
import type { Hold } from '../statements/observation.ts'
import { statedAtMsOf } from '../statements/statement.ts'
import { earlierOf, instantOf } from '../values/time.ts'
import { availabilityAt, type ChargedContainer, isAtRamp } from './evidence.ts'
import type { TermsContent } from './terms.ts'

export interface Standstill {
  readonly of: { readonly kind: 'hold'; readonly hold: Hold['name'] } | { readonly kind: 'not_available' }
  readonly fromMs: number
  /** Null: it goes on. */
  readonly toMs: number | null
  readonly claimId: string
}

export function standstillsOf(chargedContainer: ChargedContainer, terms: TermsContent): readonly Standstill[] {
  const { stopsFor } = terms
  const holds = stopsFor.some((stop) => stop === 'any_hold' || stop.startsWith('hold:'))
    ? holdSpans(holdClaimsAtPlace(chargedContainer, terms)).filter(
        ({ of }) =>
          of.kind === 'hold' && (stopsFor.includes('any_hold') || stopsFor.some((stop) => stop === `hold:${of.hold}`)),
      )
    : []
  return [...holds, ...(stopsFor.includes('not_available') ? unavailableSpans(chargedContainer, terms) : [])]
}

/** A statement of the port's terminal from before the train left is not about the ramp. */
function holdClaimsAtPlace({ container, holdClaims }: ChargedContainer, terms: TermsContent): readonly FactClaim[] {
  if (!isAtRamp(terms)) return holdClaims
  const departure = container.milestones.find(({ name }) => name === 'rail_loaded' || name === 'rail_departed')
  if (departure === undefined) return holdClaims
  const departedAtMs = Date.parse(instantOf(departure.time, departure.place.timeZone).at)
  return holdClaims.filter((holdClaim) => holdClaim.source.kind === 'rail' || statedAtMsOf(holdClaim) >= departedAtMs)
}

/** A hold that is only planned (`pending`) does not stop a clock. */
function holdSpans(holdClaims: readonly FactClaim[]): readonly Standstill[] {
  if (holdClaims.length === 0) return []
  // A message that repeats a statement moves `standsAt`; the hold began when the statement first came.
  const datedClaims = holdClaims.map((holdClaim) => ({
    ...holdClaim,
    standsAt: earlierOf(holdClaim.standsAt, holdClaim.recordedAt),
  }))
  const ends = datedClaims.flatMap(({ retiredAt }) => (retiredAt === null ? [] : [Date.parse(retiredAt)]))
  const moments = [...new Set([...datedClaims.map(statedAtMsOf), ...ends])].toSorted((a, b) => a - b)
  const open = new Map<string, Omit<Standstill, 'toMs'>>()
  const spans: Standstill[] = []
  for (const atMs of moments) {
    const known = datedClaims.filter(
      (holdClaim) =>
        statedAtMsOf(holdClaim) <= atMs && (holdClaim.retiredAt === null || Date.parse(holdClaim.retiredAt) > atMs),
    )
    const inForce = new Map(
      resolveHolds(known).decided.flatMap(({ name, claim, entries }) => {
        const hold = entries.find(({ status }) => status === 'hold')
        return hold === undefined ? [] : [[name, { hold: hold.name, claimId: claim.id }] as const]
      }),
    )
    for (const [name, span] of open) {
      if (inForce.has(name)) continue
      spans.push({ ...span, toMs: atMs })
      open.delete(name)
    }
    for (const [name, { hold, claimId }] of inForce) {
      if (!open.has(name)) open.set(name, { of: { kind: 'hold', hold }, fromMs: atMs, claimId })
    }
  }
  return [...spans, ...[...open.values()].map((span) => ({ ...span, toMs: null }))]
}

function unavailableSpans({ container }: ChargedContainer, terms: TermsContent): readonly Standstill[] {
  const milestones = availabilityAt(container, terms)
  return milestones.flatMap((milestone, index): readonly Standstill[] => {
    if (milestone.name !== 'not_available') return []
    const next = milestones.slice(index + 1).find(({ name }) => name === 'available')
    const msOf = ({ time, place }: typeof milestone) => Date.parse(instantOf(time, place.timeZone).at)
    const toMs = next === undefined ? null : msOf(next)
    return [{ of: { kind: 'not_available' }, fromMs: msOf(milestone), toMs, claimId: milestone.claimId }]
  })
}

/** The standstill that excludes this day; null when the clock runs. `fromMs` to `toMs` is the day at the place. */
export function standstillOn(
  standstills: readonly Standstill[],
  day: { readonly fromMs: number; readonly toMs: number },
  stoppedDay: TermsContent['stoppedDay'],
): Standstill | null {
  const isOut = ({ fromMs, toMs }: Standstill) =>
    stoppedDay === 'whole'
      ? fromMs <= day.fromMs && (toMs === null || toMs >= day.toMs)
      : fromMs < day.toMs && (toMs === null || toMs > day.fromMs)
  return standstills.find(isOut) ?? null
}
