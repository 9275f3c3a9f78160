/**
 * The words in which tools say what they take and give: JSON Schema 2020-12, closed everywhere. All that is listed is
 * required in answers, null where unknown, unless it is `maybe`. Tests hold every answer against the whole.
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
 * As it is listed: closed, with its own members typed, and the members of rows named. Further in, in what is about the
 * answer itself, and of what is always there, nothing is said, for the listing of all tools has to stay small.
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

/** Of a row. */
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
