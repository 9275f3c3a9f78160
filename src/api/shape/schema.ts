/** The elements of the schemas of the API: JSON Schema 2020-12 by TypeBox, with null as a type of its own. */

import type { TSchema } from 'typebox'
import { Type } from '../../platform/json-schema.ts'

type Extra = Readonly<Record<string, unknown>>

export const text = (extra: Extra = {}) => Type.String(extra)
export const textOrNull = (extra: Extra = {}) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...extra })
export const numberOrNull = (extra: Extra = {}) => Type.Unsafe<number | null>({ type: ['number', 'null'], ...extra })
export const integerOrNull = (extra: Extra = {}) => Type.Unsafe<number | null>({ type: ['integer', 'null'], ...extra })
export const booleanOrNull = (extra: Extra = {}) => Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], ...extra })
export const id = (extra: Extra = {}) => Type.String({ format: 'uuid', ...extra })
export const instant = (extra: Extra = {}) => Type.String({ format: 'date-time', ...extra })
export const instantOrNull = (extra: Extra = {}) => textOrNull({ format: 'date-time', ...extra })
export const dayOrNull = (extra: Extra = {}) => textOrNull({ format: 'date', ...extra })
export const zoneOrNull = () => textOrNull({ description: 'IANA time zone of the place; null where it is unknown.' })
export const list = (items: TSchema, extra: Extra = {}) => Type.Array(items, extra)
export const texts = (extra: Extra = {}) => Type.Array(Type.String(), extra)

export function oneOf(values: readonly string[], extra: Extra = {}): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: values, ...extra })
}

export function oneOfOrNull(values: readonly (string | number)[], extra: Extra = {}): TSchema {
  return Type.Unsafe({ enum: [...values, null], ...extra })
}

/** All attributes are optional, because a sparse fieldset may omit any of them. Undeclared ones are not allowed. */
export function attributes(properties: Readonly<Record<string, TSchema>>): TSchema {
  return Type.Object(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])),
    { additionalProperties: false },
  )
}

/** A reference to a schema in the components of the OpenAPI document. */
export function ref(name: string): TSchema {
  return Type.Unsafe({ $ref: `${name}#` })
}

/** A closed object. All its members are required, except those that are marked as optional. */
export function object(properties: Readonly<Record<string, TSchema>>, extra: Extra = {}): TSchema {
  return Type.Object(properties, { additionalProperties: false, ...extra })
}

export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)
export const nothing = (extra: Extra = {}): TSchema => Type.Unsafe<null>({ type: 'null', ...extra })
export const constant = (value: string) => Type.Literal(value)
export const anyOf = (schemas: readonly TSchema[]) =>
  schemas.length === 1 ? (schemas[0] as TSchema) : Type.Union([...schemas])
