/**
 * Custom fields for the fuzz run: for every rule of every data type a definition with values that are valid, at the
 * limit, or hostile, including patterns that are made to be slow; and values to check against these definitions.
 */

import {
  type FieldDataType,
  type FieldValidation,
  fieldDataTypes,
  fieldEntityTypes,
  fieldReferenceTypes,
  rulesOfDataType,
} from '../../src/domain/values/custom-field.ts'
import { type Chance, pick } from './values.ts'

/**
 * Each of these is very slow in an engine that backtracks, or in one that expands repetitions, or is invalid, or is at
 * the limit.
 */
export const hostilePatterns: readonly string[] = [
  '(((x?){1,12}){1,12}){1,12}y',
  '(x+x+)+y',
  '(x*)*y',
  '(x|xx|x?)*y',
  '(.*x){20}',
  '(.*a.{12})(.*b.{12})y',
  '((((((x*)*)*)*)*)*)*y',
  '(?:\\pL?\\PN?){200}!',
  '(?:x?){500}x{500}',
  '[A-Z]{1,500}',
  '.{0,1000}'.repeat(22),
  '(((x{10}){10}){10})'.repeat(9),
  `${'('.repeat(99)}x${')*'.repeat(50)}`,
  '(x)\\1',
  '(?=x)x',
  '(?<name>x)\\k<name>',
  '[[:alpha:]]+',
  '[',
  '(?i)ſ',
  '\\x{10FFFF}',
  '\\C\\Q*\\E',
  'x{1000000000}',
  '^$|^^$$',
  '',
]

const counts = [0, 1, 499, 500, 501, -1, 1.5, '1', null]
const numbers = [0, -1, 1e308, -1e308, 2 ** 53, '1', null]
const days = ['2026-01-01', '0001-01-01', '9999-12-31', '2026-02-30', '275760-09-14', 5]
const instants = ['2026-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999+14:00', '2026-01-01T00:00:00', 5]

/** Key: the rule's name in the code. `wireName` turns it into the name on the wire. */
const valuesOf = (dataType: FieldDataType): Readonly<Record<keyof FieldValidation, readonly unknown[]>> => {
  const bounds = dataType === 'date' ? days : dataType === 'datetime' ? instants : numbers
  return {
    required: [true, false, null, 'true'],
    minLength: counts,
    maxLength: counts,
    pattern: hostilePatterns,
    min: bounds,
    max: bounds,
    integer: [true, false, 1],
    minItems: counts,
    maxItems: counts,
  }
}

const wireName = (rule: string): string => rule.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Each rule alone, once with each of its values, with a data type that has the rule. */
export const validations: readonly {
  readonly dataType: FieldDataType
  readonly validation: Readonly<Record<string, unknown>>
}[] = fieldDataTypes.flatMap((dataType) =>
  rulesOfDataType[dataType].flatMap((rule) =>
    valuesOf(dataType)[rule].map((value) => ({ dataType, validation: { [wireName(rule)]: value } })),
  ),
)

const formats = ['0000', '#,##0.00', '%d.%m.%Y', 'DD.MM.YYYY HH:mm:ss', '#'.repeat(60), '$&$`', '%Y'.repeat(30)]
const slugs = Array.from({ length: 24 }, (_, index) => `fuzz_${index}`)

/**
 * A definition with one rule, or with several rules of one data type. Often it has a default, which is checked against
 * the rules.
 */
export function someDefinition(chance: Chance): Readonly<Record<string, unknown>> {
  const { dataType, validation } = pick(chance, validations)
  const others = validations.filter((each) => each.dataType === dataType)
  const more = chance() < 0.3 ? { ...pick(chance, others).validation, ...pick(chance, others).validation } : {}
  return {
    entity_type: pick(chance, [...fieldEntityTypes, 'Cargo']),
    api_slug: pick(chance, slugs),
    display_name: 'Fuzz',
    data_type: dataType,
    ...(dataType === 'reference' ? { reference_type: pick(chance, fieldReferenceTypes) } : {}),
    validation: { ...more, ...validation },
    ...(chance() < 0.3 ? { default_format: pick(chance, formats) } : {}),
    ...(chance() < 0.5 ? { default_value: someFieldValue(chance) } : {}),
  }
}

/**
 * Texts of the maximum length of a short text, including those that take slow patterns the longest, and other texts.
 */
const texts = [
  'x'.repeat(500),
  `${'x'.repeat(499)}!`,
  'xa'.repeat(250),
  '\u4e00é'.repeat(250),
  'x\n'.repeat(250),
  '\u{1f600}'.repeat(500),
  '',
]

export function someFieldValue(chance: Chance): unknown {
  return pick<unknown>(chance, [...texts, ...numbers, ...days, ...instants, true, [], ['a', 'a'], {}])
}

/** The example's body with the value of a custom field replaced. Undefined when the body is not about a field. */
export function withFieldValue(chance: Chance, body: unknown): unknown {
  const { data } = (body ?? {}) as { data?: { type?: string; attributes?: Record<string, unknown> } }
  if (data?.type !== 'custom_field' || data.attributes === undefined) return undefined
  const slug = 'api_slug' in data.attributes ? { api_slug: pick(chance, slugs) } : {}
  return { data: { ...data, attributes: { ...data.attributes, ...slug, value: someFieldValue(chance) } } }
}
