/**
 * JSON Schemas as plain objects, built by the names of TypeBox and typed by it. TypeBox itself is not loaded: its 373
 * files would be an eighth of all that a start loads, and no code reads the hidden kinds that it adds.
 */

import type { Type as TypeBox } from 'typebox'

type SchemaKeywords = Readonly<Record<string, unknown>>

/** Hidden, as in TypeBox, so that it is never written. */
const optional = Symbol('optional')

const builders = {
  String: (extra: SchemaKeywords = {}) => ({ type: 'string', ...extra }),
  Number: (extra: SchemaKeywords = {}) => ({ type: 'number', ...extra }),
  Integer: (extra: SchemaKeywords = {}) => ({ type: 'integer', ...extra }),
  Boolean: (extra: SchemaKeywords = {}) => ({ type: 'boolean', ...extra }),
  Null: (extra: SchemaKeywords = {}) => ({ type: 'null', ...extra }),
  Unknown: (extra: SchemaKeywords = {}) => ({ ...extra }),
  Unsafe: (schema: SchemaKeywords) => ({ ...schema }),
  Literal: (value: string | number | boolean, extra: SchemaKeywords = {}) => ({
    type: typeof value,
    const: value,
    ...extra,
  }),
  Enum: (values: readonly unknown[], extra: SchemaKeywords = {}) => ({ enum: [...values], ...extra }),
  Union: (anyOf: readonly SchemaKeywords[], extra: SchemaKeywords = {}) => ({ anyOf: [...anyOf], ...extra }),
  Array: (items: SchemaKeywords, extra: SchemaKeywords = {}) => ({ type: 'array', items, ...extra }),
  Record: ({ pattern = '^.*$' }: SchemaKeywords, value: SchemaKeywords, extra: SchemaKeywords = {}) => ({
    type: 'object',
    patternProperties: { [String(pattern)]: value },
    ...extra,
  }),
  Object: (properties: Readonly<Record<string, SchemaKeywords>>, extra: SchemaKeywords = {}) => {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name]))
    return { type: 'object', ...(required.length === 0 ? {} : { required }), properties, ...extra }
  },
  Optional: (schema: SchemaKeywords) => Object.defineProperty({ ...schema }, optional, { value: true }),
  Partial: ({ properties }: ObjectSchema, extra: SchemaKeywords = {}) =>
    builders.Object(
      Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, builders.Optional(each)])),
      extra,
    ),
  Omit: ({ properties }: ObjectSchema, names: readonly string[], extra: SchemaKeywords = {}) =>
    builders.Object(Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))), extra),
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, SchemaKeywords>>
}

function isOptional(schema: object | undefined): boolean {
  return schema !== undefined && optional in schema
}

// The one cast: the objects have the shape that TypeBox's types declare, which `test/platform/json-schema.test.ts`
// compares.
export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
