/**
 * What every version of the standard states of a move: its code, its time with a zone, its place, and its transport
 * call.
 */

import { findStandardMove, type StandardMove } from '../../domain/milestones/standard-move.ts'
import type { EventClassifier, FacilityType, TransportMode } from '../../domain/values/codes.ts'
import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { writeWithOffset } from '../../domain/values/time-zone.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import type { Move } from './moves-sql.ts'

export interface MoveStatement {
  readonly move: StandardMove
  readonly classifier: EventClassifier
  /** ISO 8601 with an offset. Null when only the day is known, or a wall clock of an unknown zone. */
  readonly at: string | null
  /** Null where no source stated the means of transport. */
  readonly mode: TransportMode | null
  /** The same for all events of one visit by one ship or train. Null without a mode. */
  readonly callId: string | null
}

/**
 * Null when no standard has a code for it: a call requires its means of transport. A container's arrival inland is
 * reported once, as the arrival of its train or barge.
 */
export function toMoveStatement(recordedMove: Move): MoveStatement | null {
  const { milestone } = recordedMove
  const move = findStandardMove(milestone.name)
  if (move === null) return null
  const mode = move.mode ?? (move.type === 'TRANSPORT' ? recordedMove.mode : null)
  if (move.type === 'TRANSPORT' && mode === null) return null
  if (isDuplicateArrival(recordedMove, mode)) return null
  const isActual = milestone.kind === 'actual'
  return {
    move,
    classifier: isActual ? 'ACT' : recordedMove.classifier === 'PLN' ? 'PLN' : 'EST',
    at: writeMoment(milestone.time, milestone.place.timeZone),
    mode,
    callId: mode === null ? null : callIdOf(recordedMove, mode),
  }
}

function isDuplicateArrival({ milestone: { name, kind } }: Move, mode: TransportMode | null): boolean {
  return name === 'arrived_at_inland_destination' && kind === 'actual' && mode !== 'TRUCK' && mode !== 'VESSEL'
}

/** Null for a day, and for a wall clock of an unknown zone. */
function writeMoment(time: EventTime, timeZone: string | null): string | null {
  if (time.kind === 'day') return null
  const { at, zoneUsed } = instantOf(time, timeZone)
  return time.kind === 'local' && zoneUsed !== timeZone ? null : writeWithOffset(at, timeZone)
}

/** At most 100 characters, as the standard wants it. */
function callIdOf({ shipmentId, milestone }: Move, mode: TransportMode): string {
  return [shipmentId, milestone.callKey, mode, milestone.vessel?.imo ?? '-'].join(':').slice(0, 100)
}

/** The parts of an id that `toMoveStatement` has given; null for any other text. */
export function readCallId(text: string): {
  readonly shipmentId: string
  readonly callKey: string
  readonly mode: string
  readonly vesselImo: string | null
} | null {
  const parts = /^([0-9a-f-]{36}):([^:]{1,40}):([A-Z]{4,6}):(-|\d{7})$/.exec(text)
  if (parts === null) return null
  const [, shipmentId = '', callKey = '', mode = '', imo = ''] = parts
  return { shipmentId, callKey, mode, vesselImo: imo === '-' ? null : imo }
}

/** The code under which we know the place: some places have several. Null stays null. */
export function toKnownUnlocode(unlocode: string | null): string | null {
  return unlocode === null ? null : (findPlaceByCode(unlocode)?.unlocode ?? unlocode.toUpperCase())
}

export interface StandardPlace {
  readonly unlocode: string | null
  readonly name: string | null
  readonly facilityCode: string | null
  /** Whose code it is; null exactly without a code. */
  readonly provider: 'SMDG' | 'BIC' | null
  readonly facilityType: FacilityType | null
  readonly facilityName: string | null
}

/** Only codes of the two lists that the standard names. */
export function writePlace({ milestone: { place } }: Move): StandardPlace {
  const terminal = place.terminalId === null ? null : findTerminalById(place.terminalId)
  const code = terminal?.smdgCode ?? terminal?.bicFacilityCode ?? null
  return {
    unlocode: place.unlocode,
    name: place.name,
    facilityCode: code,
    provider: code === null ? null : terminal?.smdgCode ? 'SMDG' : 'BIC',
    facilityType: place.facilityType,
    facilityName: terminal?.name ?? null,
  }
}

/** On which voyage the ship comes, or with which it goes. The standard has one field for each. */
export function voyageField({ code }: StandardMove): 'importVoyageNumber' | 'exportVoyageNumber' {
  return code === 'ARRI' || code === 'DISC' ? 'importVoyageNumber' : 'exportVoyageNumber'
}
