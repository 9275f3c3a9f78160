/**
 * The terminal at the port of discharge. Before discharge it is a prediction that swings between sibling yards, so a
 * new one is believed only after it has stayed the same for a while. Once the box is discharged, the terminal is a fact
 * at once.
 */

import { actualOf, findSlot } from '../journey/call-slots.ts'
import { believe } from '../journey/facts.ts'
import type { Call } from '../journey/journey.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { ContainerProjection } from '../shown/projection.ts'
import type { ProjectionRules } from '../shown/projection-rules.ts'
import type { ObservedPlace, SourceKind } from '../statements/observation.ts'
import { isPaper } from '../statements/trust.ts'

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

export function settlePodTerminal({ call, facts, previous, now, rules }: PodTerminalInput): PodTerminal {
  const heard = findTerminal(call, facts)
  const heldSource = previous?.saidBy.pod_terminal ?? null
  // What only a paper named is not held: it gives way at once to any source, and goes when the paper says it no more.
  const held = heldSource === 'document' ? null : (previous?.podTerminal ?? null)
  if (heard === null)
    return { podTerminal: held, pendingPodTerminal: null, source: held === null ? null : heldSource }
  const adopted = { podTerminal: heard.place, pendingPodTerminal: null, source: heard.source }
  if (held === null || heard.isKnown || isSameTerminal(held, heard.place)) return adopted
  const pending = previous?.pendingPodTerminal ?? null
  const since = pending !== null && isSameTerminal(pending.place, heard.place) ? pending.since : now
  if (Date.parse(now) - Date.parse(since) >= rules.podTerminalDwellMs) return adopted
  return { podTerminal: held, pendingPodTerminal: { place: heard.place, since }, source: heldSource }
}

interface HeardTerminal {
  readonly place: ObservedPlace
  readonly source: SourceKind
  /** The box has been discharged, so the terminal is no prediction. */
  readonly isKnown: boolean
}

/**
 * The terminal where the box was discharged. Otherwise the one where a source expects it, with the terminal's statement
 * before the line's. Otherwise the planned berth. Otherwise the one that a paper names. When the discharge has a terminal code that we do not know, a
 * terminal of that port that says that it has the box is better known.
 */
function findTerminal(call: Call | null, facts: readonly FactClaim[]): HeardTerminal | null {
  const discharged =
    call === null ? null : (actualOf(call, 'DISC LADEN VESSEL') ?? actualOf(call, 'DISC LADEN BARGE'))
  const fact = believe('pod_terminal', facts)
  if (discharged !== null && namesTerminal(discharged.event.place)) {
    const { place } = discharged.event
    const isBetterKnown =
      place.terminalId === null &&
      fact?.claim.source.kind === 'terminal' &&
      fact.value.terminalId !== null &&
      fact.value.unlocode === place.unlocode
    if (!isBetterKnown) return { place, source: discharged.claim.source.kind, isKnown: true }
  }
  const stated =
    fact === null ? null : { place: fact.value, source: fact.claim.source.kind, isKnown: discharged !== null }
  if (fact !== null && !isPaper(fact.claim)) return stated
  for (const key of ['DISC LADEN VESSEL', 'BERTH VESSEL', 'ARRI VESSEL']) {
    const slot = call === null ? null : findSlot(call, key)
    const told = slot?.actual ?? slot?.estimate ?? null
    if (told !== null && namesTerminal(told.event.place)) {
      return { place: told.event.place, source: told.claim.source.kind, isKnown: discharged !== null }
    }
  }
  return stated
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
