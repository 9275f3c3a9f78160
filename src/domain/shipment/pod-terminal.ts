/**
 * The terminal at the port of discharge. Before discharge it is a prediction that changes between neighbouring yards,
 * so a new one is believed only after it has stayed the same for a while. Once the container is discharged, the
 * terminal is a fact at once.
 */

import { actualOf, findSlot } from '../journey/call-slots.ts'
import { findBelievedFact } from '../journey/facts.ts'
import type { Call } from '../journey/journey.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { ObservedPlace, SourceKind } from '../statements/observation.ts'
import type { ContainerProjection } from '../view/projection.ts'
import type { ProjectionRules } from '../view/projection-rules.ts'

interface PodTerminalInput {
  readonly call: Call | null
  readonly facts: readonly FactClaim[]
  readonly previous: ContainerProjection | null
  readonly now: string
  readonly rules: ProjectionRules
}

export interface PodTerminal {
  readonly podTerminal: ObservedPlace | null
  readonly pendingPodTerminal: ContainerProjection['pendingPodTerminal']
  readonly source: SourceKind | null
}

export function resolvePodTerminal({ call, facts, previous, now, rules }: PodTerminalInput): PodTerminal {
  const candidate = findTerminal(call, facts)
  const held = previous?.podTerminal ?? null
  const heldSource = previous?.saidBy.pod_terminal ?? null
  if (candidate === null) return { podTerminal: held, pendingPodTerminal: null, source: heldSource }
  const adopted = { podTerminal: candidate.place, pendingPodTerminal: null, source: candidate.source }
  if (held === null || candidate.isKnown || isSameTerminal(held, candidate.place)) return adopted
  const pending = previous?.pendingPodTerminal ?? null
  const since = pending !== null && isSameTerminal(pending.place, candidate.place) ? pending.since : now
  if (Date.parse(now) - Date.parse(since) >= rules.podTerminalDwellMs) return adopted
  return { podTerminal: held, pendingPodTerminal: { place: candidate.place, since }, source: heldSource }
}

interface TerminalCandidate {
  readonly place: ObservedPlace
  readonly source: SourceKind
  /** The container has been discharged, so the terminal is no prediction. */
  readonly isKnown: boolean
}

/**
 * The terminal where the container was discharged. Otherwise the one where a source expects it, with the terminal's
 * statement before the line's. Otherwise the planned berth. When the discharge has a terminal code that we do not know,
 * a terminal of that port that states that it has the container is better known.
 */
function findTerminal(call: Call | null, facts: readonly FactClaim[]): TerminalCandidate | null {
  const discharged = call === null ? null : (actualOf(call, 'DISC LADEN VESSEL') ?? actualOf(call, 'DISC LADEN BARGE'))
  const fact = findBelievedFact('pod_terminal', facts)
  if (discharged !== null && namesTerminal(discharged.event.place)) {
    const { place } = discharged.event
    const isBetterKnown =
      place.terminalId === null &&
      fact?.claim.source.kind === 'terminal' &&
      fact.value.terminalId !== null &&
      fact.value.unlocode === place.unlocode
    if (!isBetterKnown) return { place, source: discharged.claim.source.kind, isKnown: true }
  }
  if (fact !== null) {
    return { place: fact.value, source: fact.claim.source.kind, isKnown: discharged !== null }
  }
  for (const key of ['DISC LADEN VESSEL', 'BERTH VESSEL', 'ARRI VESSEL']) {
    const slot = call === null ? null : findSlot(call, key)
    const statement = slot?.actual ?? slot?.estimate ?? null
    if (statement !== null && namesTerminal(statement.event.place)) {
      return {
        place: statement.event.place,
        source: statement.claim.source.kind,
        isKnown: discharged !== null,
      }
    }
  }
  return null
}

function namesTerminal(place: ObservedPlace): boolean {
  return place.terminalId !== null || place.facilityCode !== null
}

export function isSameTerminal(a: ObservedPlace | null, b: ObservedPlace | null): boolean {
  if (a === null || b === null) return a === b
  if (a.terminalId !== null && b.terminalId !== null) return a.terminalId === b.terminalId
  if (a.facilityCode !== null && b.facilityCode !== null) {
    return a.facilityCode === b.facilityCode && a.unlocode === b.unlocode
  }
  return a.name === b.name && a.unlocode === b.unlocode
}
