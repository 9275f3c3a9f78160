/** Observations and claims of every shape, for laws that must hold for all of them. */

import fc from 'fast-check'
import {
  type Claim,
  type EventObservation,
  type FactObservation,
  type FeeWord,
  feeTypes,
  type HoldWord,
  holdNames,
  type Observation,
  type ObservedPlace,
  type Source,
  sourceKinds,
} from '../../src/core/statements/observation.ts'
import {
  emptyIndicators,
  eventClassifiers,
  eventCodes,
  facilityTypes,
  transportModes,
} from '../../src/core/values/codes.ts'
import { containerCheckDigit } from '../../src/core/values/identifiers.ts'
import type { EventTime } from '../../src/core/values/time.ts'

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
function plain<Shape extends object>(
  shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> },
): fc.Arbitrary<Shape> {
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
export const holdWords: fc.Arbitrary<HoldWord> = plain({
  name: fc.constantFrom(...holdNames),
  status: fc.constantFrom('hold' as const, 'pending' as const, 'released' as const),
  description: orNull(anyText),
})
export const feeWords: fc.Arbitrary<FeeWord> = plain({
  type: fc.constantFrom(...feeTypes),
  status: fc.constantFrom('due' as const, 'settled' as const),
  amount: orNull(amounts),
  currencyCode: orNull(fc.oneof(fc.constantFrom('USD', 'EUR'), anyText)),
  description: orNull(anyText),
})

function factOf<const Name extends FactObservation['fact']>(
  value: fc.Arbitrary<Extract<FactObservation, { fact: Name }>['value']>,
  ...names: readonly Name[]
): fc.Arbitrary<FactObservation> {
  return plain({
    ...stated,
    kind: fc.constant('fact'),
    fact: fc.constantFrom(...names),
    value,
  }) as unknown as fc.Arbitrary<FactObservation>
}

export const facts: fc.Arbitrary<FactObservation> = fc.oneof(
  factOf(
    anyText,
    'size_type',
    'seal_number',
    'yard_location',
    'chassis_number',
    'bill_of_lading_number',
    'booking_number',
    'pod_rail_carrier',
    'destination_rail_carrier',
    'pickup_number',
    'it_number',
  ),
  factOf(amounts, 'weight_kg'),
  factOf(
    eventTimes,
    'pickup_lfd_line',
    'pickup_lfd_terminal',
    'pickup_lfd_rail',
    'pickup_appointment',
    'empty_return_by',
    'general_order_at',
    'vgm_cut_off',
    'documentation_cut_off',
    'cargo_cut_off',
  ),
  factOf(holds, 'holds'),
  factOf(fees, 'fees'),
  factOf(holdWords, 'hold'),
  factOf(feeWords, 'fee'),
  factOf(fc.boolean(), 'available', 'booking_cancelled'),
  factOf(
    places,
    'pod_terminal',
    'port_of_loading',
    'port_of_discharge',
    'place_of_delivery',
    'undated_arrival',
    'undated_departure',
    'empty_return_place',
  ),
  factOf(orNull(eventTimes), 'delivered'),
)

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
