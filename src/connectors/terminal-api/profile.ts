/**
 * How the answer of a terminal or railway is read, as data: the place of its containers, and the mapping of its fields
 * to our facts. Every place is a JSON pointer (`pointer.ts`); those of facts are relative to the container. Texts are
 * compared without case.
 */

import type { Static } from 'typebox'
import { feeTypes, holdNames } from '../../domain/statements/observation.ts'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { isTimeZone } from '../../domain/values/time-zone.ts'
import { Type } from '../../platform/json-schema.ts'
import { checkAgainst } from '../check-schema.ts'
import { parseEffects } from '../x12/effects.ts'
import { pointerPattern } from './pointer.ts'
import { findFormatFault } from './time-format.ts'

const closed = { additionalProperties: false }
const text = Type.String({ minLength: 1, maxLength: 200 })
const pointer = Type.String({ pattern: pointerPattern, maxLength: 200 })
/** One or several pointers; the first with a value counts. */
const at = Type.Union([pointer, Type.Array(pointer, { minItems: 1, maxItems: 10 })])
const shortText = Type.String({ maxLength: 100 })
const shortTexts = Type.Array(shortText, { maxItems: 100 })
const zone = Type.String({ maxLength: 60 })
const currencyCode = Type.String({ pattern: '^[A-Z]{3}$' })
const unlocode = Type.String({ pattern: '^[A-Z]{2}[A-Z2-9]{3}$' })

function oneOf<const Value extends string>(values: readonly Value[]) {
  return Type.Union(values.map((value) => Type.Literal(value)))
}

/** The text of one field, or of several that are joined. */
const textField = Type.Union([
  Type.Object({ at }, closed),
  Type.Object({ parts: Type.Array(pointer, { minItems: 1, maxItems: 10 }), join: shortText }, closed),
])

const timeMembers = {
  at,
  /** For a day and a time of day in separate fields. */
  timeAt: Type.Optional(at),
  /** Format as in `time-format.ts`; absent: ISO 8601. */
  format: Type.Optional(text),
}
const timeField = Type.Object(
  {
    ...timeMembers,
    /** The field means a day, even if it has a time of day. */
    isDay: Type.Optional(Type.Boolean()),
  },
  closed,
)

const condition = Type.Object({ at: pointer, is: shortTexts }, closed)

/** A place other than that of the facility itself. */
const placeField = Type.Object(
  {
    name: pointer,
    subdivision: Type.Optional(pointer),
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
    /** The facility's own name of a place → its UN/LOCODE. */
    unlocodes: Type.Optional(Type.Record(shortText, unlocode)),
    /** The railway's own name of a station → its ramp: the FIRMS code, or the name in our list. */
    ramps: Type.Optional(Type.Record(shortText, shortText)),
  },
  closed,
)
const factFields = {
  /** `neither`: texts that state nothing about availability. */
  available: Type.Object({ at, yes: shortTexts, no: shortTexts, neither: Type.Optional(shortTexts) }, closed),
  pickup_lfd_terminal: timeField,
  pickup_lfd_rail: timeField,
  pickup_lfd_line: timeField,
  pickup_appointment: timeField,
  general_order_at: timeField,
  empty_return_by: timeField,
  yard_location: textField,
  chassis_number: textField,
  seal_number: textField,
  pickup_number: textField,
  it_number: textField,
  size_type: textField,
  pod_rail_carrier: textField,
  destination_rail_carrier: textField,
  /** For a railway: where its transport of the container ends. */
  place_of_delivery: placeField,
  weight_kg: Type.Object({ at, unit: oneOf(['kg', 'lb', 't']) }, closed),
} as const
export type FactField = keyof typeof factFields

/** With `list`, each element is a hold. With `at`, the texts of one field are the status of one named hold. */
const holdField = Type.Union([
  Type.Object(
    {
      list: pointer,
      /** Pointer within each element; empty where the element itself is the text. */
      word: pointer,
      names: Type.Record(shortText, oneOf([...holdNames, 'none'])),
      description: Type.Optional(pointer),
      status: Type.Optional(
        Type.Object({ at: pointer, hold: shortTexts, pending: shortTexts, released: shortTexts }, closed),
      ),
    },
    closed,
  ),
  Type.Object(
    {
      at,
      name: oneOf(holdNames),
      hold: shortTexts,
      pending: Type.Optional(shortTexts),
      released: shortTexts,
    },
    closed,
  ),
])

const currency = Type.Union([Type.Object({ at: pointer }, closed), currencyCode])
const feeField = Type.Union([
  Type.Object(
    {
      list: pointer,
      word: pointer,
      names: Type.Record(shortText, oneOf([...feeTypes, 'none'])),
      amount: pointer,
      currency: Type.Optional(currency),
    },
    closed,
  ),
  Type.Object({ at, type: oneOf(feeTypes), currency: Type.Optional(currency) }, closed),
])

const eventMembers = {
  list: Type.Optional(pointer),
  time: timeField,
  classifier: Type.Optional(oneOf(['ACT', 'EST', 'PLN'])),
  /** The event is read only where this condition is true. */
  when: Type.Optional(condition),
  place: Type.Optional(placeField),
}
const eventField = Type.Union([
  /** One kind of event, stated whenever it has a time: `GTOT LADEN` (`x12/effects.ts`). */
  Type.Object({ ...eventMembers, says: text }, closed),
  /** The event depends on a code. A code that is not in `codes` is reported as unmapped. */
  Type.Object({ ...eventMembers, code: pointer, codes: Type.Record(shortText, text) }, closed),
])

