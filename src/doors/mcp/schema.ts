/**
 * The words in which tools say what they take and give: JSON Schema 2020-12, closed everywhere. All that is listed is
 * required in answers, null where unknown, unless it is `maybe`; only the outermost level says so on the wire, for the
 * listing of all tools has to stay small (tests hold answers against the whole).
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

/** As it is listed: what is required further in is left out. */
export function listed(schema: TSchema): TSchema {
  return Type.Unsafe({ ...mapParts(schema), ...requiredOf(schema) })
}

function mapParts(schema: unknown): Record<string, unknown> {
  const {
    required: _required,
    properties,
    items,
    ...rest
  } = schema as {
    readonly required?: unknown
    readonly properties?: Properties
    readonly items?: TSchema
  }
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => [name, mapParts(part)]),
          ),
        }),
    ...(items === undefined ? {} : { items: mapParts(items) }),
  }
}

function requiredOf(schema: TSchema): Readonly<Record<string, unknown>> {
  return 'required' in schema ? { required: schema.required } : {}
}
