/** Why a value is shown: the claim that won, the rule in words, and the claims that lost, each with why. */

import { explainFactChoice, findBelievedFact } from '../journey/facts.ts'
import type { Journey } from '../journey/journey.ts'
import type { Slot } from '../journey/slots.ts'
import { explainStatementChoice } from '../journey/slots.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { ResolvedList } from '../shipment/holds-and-fees.ts'
import type { Claim, FactName, FactValues } from '../statements/observation.ts'
import type { Statement } from '../statements/statement.ts'
import { eventTrust, factTrust, isBelievableFact } from '../statements/trust.ts'

export interface Verdict {
  /** Null when no source stated it: then the rule explains where the value comes from, or why there is no value. */
  readonly winner: Claim | null
  /** A sentence. */
  readonly rule: string
  readonly losers: readonly Loser[]
  /** For a value that is a list, where each name is decided by itself: the claim that decides each name. */
  readonly each?: readonly { readonly name: string; readonly winner: Claim }[]
}

export interface Loser {
  readonly claim: Claim
  /** The end of a sentence: why this claim is not the believed one. */
  readonly why: string
}

export function createVerdictWithoutWinner(rule: string): Verdict {
  return { winner: null, rule, losers: [] }
}

/** `isAcceptable`: a further condition of the projection on the fact; `unacceptable` is the text that explains it. */
export function factVerdict<Name extends FactName>(
  name: Name,
  all: readonly FactClaim[],
  options: {
    readonly facts?: readonly FactClaim[]
    readonly isAcceptable?: (value: FactValues[Name], claim: FactClaim) => boolean
    readonly unacceptable?: string
  } = {},
): Verdict {
  const { facts = all, isAcceptable = () => true, unacceptable = 'it is not about this container' } = options
  const believed = findBelievedFact(name, facts, isAcceptable)
  const others = all.filter((claim) => claim.observation.fact === name && claim !== believed?.claim)
  const losers = others.map((claim) => {
    if (!isBelievableFact(claim)) return { claim, why: explainUnbelievedSource(claim) }
    if (!facts.includes(claim)) return { claim, why: placeLeftReason }
    // The name determines the type of the value (FactOf).
    if (!isAcceptable(claim.observation.value as FactValues[Name], claim)) return { claim, why: unacceptable }
    return { claim, why: believed === null ? 'it is not believed' : explainFactChoice(believed.claim, claim) }
  })
  if (believed === null) return { ...createVerdictWithoutWinner('No source has said so.'), losers }
  return { winner: believed.claim, rule: factRule(name, believed.claim, losers.length), losers }
}

function factRule(name: FactName, { source }: FactClaim, others: number): string {
  if (name === 'delivered' || name === 'picked_up')
    return `Only the customer says when a container was ${name.replace('_', ' ')}. The last statement counts.`
  if (others === 0) return `Only one source has said so: the ${sourceLabels[source.kind]}.`
  return `Sources are believed in this order: ${describeRanking(factTrust[name])}. Within one kind of source, a statement about the container itself counts first, then the later statement.`
}

/**
 * The verdict on holds or fees. `all`: the statements about them wherever the container was; `names`: the facts that
 * contain them.
 */
export function holdsOrFeesVerdict(
  { decided, latest }: ResolvedList<unknown>,
  names: readonly FactName[],
  { all, facts }: { readonly all: readonly FactClaim[]; readonly facts: readonly FactClaim[] },
): Verdict {
  const winners = new Set([latest, ...decided.map(({ claim }) => claim)])
  const others = all.filter((claim) => names.includes(claim.observation.fact) && !winners.has(claim))
  const losers = others.map((claim) => {
    if (!isBelievableFact(claim)) return { claim, why: explainUnbelievedSource(claim) }
    if (!facts.includes(claim)) return { claim, why: placeLeftReason }
    return { claim, why: 'another statement about it comes from a source with a higher rank, or is later' }
  })
  if (latest === null) return { ...createVerdictWithoutWinner('No source has said so.'), losers }
  const each = decided.map(({ name, claim }) => ({ name, winner: claim }))
  return { winner: latest, rule: resolutionRule, losers, ...(each.length > 0 && { each }) }
}

const resolutionRule =
  'For each name the latest statement of the source with the highest rank counts. A full list removes the names that it does not contain. A hold or fee that another source sets after the removal counts.'
const placeLeftReason = 'it was stated for a place that the container has left'

function explainUnbelievedSource({ source }: FactClaim): string {
  return `a source of this kind is not believed for this: ${sourceLabels[source.kind]}`
}

/**
 * The verdict on a statement that is believed. When it is in no slot of the journey, no other statement competes with
 * it.
 */
export function statementVerdict(journey: Journey, statement: Statement | null, none: string): Verdict {
  if (statement === null) return createVerdictWithoutWinner(none)
  const slot = findSlotOf(journey, statement)
  const others = slot === null ? [] : statementsOf(slot).filter((other) => other !== statement)
  const losers = others.map((other) => ({
    claim: other.claim,
    why: explainStatementChoice(statement, other),
  }))
  return { winner: statement.claim, rule: statementRule(statement, others.length), losers }
}

function statementRule(statement: Statement, others: number): string {
  const kind = statement.isActual ? 'It has happened' : 'It is expected'
  if (others === 0) return `${kind}, and only one source has said so: the ${sourceLabels[statement.claim.source.kind]}.`
  const before = statement.isActual ? '' : 'An estimate counts before a plan. '
  return `${kind}. ${before}Sources are believed in this order: ${describeRanking(eventTrust(statement))}. Within one kind of source, the later statement counts.`
}

function findSlotOf(journey: Journey, statement: Statement): Slot | null {
  for (const call of journey.calls) {
    const slot = call.slots.find(({ actual, estimate }) => actual === statement || estimate === statement)
    if (slot !== undefined) return slot
  }
  return null
}

function statementsOf(slot: Slot): readonly Statement[] {
  return [slot.actual, slot.estimate, ...slot.losers].filter((statement) => statement !== null)
}

/** The believed statement of this claim, in whichever slot of the journey it is. */
export function findBelievedStatement(journey: Journey, claimId: string): Statement | null {
  for (const { slots } of journey.calls) {
    for (const { actual, estimate } of slots) {
      if (actual?.claim.id === claimId) return actual
      if (estimate?.claim.id === claimId) return estimate
    }
  }
  return null
}

const sourceLabels = {
  shipping_line: 'shipping line',
  terminal: 'terminal',
  rail: 'railway',
  ais: "ship's radio (AIS)",
  user: 'customer',
  document: 'document',
} as const

function describeRanking(ranking: readonly (keyof typeof sourceLabels)[]): string {
  return ranking.map((kind) => sourceLabels[kind]).join(', then ')
}
