/** Observations as a sender can state them: complete places, numbers and texts, and plausible times. */

import fc from 'fast-check'
import { type FactValueKind, factNames, factTable } from '../../src/domain/statements/facts.ts'
import { naturalKeyOf } from '../../src/domain/statements/natural-key.ts'
import {
  type EventObservation,
  type FactName,
  type FactObservation,
  type FactValueTypes,
  type Fee,
  feeTypes,
  type HoldStatement,
  holdNames,
  nowhere,
  type Observation,
  type ObservedPlace,
} from '../../src/domain/statements/observation.ts'
import {
  emptyIndicators,
  equipmentEventCodes,
  eventClassifiers,
  facilityTypes,
  transportEventCodes,
  transportModes,
} from '../../src/domain/values/codes.ts'
import type { EventTime } from '../../src/domain/values/time.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'

export const boxes = ['APZU4812090', 'LDFU1000018', 'TCNU1234565'] as const

/** All with the same members and the ordinary prototype. */
export function plain<Shape extends object>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }) {
  return fc.record(shape, { noNullPrototype: true }) as fc.Arbitrary<Shape>
}

export const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
export const words = fc.constantFrom('Berth 4', 'Yard 7', 'X|Y', 'Århus, 寧波', '"quoted" \\ it', 'S1', '012E')

const instants = fc
  .date({ min: new Date('2010-01-01'), max: new Date('2026-02-28'), noInvalidDate: true })
  .map((date) => date.toISOString())

export const times: fc.Arbitrary<EventTime> = fc.oneof(
  instants.map((at): EventTime => ({ kind: 'instant', at })),
  instants.map((at): EventTime => ({ kind: 'local', local: at.slice(0, 19) })),
  instants.map((at): EventTime => ({ kind: 'day', on: at.slice(0, 10) })),
)
export const days: fc.Arbitrary<EventTime> = instants.map((at) => ({ kind: 'day', on: at.slice(0, 10) }))

/** A place that we know, under its own code. */
export const knownPlaces: fc.Arbitrary<ObservedPlace> = fc
  .tuple(fc.constantFrom('USLAX', 'CNNGB', 'NLRTM', 'DEHAM', 'SGSIN', 'USCHI'), orNull(words))
  .map(([unlocode, name]) => {
    const timeZone = findPlaceByCode(unlocode)?.timeZone ?? null
    return { ...nowhere, unlocode, timeZone, name }
  })

export const places: fc.Arbitrary<ObservedPlace> = fc.oneof(
  fc
    .tuple(knownPlaces, orNull(words), orNull(fc.constantFrom(...facilityTypes)))
    .map(([place, facilityCode, facilityType]) => ({ ...place, facilityCode, facilityType })),
  words.map((name) => ({ ...nowhere, name })),
  fc.constant(nowhere),
)

/** Under a key of the sender's, or under its natural one. */
function keyed<Said extends Observation>(said: fc.Arbitrary<Omit<Said, 'key'>>): fc.Arbitrary<Said> {
  const ids = orNull(fc.integer({ min: 1, max: 9_999 }).map((number) => `k-${number}`))
  return fc.tuple(said, ids).map(([each, id]) => {
    const unkeyed = each as unknown as Said
    return { ...unkeyed, key: id ?? naturalKeyOf(unkeyed) }
  })
}

const stated = {
  equipment: orNull(fc.constantFrom(...boxes)),
  statedAt: orNull(instants),
  isRetracted: fc.boolean(),
}

const vessels = fc.constantFrom(
  { imo: '9321483', name: 'King of the Seas' },
  { imo: '9321483', name: null },
  { imo: null, name: 'King of the Seas' },
)

const eventShape = {
  ...stated,
  kind: fc.constant('event' as const),
  classifier: fc.constantFrom(...eventClassifiers),
  load: orNull(fc.constantFrom(...emptyIndicators)),
  mode: orNull(fc.constantFrom(...transportModes)),
  time: times,
  place: places,
  vessel: orNull(vessels),
  voyage: orNull(words),
  callId: orNull(words),
  callSequence: orNull(fc.nat({ max: 99 })),
}

export const events: fc.Arbitrary<EventObservation> = keyed<EventObservation>(
  fc.oneof(
    plain<Omit<EventObservation, 'key'>>({
      ...eventShape,
      code: fc.constantFrom(...transportEventCodes, ...equipmentEventCodes),
      original: orNull(words),
    }),
    plain<Omit<EventObservation, 'key'>>({ ...eventShape, code: fc.constant(null), original: words }),
  ),
)

const amounts = fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100)
const currencies = fc.constantFrom('USD', 'EUR')

export const holdWords: fc.Arbitrary<HoldStatement> = plain<HoldStatement>({
  name: fc.constantFrom(...holdNames),
  status: fc.constantFrom('hold' as const, 'pending' as const, 'released' as const),
  description: orNull(words),
})

export const feeWords = plain<Extract<FactObservation, { fact: 'fee' }>['value']>({
  type: fc.constantFrom(...feeTypes),
  status: fc.constantFrom('due' as const, 'settled' as const),
  amount: orNull(amounts),
  currencyCode: orNull(currencies),
  description: orNull(words),
})

const valuesOf: { readonly [Kind in FactValueKind]: fc.Arbitrary<FactValueTypes[Kind]> } = {
  text: words,
  number: fc.double({ min: 0.001, max: 40_000, noNaN: true }),
  boolean: fc.boolean(),
  time: times,
  timeOrNull: orNull(times),
  place: places.filter((place) => place !== nowhere),
  hold: holdWords,
  holds: fc.array(
    holdWords.map(({ status, ...hold }) => ({ ...hold, status: status === 'released' ? 'hold' : status }) as const),
    { maxLength: 3 },
  ),
  fee: feeWords,
  fees: fc.array(plain<Fee>({ type: fc.constantFrom(...feeTypes), amount: amounts, currencyCode: currencies }), {
    maxLength: 3,
  }),
}
const documentNumbers = fc.constantFrom('HHL71800000', 'ABC709951')

function factOf(name: FactName): fc.Arbitrary<FactObservation> {
  const isDocument = name === 'bill_of_lading_number' || name === 'booking_number'
  const value: fc.Arbitrary<unknown> = isDocument ? documentNumbers : valuesOf[factTable[name].value]
  const shape = { ...stated, kind: fc.constant('fact' as const), fact: fc.constant(name), value }
  // The table says that the value is one of this fact.
  return keyed(fc.record(shape, { noNullPrototype: true }) as unknown as fc.Arbitrary<FactObservation>)
}

export const facts: fc.Arbitrary<FactObservation> = fc.oneof(...factNames.map(factOf))
