/**
 * JSON Schemas as plain objects, built by the names of TypeBox and typed by it. TypeBox itself is not loaded: its 373
 * files would be an eighth of all that a start loads, and no code reads the hidden kinds that it adds.
 */

import type { Type as TypeBox } from 'typebox'

type Plain = Readonly<Record<string, unknown>>

/** Hidden, as in TypeBox, so that it is never written. */
const optional = Symbol('optional')

const builders = {
  String: (extra: Plain = {}) => ({ type: 'string', ...extra }),
  Number: (extra: Plain = {}) => ({ type: 'number', ...extra }),
  Integer: (extra: Plain = {}) => ({ type: 'integer', ...extra }),
  Boolean: (extra: Plain = {}) => ({ type: 'boolean', ...extra }),
  Null: (extra: Plain = {}) => ({ type: 'null', ...extra }),
  Unknown: (extra: Plain = {}) => ({ ...extra }),
  Unsafe: (schema: Plain) => ({ ...schema }),
  Literal: (value: string | number | boolean, extra: Plain = {}) => ({
    type: typeof value,
    const: value,
    ...extra,
  }),
  Enum: (values: readonly unknown[], extra: Plain = {}) => ({ enum: [...values], ...extra }),
  Union: (anyOf: readonly Plain[], extra: Plain = {}) => ({ anyOf: [...anyOf], ...extra }),
  Array: (items: Plain, extra: Plain = {}) => ({ type: 'array', items, ...extra }),
  Record: ({ pattern = '^.*$' }: Plain, value: Plain, extra: Plain = {}) => ({
    type: 'object',
    patternProperties: { [String(pattern)]: value },
    ...extra,
  }),
  Object: (properties: Readonly<Record<string, Plain>>, extra: Plain = {}) => {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name]))
    return { type: 'object', ...(required.length === 0 ? {} : { required }), properties, ...extra }
  },
  Optional: (schema: Plain) => Object.defineProperty({ ...schema }, optional, { value: true }),
  Partial: ({ properties }: ObjectSchema, extra: Plain = {}) =>
    builders.Object(
      Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, builders.Optional(each)])),
      extra,
    ),
  Omit: ({ properties }: ObjectSchema, names: readonly string[], extra: Plain = {}) =>
    builders.Object(Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))), extra),
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Plain>>
}

function isOptional(schema: object | undefined): boolean {
  return schema !== undefined && optional in schema
}

// The one cast: the objects have the shape that TypeBox's types declare, which `test/platform/json-schema.test.ts`
// compares.
export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
