/**
 * The parts from which the schemas of tools are made: JSON Schema 2020-12, closed everywhere. In an answer every listed
 * member is required, with null for unknown, unless it is `maybe`. Tests check every answer against the full schema.
 */

import { type TSchema, Type } from 'typebox'

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

export function maybe(schema: TSchema): TSchema {
  return Type.Optional(schema)
}

/**
 * The schema as the list of tools shows it: closed, with the types of its own members and the names of the members of
 * rows. Deeper levels, and the members about the answer itself, have no details, because the list of all tools has to
 * stay small.
 */
export function listed(schema: TSchema): Readonly<Record<string, unknown>> {
  const members = Object.entries(partsOf(schema).properties ?? {}).map(([name, part]) => [
    name,
    aboutAnswer.has(name) ? {} : typed(part),
  ])
  return { type: 'object', properties: Object.fromEntries(members), additionalProperties: false }
}

const aboutAnswer: ReadonlySet<string> = new Set(['_response_contract', '_metadata', 'links', 'meta'])

function typed(schema: TSchema): Readonly<Record<string, unknown>> {
  const { type, properties, items } = partsOf(schema)
  if (items !== undefined) return { type, items: named(items) }
  return properties === undefined ? { ...schema } : { type }
}

/** The schema of a row, with the names of its members only. */
function named(schema: TSchema): Readonly<Record<string, unknown>> {
  const { type, properties } = partsOf(schema)
  if (properties === undefined) return { type }
  return { type, properties: Object.fromEntries(Object.keys(properties).map((name) => [name, {}])) }
}

function partsOf(schema: TSchema) {
  return schema as {
    readonly type?: unknown
    readonly properties?: Properties
    readonly items?: TSchema
  }
}
