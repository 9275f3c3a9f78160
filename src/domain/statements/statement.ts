/**
 * An event claim prepared for comparison: its time as a span of moments, its place, ship and call as keys. Values that
 * the source left out and the code implies (the mode of a LOAD) are added here, once.
 */

import { type EmptyIndicator, type EventCode, shipmentEventCodes, type TransportMode } from '../values/codes.ts'
import { instantOf } from '../values/time.ts'
import type { Claim, EventObservation, ObservedPlace, ObservedVessel } from './observation.ts'

export interface Statement {
  readonly claim: Claim
  readonly event: EventObservation
  readonly code: EventCode
  readonly load: EmptyIndicator | null
  readonly mode: TransportMode
  readonly isActual: boolean
  /**
   * Milliseconds. For an instant, both are that instant. For a day: its first moment, and the first moment after it.
   */
  readonly from: number
  readonly until: number
  /** When the source stated it, as far as is known. */
  readonly statedAtMs: number
  readonly placeKey: string
  readonly vesselKey: string | null
  /** The source's transport call, unique across sources; null when it names none. */
  readonly callRef: string | null
}

const dayMs = 86_400_000
const sequenceLast = 1_000_000

/** Null when the event has no code that moves a journey. */
export function readStatement(claim: Claim): Statement | null {
  const event = claim.observation
  if (event.kind !== 'event' || event.code === null || isAboutDocuments(event.code)) return null
  const from = Date.parse(instantOf(event.time, event.place.timeZone).at)
  if (Number.isNaN(from)) return null
  return {
    claim,
    event,
    code: event.code,
    load: effectiveLoad(event),
    mode: effectiveMode(claim, event),
    isActual: event.classifier === 'ACT',
    from,
    until: event.time.kind === 'day' ? from + dayMs : from,
    statedAtMs: statedAtMsOf(claim),
    placeKey: placeKeyOf(event.place),
    vesselKey: vesselKeyOf(event.vessel),
    callRef: event.callId === null ? null : `${claim.source.kind}:${claim.source.code}:${event.callId}`,
  }
}

export function statedAtMsOf(claim: Claim): number {
  return Date.parse(claim.observation.statedAt ?? claim.standsAt)
}

const documentCodes: ReadonlySet<EventCode> = new Set(shipmentEventCodes)

function isAboutDocuments(code: EventCode): boolean {
  return documentCodes.has(code)
}

/**
 * An arrival or departure has no load state. A loading or discharge by a line under a bill is laden unless the line
 * states empty.
 */
function effectiveLoad(event: EventObservation): EmptyIndicator | null {
  if (event.code === 'ARRI' || event.code === 'DEPA') return null
  if (event.code === 'LOAD' || event.code === 'DISC') return event.load ?? 'LADEN'
  return event.load
}

/** A gate is passed by truck, at a ramp too, unless the source states otherwise. */
function effectiveMode(claim: Claim, event: EventObservation): TransportMode {
  if (event.mode !== null) return event.mode
  if (!moves.has(event.code)) return 'TRUCK'
  return claim.source.kind === 'rail' || event.place.facilityType === 'RAMP' ? 'RAIL' : 'VESSEL'
}

const moves: ReadonlySet<EventCode | null> = new Set<EventCode>(['LOAD', 'DISC', 'ARRI', 'DEPA'])

/** The key of a statement without a place. */
export const unknownPlaceKey = '?'

/**
 * A coded place by its code; an uncoded one by its name, which never equals a coded one; `?` when there is no place.
 */
export function placeKeyOf(place: ObservedPlace): string {
  if (place.unlocode !== null) return place.unlocode
  const name = place.name === null ? '' : place.name.trim().toUpperCase().replace(/\s+/g, ' ')
  if (name !== '') return `~${name}`
  return place.facilityCode === null ? unknownPlaceKey : `~#${place.facilityCode}`
}

/** A ship is known by its IMO number, else by its name. */
export function vesselKeyOf(vessel: ObservedVessel | null): string | null {
  if (vessel === null) return null
  if (vessel.imo !== null && vessel.imo !== '') return vessel.imo
  const name =
    vessel.name === null
      ? ''
      : vessel.name
          .trim()
          .toUpperCase()
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
  return name === '' ? null : `~${name}`
}

/** Whether two descriptions may mean one ship: equal IMO numbers, else equal names, else one of the two has no name. */
export function mayBeSameVessel(a: ObservedVessel | null, b: ObservedVessel | null): boolean {
  if (a === null || b === null) return true
  if (a.imo !== null && b.imo !== null) return a.imo === b.imo
  const nameOf = (vessel: ObservedVessel) => vesselKeyOf({ imo: null, name: vessel.name })
  const [left, right] = [nameOf(a), nameOf(b)]
  return left === null || right === null || left === right
}

/** The order in which things happen at one place when their times do not decide. */
export function rankOf(statement: Pick<Statement, 'code' | 'load' | 'event'>): number {
  switch (statement.code) {
    case 'GTOT':
      return statement.load === 'EMPTY' ? 0 : 9
    case 'STUF':
      return 1
    case 'GTIN':
      return statement.load === 'EMPTY' ? 12 : 2
    case 'ARRI':
      return statement.event.place.facilityType === 'BRTH' ? 4 : 3
    case 'DISC':
      return 5
    case 'LOAD':
      return 6
    case 'DEPA':
      return 7
    case 'AVPU':
      return 8
    case 'DROP':
      return 10
    case 'STRP':
      return 11
    default:
      return 8
  }
}

/**
 * By moment, then by the source's call sequence, then by rank, then by claim, so that the order of receipt decides
 * nothing.
 */
export function compareStatements(a: Statement, b: Statement): number {
  return (
    a.from - b.from ||
    (a.event.callSequence ?? sequenceLast) - (b.event.callSequence ?? sequenceLast) ||
    rankOf(a) - rankOf(b) ||
    compareClaims(a.claim, b.claim)
  )
}

/**
 * A fixed order for two claims that differ in nothing else. It compares what identifies a claim in itself; the id comes
 * last, because it also depends on the poll target under which the claim was read.
 */
export function compareClaims(a: Claim, b: Claim): number {
  return (
    compareText(a.observation.key, b.observation.key) ||
    compareText(a.observation.equipment ?? '', b.observation.equipment ?? '') ||
    compareText(a.source.kind, b.source.kind) ||
    compareText(a.source.code, b.source.code) ||
    compareText(a.hand, b.hand) ||
    compareText(a.id, b.id)
  )
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** An event that brings a container or its vehicle to a place. */
export function isIncoming(statement: Statement): boolean {
  return statement.code === 'ARRI' || statement.code === 'DISC'
}

/** An event that carries a container or its vehicle away from a place. */
export function isOutgoing(statement: Statement): boolean {
  return statement.code === 'LOAD' || statement.code === 'DEPA'
}
