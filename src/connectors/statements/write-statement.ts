/**
 * Writes an observation as a statement, for data that come in another form of ours. `statement.ts` reads back what is
 * written here.
 */

import type {
  EventObservation,
  FactObservation,
  Observation,
  ObservedPlace,
} from '../../domain/statements/observation.ts'
import type { JsonObject } from '../../domain/values/json-value.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { unreachable } from '../../domain/values/unreachable.ts'
import type { Numbers } from './statement.ts'

export interface StatementContext {
  /** The numbers under which the observation is stated; the container is in the observation itself. */
  readonly numbers: Pick<Numbers, 'bill' | 'booking'>
  /** For people. */
  readonly note: string
}

/** The key is not written: it is computed from the content, as for every statement without an id. */
export function writeStatement(observation: Observation, { numbers, note }: StatementContext): JsonObject {
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

function writeFact(observation: FactObservation): JsonObject {
  return { says: observation.fact, value: writeValue(observation) }
}

function writeValue(observation: FactObservation): unknown {
  const { value } = observation
  if (observation.fact === 'fee') return writeAmount(observation.value)
  if (observation.fact === 'fees') return observation.value.map(writeAmount)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  if ('kind' in value) return writeTime(value)
  return 'unlocode' in value ? writePlace(value) : value
}

function writeAmount<Amount extends { readonly currencyCode: string | null }>({
  currencyCode: currency,
  ...otherFields
}: Amount): JsonObject {
  return { ...otherFields, currency }
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
  const writtenPlace = withoutNulls({
    unlocode,
    facility_code: facilityCode,
    facility_type: facilityType,
    name,
  })
  return Object.keys(writtenPlace).length === 0 ? null : writtenPlace
}

function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
