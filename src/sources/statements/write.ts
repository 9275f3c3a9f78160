/**
 * Writes an observation as a statement, for data that come in another form of ours. `statement.ts` reads back what is
 * written here.
 */

import type {
  EventObservation,
  FactObservation,
  Observation,
  ObservedPlace,
} from '../../core/statements/observation.ts'
import type { JsonObject } from '../../core/values/json-value.ts'
import type { EventTime } from '../../core/values/time.ts'
import { unreachable } from '../../core/values/unreachable.ts'
import type { Numbers } from './statement.ts'

export interface WrittenWith {
  /** The numbers under which the observation is stated; the box is in the observation itself. */
  readonly numbers: Pick<Numbers, 'bill' | 'booking'>
  /** For people. */
  readonly note: string
}

/** The key is not written: it is computed from the content, as for every statement without an id. */
export function writeStatement(observation: Observation, { numbers, note }: WrittenWith): JsonObject {
  const { equipment: container, statedAt, isRetracted } = observation
  return {
    ...withoutNulls({ container, ...numbers, written_at: statedAt, retracted: isRetracted ? true : null }),
    ...(observation.kind === 'event' ? writeEvent(observation) : writeFact(observation)),
    note,
  }
}

function writeEvent(event: EventObservation): JsonObject {
  const { code, classifier, load, mode, time, place, vessel, voyage, callId, callSequence, original } = event
  return withoutNulls({
    says: code ?? 'other',
    at: writeTime(time),
    classifier,
    load,
    mode,
    place: writePlace(place),
    vessel: vessel === null ? null : withoutNulls({ ...vessel }),
    voyage,
    call: callId,
    call_sequence: callSequence,
    words: original,
  })
}

function writeFact(said: FactObservation): JsonObject {
  return { says: said.fact, value: writeValue(said) }
}

function writeValue(said: FactObservation): unknown {
  const { value } = said
  if (said.fact === 'fee') return writeAmount(said.value)
  if (said.fact === 'fees') return said.value.map(writeAmount)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  if ('kind' in value) return writeTime(value)
  return 'unlocode' in value ? writePlace(value) : value
}

function writeAmount<Said extends { readonly currencyCode: string | null }>({
  currencyCode: currency,
  ...said
}: Said): JsonObject {
  return { ...said, currency }
}

function writeTime(time: EventTime): string {
  switch (time.kind) {
    case 'instant':
      return time.at
    case 'local':
      return time.local
    case 'day':
      return time.on
    default:
      return unreachable(time)
  }
}

/** Null for a place without any data. Terminal and zone are not written: they follow from the rest. */
function writePlace({ unlocode, facilityCode, facilityType, name }: ObservedPlace): JsonObject | null {
  const said = withoutNulls({ unlocode, facility_code: facilityCode, facility_type: facilityType, name })
  return Object.keys(said).length === 0 ? null : said
}

function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
