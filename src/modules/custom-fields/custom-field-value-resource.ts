/** How the value and the rules of a custom field are written on the wire. `inputs/` reads them back. */

import type { TSchema } from 'typebox'
import * as schema from '../../api/shape/schema.ts'
import type { FieldValidation } from '../../domain/values/custom-field.ts'
import { Type } from '../../platform/json-schema.ts'

const types = ['string', 'number', 'boolean', 'array', 'null']
const description =
  'Depends on the data type: a text, a number, a boolean, a day (YYYY-MM-DD), a time (ISO 8601 with zone), the value of an option, a list of such values, or an id.'
export const fieldValueSchema: TSchema = { type: types, items: { type: 'string' }, description }

/**
 * The value as a body may have it. The content of a list is checked later, so that the refusal can name the data type.
 */
export const givenValueSchema = Type.Unsafe<unknown>({ type: types, description })

const countSchema = (description: string) => schema.optional(Type.Integer({ minimum: 0, maximum: 500, description }))
const boundSchema = (description: string) =>
  schema.optional(Type.Unsafe({ type: ['number', 'string'], maxLength: 40, description }))

const rules = {
  required: schema.optional(Type.Boolean({ description: 'True: null and an empty value are refused.' })),
  min_length: countSchema('For a short_text.'),
  max_length: countSchema('For a short_text.'),
  pattern: schema.optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'For a short_text: a regular expression (RE2) that the whole text must match.',
    }),
  ),
  min: boundSchema('For a number, date or datetime.'),
  max: boundSchema('For a number, date or datetime.'),
  integer: schema.optional(Type.Boolean({ description: 'For a number.' })),
  min_items: countSchema('For an enum_multi.'),
  max_items: countSchema('For an enum_multi.'),
}
export const validationSchema = Type.Unsafe<Readonly<Record<string, unknown>> | null>({
  ...schema.object(rules),
  type: ['object', 'null'],
})

const names: Readonly<Record<keyof FieldValidation, string>> = {
  required: 'required',
  minLength: 'min_length',
  maxLength: 'max_length',
  pattern: 'pattern',
  min: 'min',
  max: 'max',
  integer: 'integer',
  minItems: 'min_items',
  maxItems: 'max_items',
}

export function writeValidation(validation: FieldValidation): Readonly<Record<string, unknown>> {
  return renameKeys(validation, names)
}

/** For a body that has passed the schema. */
export function readValidation(given: Readonly<Record<string, unknown>>): FieldValidation {
  return renameKeys(given, Object.fromEntries(Object.entries(names).map(([ours, wire]) => [wire, ours])))
}

function renameKeys(values: object, by: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [by[name] ?? name, value]))
}
