/** Synthetic samples: the observations of a journey in Landfall's own statement format (docs/sending.md). */

import { writeTime } from '../../sandbox/edi/said.ts'
import { parseJourneyLine } from '../../src/domain/notation/notation.ts'
import { factTable } from '../../src/domain/statements/facts.ts'
import { naturalKeyOf } from '../../src/domain/statements/natural-key.ts'
import type {
  FactObservation,
  FeeStatement,
  Observation,
  ObservedPlace,
} from '../../src/domain/statements/observation.ts'
import type { EventTime } from '../../src/domain/values/time.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'

export interface SampleNumbers {
  readonly bill: string | null
  readonly booking: string | null
}
type Json = Readonly<Record<string, unknown>>

/**
 * Reads the observations of a journey from the notation (docs/notation.md), line by line. Throws at a line that is not
 * valid.
 */
export function readJourney(text: string): readonly Observation[] {
  const timeZoneOf = (unlocode: string) => findPlaceByCode(unlocode)?.timeZone ?? null
  return text.split('\n').flatMap((line, index) => {
    const read = parseJourneyLine(line, { timeZoneOf })
    if (read.kind === 'error') throw new Error(`line ${index + 1}, column ${read.column}: ${read.problem}`)
    return read.kind === 'said' ? [read.observation] : []
  })
}

/** One statement per line of text, each marked as synthetic. */
export function writeStatements(observations: readonly Observation[], numbers: SampleNumbers): string {
  return observations.map((each) => `${JSON.stringify(writeStatement(each, numbers))}\n`).join('')
}

/** A natural key is not written: the reader makes it again. */
function writeStatement(observation: Observation, { bill, booking }: SampleNumbers): Json {
  const { key, equipment, statedAt, isRetracted } = observation
  return without({
    note: 'synthetic',
    ...(key !== naturalKeyOf(observation) && { id: key }),
    written_at: statedAt,
    container: equipment,
    bill,
    booking,
    ...(isRetracted && { retracted: true }),
    ...(observation.kind === 'fact' ? writeFact(observation) : writeEvent(observation)),
  })
}

function writeEvent(event: Extract<Observation, { kind: 'event' }>): Json {
  return {
    says: event.code ?? 'other',
    classifier: event.classifier,
    load: event.load,
    mode: event.mode,
    at: writeTime(event.time),
    place: writePlace(event.place),
    vessel: event.vessel === null ? null : without({ imo: event.vessel.imo, name: event.vessel.name }),
    voyage: event.voyage,
    call: event.callId,
    call_sequence: event.callSequence,
    words: event.original,
  }
}

/** Members that are null are left out, except the null value of `delivered`, which withdraws it. */
function writeFact(observation: FactObservation): Json {
  const { fact, value } = observation
  if (value === null) return { says: fact, value: nothing }
  switch (factTable[fact].value) {
    case 'place':
      return { says: fact, value: writePlace(value as ObservedPlace) ?? {} }
    case 'time':
    case 'timeOrNull':
      return { says: fact, value: writeTime(value as EventTime) }
    case 'fee':
      return { says: fact, value: writeFee(value as FeeStatement) }
    case 'fees':
      return {
        says: fact,
        value: (value as readonly FeeStatement[]).map(({ type, amount, currencyCode }) => ({
          type,
          amount,
          currency: currencyCode,
        })),
      }
    default:
      return { says: fact, value }
  }
}

const nothing = Symbol('null is said')

function writeFee({ type, status, amount, currencyCode, description }: FeeStatement): Json {
  return { type, status, amount, currency: currencyCode, description }
}

/** Null when nothing is known about the place. */
function writePlace(place: ObservedPlace): Json | null {
  const { unlocode, facilityCode, facilityType, name } = place
  const said = without({ unlocode, facility_code: facilityCode, facility_type: facilityType, name })
  return Object.keys(said).length === 0 ? null : said
}

function without(members: Json): Json {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value === nothing ? null : value]],
    ),
  )
}
