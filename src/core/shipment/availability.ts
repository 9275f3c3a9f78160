/**
 * Whether a box may be picked up, and the history of that. Availability comes and goes. So what was announced stays
 * announced, and a change of mind is a new milestone, not a correction.
 */

import { believe } from '../journey/facts.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { TakenStep } from '../milestones/milestones.ts'
import type { Milestone } from '../shown/projection.ts'
import type { ObservedPlace, Source } from '../statements/observation.ts'
import { saidAt } from '../statements/statement.ts'
import { factTrust, rankIn } from '../statements/trust.ts'

interface AvailabilityInput {
  /** Facts about the place where the box waits now. */
  readonly facts: readonly FactClaim[]
  readonly steps: readonly TakenStep[]
  readonly before: readonly Milestone[]
  /**
   * The place that a source speaks of: the visit where the box is, or will be, picked up, or the port where it waits to
   * go on.
   */
  readonly spotOf: (source: Source) => { readonly callKey: string; readonly place: ObservedPlace }
  /** The box has left the port for the place where it is picked up. What was announced at the port stays. */
  readonly isOnward: boolean
  readonly isWaiting: boolean
  /** When the box was picked up, ms. What is said later does not count: it only means that the box has gone. */
  readonly fullOutAt: number | null
}

export interface Availability {
  /** Null until a source has said anything about it. */
  readonly available: boolean | null
  readonly milestones: readonly Milestone[]
}

export function readAvailability(input: AvailabilityInput): Availability {
  const history = input.before.filter(isAvailabilityMilestone)
  const current = currentWord(input)
  if (current === null) {
    if (input.isOnward) return { available: null, milestones: history }
    if (input.fullOutAt === null) return { available: null, milestones: [] }
    return { available: lastWord(history), milestones: history }
  }
  const isTold = input.isWaiting || current.name === 'available'
  const milestones = isTold ? continued(history, current) : history
  return { available: current.name === 'available', milestones }
}

function isAvailabilityMilestone(milestone: Milestone): boolean {
  return milestone.name === 'available' || milestone.name === 'not_available'
}

function lastWord(history: readonly Milestone[]): boolean | null {
  const last = history.at(-1)
  return last === undefined ? null : last.name === 'available'
}

/**
 * An AVPU event and an `available` fact say the same. The more believed source counts, then first hand, then the later
 * statement.
 */
function currentWord(input: AvailabilityInput): Milestone | null {
  const { fullOutAt } = input
  const fact = believe(
    'available',
    input.facts,
    (_, claim) => fullOutAt === null || saidAt(claim) < fullOutAt,
  )
  const event = input.steps.findLast(({ step }) => step === 'available')?.happening ?? null
  if (event !== null && (fact === null || isEventBelieved(event, fact.claim))) {
    const { claim, event: said } = event.told
    return word(input, { name: 'available', time: said.time, place: said.place }, claim)
  }
  if (fact === null) return null
  const at = fact.claim.observation.statedAt ?? fact.claim.standsAt
  const name = fact.value ? 'available' : 'not_available'
  const { place } = input.spotOf(fact.claim.source)
  return word(input, { name, time: { kind: 'instant', at }, place }, fact.claim)
}

function isEventBelieved({ told }: TakenStep['happening'], fact: FactClaim): boolean {
  const ranking = factTrust.available
  const byTrust = rankIn(ranking, told.claim.source.kind) - rankIn(ranking, fact.source.kind)
  if (byTrust !== 0 || told.claim.hand !== fact.hand)
    return byTrust < 0 || (byTrust === 0 && told.claim.hand === 'first')
  return told.from >= saidAt(fact)
}

function word(
  input: AvailabilityInput,
  said: Pick<Milestone, 'name' | 'time' | 'place'>,
  claim: Pick<FactClaim, 'id' | 'source'>,
): Milestone {
  return {
    kind: 'actual',
    ...said,
    callKey: input.spotOf(claim.source).callKey,
    vessel: null,
    voyage: null,
    source: claim.source.kind,
    claimId: claim.id,
  }
}

/**
 * The same statement again at the same visit is no news. The contrary statement is added to the history. A statement
 * whose place became known later, or is now known better, was still said once: it is corrected, not told again.
 */
function continued(told: readonly Milestone[], current: Milestone): readonly Milestone[] {
  const { callKey } = current
  const isSame = (was: Milestone): boolean => was.claimId === current.claimId && was.name === current.name
  const before = told.slice(0, told.findLastIndex((was) => !isSame(was)) + 1)
  const here = told.slice(before.length).find((was) => visitOf(was) === callKey)
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
