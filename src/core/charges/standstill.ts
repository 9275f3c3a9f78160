/**
 * When a clock stood still: from when until when each hold was in force, and when the box was not available. Read off
 * every word that was ever said, because a release takes the place of the hold that it lifts.
 */

import type { FactClaim } from '../journey/trip.ts'
import { settleHolds } from '../shipment/holds-and-fees.ts'
import type { Hold } from '../statements/observation.ts'
import { saidAt } from '../statements/statement.ts'
import { earlierOf, instantOf } from '../values/time.ts'
import { availabilityAt, type ChargedBox, isAtRamp } from './evidence.ts'
import type { TermsContent } from './terms.ts'

export interface Standstill {
  readonly of: { readonly kind: 'hold'; readonly hold: Hold['name'] } | { readonly kind: 'not_available' }
  readonly fromMs: number
  /** Null: it goes on. */
  readonly toMs: number | null
  readonly claimId: string
}

export function standstillsOf(box: ChargedBox, terms: TermsContent): readonly Standstill[] {
  const { stopsFor } = terms
  const holds = stopsFor.some((stop) => stop === 'any_hold' || stop.startsWith('hold:'))
    ? holdSpans(wordsAtPlace(box, terms)).filter(
        ({ of }) =>
          of.kind === 'hold' &&
          (stopsFor.includes('any_hold') || stopsFor.some((stop) => stop === `hold:${of.hold}`)),
      )
    : []
  return [...holds, ...(stopsFor.includes('not_available') ? unavailableSpans(box, terms) : [])]
}

/** What the port's terminal said before the train left is not about the ramp. */
function wordsAtPlace({ container, holdWords }: ChargedBox, terms: TermsContent): readonly FactClaim[] {
  if (!isAtRamp(terms)) return holdWords
  const left = container.milestones.find(({ name }) => name === 'rail_loaded' || name === 'rail_departed')
  if (left === undefined) return holdWords
  const leftMs = Date.parse(instantOf(left.time, left.place.timeZone).at)
  return holdWords.filter((word) => word.source.kind === 'rail' || saidAt(word) >= leftMs)
}

/** A hold that is only announced (`pending`) does not stop a clock. */
function holdSpans(words: readonly FactClaim[]): readonly Standstill[] {
  if (words.length === 0) return []
  // A message that repeats a word moves `standsAt`; the hold began when the word first came.
  const heard = words.map((word) => ({ ...word, standsAt: earlierOf(word.standsAt, word.recordedAt) }))
  const ends = heard.flatMap(({ retiredAt }) => (retiredAt === null ? [] : [Date.parse(retiredAt)]))
  const moments = [...new Set([...heard.map(saidAt), ...ends])].toSorted((a, b) => a - b)
  const open = new Map<string, Omit<Standstill, 'toMs'>>()
  const spans: Standstill[] = []
  for (const atMs of moments) {
    const known = heard.filter(
      (word) => saidAt(word) <= atMs && (word.retiredAt === null || Date.parse(word.retiredAt) > atMs),
    )
    const inForce = new Map(
      settleHolds(known).decided.flatMap(({ name, claim, shown }) => {
        const hold = shown.find(({ status }) => status === 'hold')
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

function unavailableSpans({ container }: ChargedBox, terms: TermsContent): readonly Standstill[] {
  const words = availabilityAt(container, terms)
  return words.flatMap((word, index): readonly Standstill[] => {
    if (word.name !== 'not_available') return []
    const next = words.slice(index + 1).find(({ name }) => name === 'available')
    const msOf = ({ time, place }: typeof word) => Date.parse(instantOf(time, place.timeZone).at)
    const toMs = next === undefined ? null : msOf(next)
    return [{ of: { kind: 'not_available' }, fromMs: msOf(word), toMs, claimId: word.claimId }]
  })
}

/** The standstill that takes this day out; null when the clock runs. `fromMs` to `toMs` is the day at the place. */
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
