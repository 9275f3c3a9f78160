/**
 * The elements of the schemas of tools: JSON Schema 2020-12, closed everywhere. In an answer every listed member is
 * required, with null for unknown, unless it is `maybe`. Tests check every answer against the full schema.
 */

import type { TSchema } from 'typebox'
import { Type } from '../../platform/json-schema.ts'

type Properties = Readonly<Record<string, TSchema>>

export const text = Type.String()
export const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const number = Type.Number()
export const numberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] })
export const flag = Type.Boolean()
export const flagOrNull = Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })
export const texts = Type.Array(text)

export function list(items: TSchema): TSchema {
  return Type.Array(items)
}

export function object(properties: Properties): TSchema {
  return Type.Object(properties, { additionalProperties: false })
}

export function orNull(schema: TSchema): TSchema {
  return Type.Unsafe({ ...schema, type: [...[(schema as { type?: unknown }).type].flat(), 'null'] })
}

/** A row of which some members may be left out. */
export function partial(schema: TSchema): TSchema {
  return Type.Object(
    Object.fromEntries(Object.entries(partsOf(schema).properties ?? {}).map(([name, each]) => [name, optional(each)])),
    { additionalProperties: false },
  )
}

export function optional(schema: TSchema): TSchema {
  return Type.Optional(schema)
}

const limits = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum']

/** The arguments as the list of tools shows them: without limits, which a refusal names, and with one type for each. */
export function toListedInput(input: TSchema): Readonly<Record<string, unknown>> {
  const write = (name: string, value: unknown) =>
    limits.includes(name) ? undefined : name === 'type' && Array.isArray(value) ? value[0] : value
  return JSON.parse(JSON.stringify(input, write)) as Readonly<Record<string, unknown>>
}

/**
 * The answer as the list of tools shows it: the names and types of its members, and of the members of rows where
 * `fields` chooses among them. Deeper levels and what every answer has are left out, because the list of all tools has to
 * stay small; tests check answers by the complete schema.
 */
export function toListedSchema(schema: TSchema, of: { readonly withRows: boolean }): Readonly<Record<string, unknown>> {
  const { _response_contract: _, ...properties } = partsOf(schema).properties ?? {}
  const members = Object.entries(properties).map(([name, each]) => [
    name,
    of.withRows && name === 'items' ? { type: 'array', ...writeMemberTypes(each) } : writeType(each),
  ])
  return { type: 'object', properties: Object.fromEntries(members) }
}

function writeMemberTypes(schema: TSchema): Readonly<Record<string, unknown>> {
  const { items = {} } = partsOf(schema)
  const { properties } = partsOf(partsOf(items).anyOf?.[0] ?? items)
  if (properties === undefined) return {}
  const members = Object.entries(properties).map(([name, each]) => [name, writeType(each)])
  return { items: { type: 'object', properties: Object.fromEntries(members) } }
}

/** Nothing where there are several schemas. */
function writeType(schema: TSchema): Readonly<Record<string, unknown>> {
  const { type } = partsOf(schema)
  return type === undefined ? {} : { type }
}

function partsOf(schema: TSchema) {
  return schema as {
    readonly type?: unknown
    readonly properties?: Properties
    readonly items?: TSchema
    readonly anyOf?: readonly TSchema[]
  }
}
