/** Observations and claims of every shape, for laws that must hold for all of them. */

import fc from 'fast-check'
import { type FactValueKind, factNames, factTable } from '../../../src/domain/statements/facts.ts'
import {
  type Claim,
  type EventObservation,
  type FactName,
  type FactObservation,
  type FactValueTypes,
  type FeeStatement,
  feeTypes,
  type HoldStatement,
  holdNames,
  type Observation,
  type ObservedPlace,
  type Source,
  sourceKinds,
} from '../../../src/domain/statements/observation.ts'
import {
  emptyIndicators,
  eventClassifiers,
  eventCodes,
  facilityTypes,
  transportModes,
} from '../../../src/domain/values/codes.ts'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import type { EventTime } from '../../../src/domain/values/time.ts'

/** Texts that sources really send, and texts that they should never send. */
const anyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '',
    '-',
    '#',
    '"',
    '\\',
    'a b',
    'name="x"',
    '[x]',
    'retracted',
    'SMDG:HITHK',
    'Århus, 寧波',
    '\n\u2028',
  ),
)
/** Records with the ordinary prototype, as readers make them. */
function plain<Shape extends object>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }): fc.Arbitrary<Shape> {
  return fc.record(shape, { noNullPrototype: true }) as fc.Arbitrary<Shape>
}

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })

export const instants: fc.Arbitrary<string> = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString())

export const eventTimes: fc.Arbitrary<EventTime> = fc.oneof(
  instants.map((at): EventTime => ({ kind: 'instant', at })),
  instants.map((at): EventTime => ({ kind: 'instant', at: `${at.slice(0, 17)}00.000Z` })),
  instants.map((at): EventTime => ({ kind: 'local', local: at.slice(0, 19) })),
  instants.map((at): EventTime => ({ kind: 'local', local: `${at.slice(0, 17)}00` })),
  instants.map((at): EventTime => ({ kind: 'day', on: at.slice(0, 10) })),
)

const containerNumbers = fc
  .stringMatching(/^[A-Z]{3}[UJZ][0-9]{6}$/)
  .map((text) => `${text}${containerCheckDigit(text)}`)

export const places: fc.Arbitrary<ObservedPlace> = plain({
  unlocode: orNull(
    fc.oneof(fc.constantFrom('CNNGB', 'USLAX', 'NLRTM'), fc.stringMatching(/^[A-Z]{2}[A-Z2-9]{3}$/), anyText),
  ),
  terminalId: orNull(fc.oneof(fc.uuid(), anyText)),
  facilityCode: orNull(anyText),
  facilityType: orNull(fc.constantFrom(...facilityTypes)),
  name: orNull(anyText),
  timeZone: orNull(fc.oneof(fc.constantFrom('Asia/Shanghai', 'America/Los_Angeles'), anyText)),
})

const stated = {
  key: anyText,
  equipment: orNull(fc.oneof(containerNumbers, anyText)),
  statedAt: orNull(instants),
  isRetracted: fc.boolean(),
}

export const events: fc.Arbitrary<EventObservation> = plain({
  ...stated,
  kind: fc.constant('event'),
  classifier: fc.constantFrom(...eventClassifiers),
  code: orNull(fc.constantFrom(...eventCodes)),
  load: orNull(fc.constantFrom(...emptyIndicators)),
  mode: orNull(fc.constantFrom(...transportModes)),
  time: eventTimes,
  place: places,
  vessel: orNull(plain({ imo: orNull(fc.oneof(fc.constant('9321483'), anyText)), name: orNull(anyText) })),
  voyage: orNull(anyText),
  callId: orNull(anyText),
  callSequence: orNull(fc.integer({ min: -3, max: 99 }).map((number) => number + 0)),
  original: orNull(anyText),
})

const amounts = fc
  .oneof(
    fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  .map((amount) => (amount === 0 ? 0 : amount))

const holds = fc.array(
  plain({
    name: fc.constantFrom(...holdNames),
    status: fc.constantFrom('hold' as const, 'pending' as const),
    description: orNull(anyText),
  }),
  { maxLength: 3 },
)
const fees = fc.array(
  plain({
    type: fc.constantFrom(...feeTypes),
    amount: amounts,
    currencyCode: fc.oneof(fc.constantFrom('USD', 'EUR'), anyText),
  }),
  { maxLength: 3 },
)
export const holdWords: fc.Arbitrary<HoldStatement> = plain({
  name: fc.constantFrom(...holdNames),
  status: fc.constantFrom('hold' as const, 'pending' as const, 'released' as const),
  description: orNull(anyText),
})
export const feeWords: fc.Arbitrary<FeeStatement> = plain({
  type: fc.constantFrom(...feeTypes),
  status: fc.constantFrom('due' as const, 'settled' as const),
  amount: orNull(amounts),
  currencyCode: orNull(fc.oneof(fc.constantFrom('USD', 'EUR'), anyText)),
  description: orNull(anyText),
})

const valuesOf: { readonly [Kind in FactValueKind]: fc.Arbitrary<FactValueTypes[Kind]> } = {
  text: anyText,
  number: amounts,
  boolean: fc.boolean(),
  time: eventTimes,
  timeOrNull: orNull(eventTimes),
  place: places,
  hold: holdWords,
  holds,
  fee: feeWords,
  fees,
}

function factOf(name: FactName): fc.Arbitrary<FactObservation> {
  const value: fc.Arbitrary<unknown> = valuesOf[factTable[name].value]
  const fact = plain({ ...stated, kind: fc.constant('fact'), fact: fc.constant(name), value })
  return fact as unknown as fc.Arbitrary<FactObservation> // the table states that the value is one of this fact
}

export const facts: fc.Arbitrary<FactObservation> = fc.oneof(...factNames.map(factOf))

export const observations: fc.Arbitrary<Observation> = fc.oneof(events, facts)

export const sources: fc.Arbitrary<Source> = plain({
  kind: fc.constantFrom(...sourceKinds),
  code: fc.oneof(fc.constantFrom('EGLV', 'W185'), anyText),
})

export const claims: fc.Arbitrary<Claim> = plain({
  id: fc.oneof(fc.uuid(), anyText),
  source: sources,
  observation: observations,
  readAt: instants,
  recordedAt: instants,
  standsAt: instants,
  hand: fc.constantFrom('first' as const, 'relayed' as const),
  deliveryKey: orNull(anyText),
  retiredAt: orNull(instants),
})
