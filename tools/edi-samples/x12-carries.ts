/**
 * Which observations of a journey X12 can carry, and in which form they must be read back. A test compares this with
 * what the writer and the reader really do.
 */

import type { X12Journey } from '../../sandbox/edi/x12-journey.ts'
import { statusOfEvent, statusOfHold } from '../../sandbox/edi/x12-words.ts'
import type {
  EventObservation,
  FactObservation,
  Observation,
  ObservedPlace,
} from '../../src/domain/statements/observation.ts'
import { nowhere } from '../../src/domain/statements/observation.ts'
import type { EventTime } from '../../src/domain/values/time.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'

/** Only the observations that X12 can carry, without the members that X12 has no element for. */
export function carriedByX12(journey: X12Journey<Observation>): X12Journey<Observation> {
  return { ...journey, said: journey.said.flatMap((each) => carried(each, journey)) }
}

function carried(said: Observation, { words, box }: X12Journey): readonly Observation[] {
  const plain = { ...said, statedAt: null, equipment: box }
  if (said.isRetracted || !isWritable(said)) return []
  return plain.kind === 'event' ? carriedEvent(plain, words) : carriedFact(plain, words)
}

/** X12 cannot write its own separators inside a value. */
function isWritable(said: Observation): boolean {
  const texts: unknown[] =
    said.kind === 'event'
      ? [said.place.name, said.vessel?.name, said.voyage]
      : typeof said.value === 'object' && said.value !== null && 'name' in said.value
        ? [said.value.name]
        : [said.value]
  return texts.every(
    (text) => typeof text !== 'string' || (/^[^*~>\p{Cc}]{1,300}$/u.test(text) && text.trim() === text),
  )
}

function carriedEvent(event: EventObservation, words: X12Journey['words']): readonly EventObservation[] {
  const place = carriedPlace(event.place)
  const original = statusOfEvent(event, words)
  if (place === null || original === null) return []
  const isMovement = event.code === 'ARRI' || event.code === 'DEPA'
  const isGate = event.code === 'GTIN' || event.code === 'GTOT' || event.code === 'AVPU'
  const isByShip = event.mode === 'VESSEL' || event.mode === 'BARGE'
  const isTold = isByShip && event.classifier === 'ACT' && words !== 'rail'
  return [
    {
      ...event,
      load: isMovement ? null : event.load,
      mode: isGate ? null : event.mode,
      time: carriedTime(event),
      place,
      vessel: isTold ? event.vessel : null,
      voyage: isTold ? event.voyage : null,
      callId: null,
      callSequence: null,
      original,
    },
  ]
}

/** A place in X12 has a code and a name. Its time zone follows from the code. */
function carriedPlace({ unlocode, name }: ObservedPlace): ObservedPlace | null {
  const place = unlocode === null ? null : findPlaceByCode(unlocode)
  if (place === null) return null
  return { ...nowhere, unlocode: place.unlocode, name: name ?? place.name, timeZone: place.timeZone }
}

/** An estimate for midnight is read as one for the day. */
function carriedTime({ classifier, time }: EventObservation): EventTime {
  const written = toTheSecond(time)
  const text = written.kind === 'instant' ? written.at : written.kind === 'local' ? written.local : written.on
  return classifier === 'EST' && /T00:00:00/.test(text) ? { kind: 'day', on: text.slice(0, 10) } : written
}

function toTheSecond(time: EventTime): EventTime {
  return time.kind === 'instant' ? { kind: 'instant', at: `${time.at.slice(0, 19)}.000Z` } : time
}

const inAllWords: ReadonlySet<string> = new Set(['size_type', 'seal_number'])
const ofWords: Readonly<Record<X12Journey['words'], ReadonlySet<string>>> = {
  line: new Set(['pickup_lfd_line', 'pickup_appointment', 'yard_location']),
  terminal: new Set(['pickup_lfd_terminal', 'pickup_appointment', 'yard_location', 'pickup_number', 'fee']),
  rail: new Set(['pickup_lfd_rail', 'chassis_number', 'weight_kg']),
}

function carriedFact(fact: FactObservation, words: X12Journey['words']): readonly FactObservation[] {
  switch (fact.fact) {
    case 'port_of_loading':
    case 'port_of_discharge':
    case 'place_of_delivery': {
      const value = words === 'rail' ? null : carriedPlace(fact.value)
      return value === null ? [] : [{ ...fact, value }]
    }
    case 'hold':
      return statusOfHold(fact.value, words) === null ? [] : [fact]
    case 'available':
      return words === 'terminal' && !fact.value ? [fact] : []
    case 'size_type':
      return /^[0-9A-Z]{4}$/.test(fact.value) ? [fact] : []
    case 'chassis_number':
      return words === 'rail' && /^[A-Z]{3}Z\d{1,10}$/.test(fact.value) ? [fact] : []
    case 'pickup_appointment':
      return words === 'rail' ? [] : [{ ...fact, value: toTheSecond(fact.value) }]
    case 'pickup_lfd_line':
    case 'pickup_lfd_terminal':
    case 'pickup_lfd_rail':
      return ofWords[words].has(fact.fact) && fact.value.kind === 'day' ? [fact] : []
    case 'fee': {
      const { currencyCode, status, amount, type, description } = fact.value
      const isSaid = currencyCode === null && amount !== null && (status === 'due') === amount > 0
      const isExam = type === 'exam' && description === 'exam fee'
      return words === 'terminal' && isSaid && isExam ? [fact] : []
    }
    default:
      return inAllWords.has(fact.fact) || ofWords[words].has(fact.fact) ? [fact] : []
  }
}