const facility = Type.Object(
  {
    /** UN/LOCODE of the port. */
    port: unlocode,
    /** The terminal of the port; absent: the whole port. */
    terminal: Type.Optional(
      Type.Object({ list: oneOf(['FIRMS', 'SMDG']), code: Type.String({ pattern: '^[A-Z0-9]{2,9}$' }) }, closed),
    ),
    /** The facility's own code of itself, in its address and its answers. */
    code: Type.Optional(text),
    zone: Type.Optional(zone),
  },
  closed,
)

export const facilityProfileSchema = Type.Object(
  {
    /** True once an operator has seen it work with the facility itself. */
    verified: Type.Boolean(),
    /** For a terminal: where it is located. For a railway: the ports and places whose ramps it serves. */
    stands: Type.Optional(Type.Array(facility, { maxItems: 200 })),
    /** For a railway: the codes that name it as the carrier of a container. */
    scacs: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{2,4}$' }), { maxItems: 20 })),
    /** Zone for times without one: an IANA zone, or `place` for the zone of the facility. Absent: unknown. */
    zone: Type.Optional(zone),
    /** Abbreviation after a time (`ET`) → its zone. */
    zones: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Z]{1,5}$' }), zone)),
    /** Pointer to each container; of several pointers the first that finds any container. */
    boxes: at,
    /** Number of the container within it: one field, or several fields that are joined (`isNumberJoined`). */
    number: at,
    isNumberJoined: Type.Optional(Type.Boolean()),
    /** False: the answer leaves out the check digit, as railways do. */
    hasCheckDigit: Type.Optional(Type.Boolean()),
    /**
     * Recognises an answer that states that there are no containers, which is not a fault. Without this condition only
     * an empty list is accepted.
     */
    notFound: Type.Optional(condition),
    /** A container must fulfil all these conditions; other containers, such as exports, are set aside. */
    only: Type.Optional(Type.Array(condition, { maxItems: 10 })),
    /** The code of the facility, which selects one of `stands`. */
    facility: Type.Optional(at),
    /** The time at which the message states that it was written. */
    writtenAt: Type.Optional(timeField),
    /** True when the answer has all that the facility knows of a container: a fact that it omits is withdrawn. */
    isFullPicture: Type.Optional(Type.Boolean()),
    /** Texts that mean "no value", besides empty text. */
    blanks: Type.Optional(shortTexts),
    facts: Type.Optional(
      Type.Object(
        Object.fromEntries(Object.entries(factFields).map(([name, field]) => [name, Type.Optional(field)])) as {
          [Name in FactField]: ReturnType<typeof Type.Optional<(typeof factFields)[Name]>>
        },
        closed,
      ),
    ),
    holds: Type.Optional(Type.Array(holdField, { maxItems: 50 })),
    fees: Type.Optional(Type.Array(feeField, { maxItems: 50 })),
    events: Type.Optional(Type.Array(eventField, { maxItems: 50 })),
  },
  closed,
)
export type FacilityProfile = Static<typeof facilityProfileSchema>
export type Facility = Static<typeof facility>
export type TimeField = Static<typeof timeField>
export type TextField = Static<typeof textField>
export type HoldField = Static<typeof holdField>
export type FeeField = Static<typeof feeField>
export type EventField = Static<typeof eventField>
export type PlaceField = Static<typeof placeField>
export type Condition = Static<typeof condition>

/** Checks a profile as stored or as an operator wrote it; the reason names the first field that is wrong. */
export function parseFacilityProfile(value: unknown): Result<FacilityProfile, string> {
  const checked = checkAgainst(facilityProfileSchema, value)
  if (!checked.ok) return checked
  const fault = findZoneFault(checked.value) ?? findTimeFault(checked.value) ?? findEventFault(checked.value)
  return fault === null ? ok(checked.value) : err(fault)
}

function findZoneFault({ zone: of, zones = {}, stands: facilities = [] }: FacilityProfile): string | null {
  const named = [
    ...(of === undefined || of === 'place' ? [] : [['/zone', of] as const]),
    ...Object.entries(zones).map(([name, each]) => [`/zones/${name}`, each] as const),
    ...facilities.flatMap(({ zone: each }, place) =>
      each === undefined ? [] : [[`/stands/${place}/zone`, each] as const],
    ),
  ]
  const wrong = named.find(([, each]) => !isTimeZone(each))
  return wrong === undefined ? null : `${wrong[0]} is not a time zone`
}

function findTimeFault({ facts = {}, events = [], writtenAt }: FacilityProfile): string | null {
  const times = [
    ...Object.entries(facts).map(([name, field]) => [`/facts/${name}`, field] as const),
    ...events.map(({ time }, place) => [`/events/${place}/time`, time] as const),
    ...(writtenAt === undefined ? [] : [['/writtenAt', writtenAt] as const]),
  ]
  for (const [path, field] of times) {
    const fault = field !== undefined && 'format' in field ? findFormatFault(field.format ?? null) : null
    if (fault !== null) return `${path}/format ${fault}`
  }
  return null
}

const eventEffects: ReadonlySet<string> = new Set(['event', 'available', 'not_available', 'hold', 'release', 'note'])

function findEventFault({ events = [] }: FacilityProfile): string | null {
  for (const [place, event] of events.entries()) {
    const lines = 'says' in event ? { '': event.says } : event.codes
    for (const [code, line] of Object.entries(lines)) {
      const effects = parseEffects(line)
      const path = 'says' in event ? `/events/${place}/says` : `/events/${place}/codes/${code}`
      if (effects === null || !effects.every(({ kind }) => eventEffects.has(kind)))
        return `${path} is not a valid meaning of an event`
    }
  }
  return null
}
