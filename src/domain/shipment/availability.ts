/**
 * Whether a container may be picked up, and the history of that. Availability comes and goes. So a published milestone
 * stays, and a contrary statement is a new milestone, not a correction.
 */

import { findBelievedFact } from '../journey/facts.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { JourneyStep } from '../milestones/milestones.ts'
import type { ObservedPlace, Source } from '../statements/observation.ts'
import { statedAtMsOf } from '../statements/statement.ts'
import { factTrust, rankIn } from '../statements/trust.ts'
import type { Milestone } from '../view/projection.ts'

interface AvailabilityInput {
  /** Facts about the place where the container waits now. */
  readonly facts: readonly FactClaim[]
  readonly steps: readonly JourneyStep[]
  readonly before: readonly Milestone[]
  /**
   * The place that a statement of the source is about: the visit where the container is, or will be, picked up, or the
   * port where it waits to go on.
   */
  readonly spotOf: (source: Source) => { readonly callKey: string; readonly place: ObservedPlace }
  /**
   * The container has left the port for the place where it is picked up. A milestone that was published at the port
   * stays.
   */
  readonly isOnward: boolean
  readonly isWaiting: boolean
  /**
   * When the container was picked up, ms. Later statements do not count: they only mean that the container has gone.
   */
  readonly fullOutAt: number | null
}

export interface Availability {
  /** Null until a source has stated anything about it. */
  readonly available: boolean | null
  readonly milestones: readonly Milestone[]
}

export function readAvailability(input: AvailabilityInput): Availability {
  const history = input.before.filter(isAvailabilityMilestone)
  const current = currentAvailability(input)
  if (current === null) {
    if (input.isOnward) return { available: null, milestones: history }
    if (input.fullOutAt === null) return { available: null, milestones: [] }
    return { available: lastAvailability(history), milestones: history }
  }
  const isReportable = input.isWaiting || current.name === 'available'
  const milestones = isReportable ? extendHistory(history, current) : history
  return { available: current.name === 'available', milestones }
}

function isAvailabilityMilestone(milestone: Milestone): boolean {
  return milestone.name === 'available' || milestone.name === 'not_available'
}

function lastAvailability(history: readonly Milestone[]): boolean | null {
  const last = history.at(-1)
  return last === undefined ? null : last.name === 'available'
}

/**
 * An AVPU event and an `available` fact state the same. The more believed source counts, then first hand, then the
 * later statement.
 */
function currentAvailability(input: AvailabilityInput): Milestone | null {
  const { fullOutAt } = input
  const fact = findBelievedFact(
    'available',
    input.facts,
    (_, claim) => fullOutAt === null || statedAtMsOf(claim) < fullOutAt,
  )
  const event = input.steps.findLast(({ step }) => step === 'available')?.happening ?? null
  if (event !== null && (fact === null || isEventBelieved(event, fact.claim))) {
    const { claim, event: observed } = event.statement
    return toMilestone(input, { name: 'available', time: observed.time, place: observed.place }, claim)
  }
  if (fact === null) return null
  const at = fact.claim.observation.statedAt ?? fact.claim.standsAt
  const name = fact.value ? 'available' : 'not_available'
  const { place } = input.spotOf(fact.claim.source)
  return toMilestone(input, { name, time: { kind: 'instant', at }, place }, fact.claim)
}

function isEventBelieved({ statement }: JourneyStep['happening'], fact: FactClaim): boolean {
  const ranking = factTrust.available
  const byTrust = rankIn(ranking, statement.claim.source.kind) - rankIn(ranking, fact.source.kind)
  if (byTrust !== 0 || statement.claim.hand !== fact.hand)
    return byTrust < 0 || (byTrust === 0 && statement.claim.hand === 'first')
  return statement.from >= statedAtMsOf(fact)
}

function toMilestone(
  input: AvailabilityInput,
  fields: Pick<Milestone, 'name' | 'time' | 'place'>,
  claim: Pick<FactClaim, 'id' | 'source'>,
): Milestone {
  return {
    kind: 'actual',
    ...fields,
    callKey: input.spotOf(claim.source).callKey,
    vessel: null,
    voyage: null,
    source: claim.source.kind,
    claimId: claim.id,
  }
}

/**
 * The same statement again at the same visit is no news. The contrary statement is added to the history. A statement
 * whose place became known later, or is now known better, is still one statement: it is corrected, not published again.
 */
function extendHistory(earlier: readonly Milestone[], current: Milestone): readonly Milestone[] {
  const { callKey } = current
  const isSame = (was: Milestone): boolean => was.claimId === current.claimId && was.name === current.name
  const before = earlier.slice(0, earlier.findLastIndex((was) => !isSame(was)) + 1)
  const here = earlier.slice(before.length).find((was) => visitOf(was) === callKey)
  const history = here === undefined ? before : [...before, here]
  const last = history.at(-1)
  const isSameVisit = last !== undefined && visitOf(last) === callKey
  if (isSameVisit && last.name === current.name) return history
  const times = history.filter((was) => was.name === current.name && visitOf(was) === callKey).length
  return [...history, times === 0 ? current : { ...current, callKey: `${callKey}/${times + 1}` }]
}

function visitOf(milestone: Milestone): string {
  return milestone.callKey.split('/')[0] ?? milestone.callKey
}
