/**
 * Our own format for one statement as a JSON object, for people and systems without a standard: its members, and the
 * values that each may have. `docs/sending.md` explains the same to people.
 */

import type { Static } from 'typebox'
import type { FactValueKind } from '../../domain/statements/facts.ts'
import { feeTypes, holdNames } from '../../domain/statements/observation.ts'
import { emptyIndicators, facilityTypes, transportModes } from '../../domain/values/codes.ts'
import { Type } from '../../platform/json-schema.ts'
import { facilityCodeProviders } from '../../reference/terminal.ts'

const text = Type.String({ minLength: 1, maxLength: 300 })
const number = Type.String({ minLength: 4, maxLength: 40 })
const closed = { additionalProperties: false } as const

function oneOf<const Value extends string>(values: readonly Value[]) {
  return Type.Unsafe<Value>({ enum: [...values] })
}

export const placeSchema = Type.Object(
  {
    unlocode: Type.Optional(Type.String({ maxLength: 6 })),
    facility_code: Type.Optional(text),
    facility_list: Type.Optional(oneOf(facilityCodeProviders)),
    facility_type: Type.Optional(oneOf(facilityTypes)),
    name: Type.Optional(text),
    city: Type.Optional(text),
    subdivision: Type.Optional(text),
    country: Type.Optional(text),
  },
  { ...closed, minProperties: 1 },
)

/** DCSA's classifiers, and our own names for them. */
const classifiers = ['ACT', 'EST', 'PLN', 'actual', 'estimated', 'planned'] as const

/** Members that only events have, besides `says`; a fact has `value` instead. */
export const eventMembers = {
  at: Type.Optional(Type.String({ maxLength: 40 })),
  classifier: Type.Optional(oneOf(classifiers)),
  load: Type.Optional(oneOf(emptyIndicators)),
  mode: Type.Optional(oneOf(transportModes)),
  /** A UN/LOCODE, or an object (`placeSchema`). */
  place: Type.Optional(Type.Unknown()),
  vessel: Type.Optional(
    Type.Object({ imo: Type.Optional(Type.String({ maxLength: 12 })), name: Type.Optional(text) }, closed),
  ),
  voyage: Type.Optional(text),
  call: Type.Optional(text),
  call_sequence: Type.Optional(Type.Integer()),
  words: Type.Optional(text),
} as const

export const statementSchema = Type.Object(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    written_at: Type.Optional(Type.String({ maxLength: 40 })),
    container: Type.Optional(Type.String({ maxLength: 40 })),
    bill: Type.Optional(number),
    booking: Type.Optional(number),
    says: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    retracted: Type.Optional(Type.Boolean()),
    /** For people; never read. */
    note: Type.Optional(Type.String({ maxLength: 1_000 })),
    value: Type.Optional(Type.Unknown()),
    ...eventMembers,
  },
  closed,
)
export type WrittenStatement = Static<typeof statementSchema>

const orNull = <const Shape extends Parameters<typeof Type.Union>[0][number]>(shape: Shape) =>
  Type.Optional(Type.Union([shape, Type.Null()]))

function holdWith<const Status extends string>(statuses: readonly Status[]) {
  return Type.Object({ name: oneOf(holdNames), status: oneOf(statuses), description: orNull(text) }, closed)
}

const amount = Type.Number()
const currency = Type.String({ pattern: '^[A-Z]{3}$' })

/** The shape of `value`, by the kind that the fact has (`factTable`). A place is read by itself. */
export const valueSchemas = {
  text,
  number: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
  boolean: Type.Boolean(),
  time: Type.String({ maxLength: 40 }),
  timeOrNull: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
  hold: holdWith(['hold', 'pending', 'released']),
  holds: Type.Array(holdWith(['hold', 'pending']), { maxItems: 50 }),
  fee: Type.Object(
    {
      type: oneOf(feeTypes),
      status: oneOf(['due', 'settled']),
      amount: orNull(amount),
      currency: orNull(currency),
      description: orNull(text),
    },
    closed,
  ),
  fees: Type.Array(Type.Object({ type: oneOf(feeTypes), amount, currency }, closed), { maxItems: 50 }),
} as const satisfies Readonly<Record<Exclude<FactValueKind, 'place'>, unknown>>
