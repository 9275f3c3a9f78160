/** The content of a custom field: its data types, the rules an account may set, and whether a value satisfies them. */

import { err, ok, type Result } from './result.ts'
import { unreachable } from './unreachable.ts'

export const fieldEntityTypes = ['Shipment', 'Container', 'TrackingRequest'] as const
export type FieldEntityType = (typeof fieldEntityTypes)[number]

export const fieldDataTypes = [
  'short_text',
  'number',
  'date',
  'datetime',
  'boolean',
  'enum',
  'enum_multi',
  'reference',
] as const
export type FieldDataType = (typeof fieldDataTypes)[number]

/** What a `reference` may point to. */
export const fieldReferenceTypes = ['Party', 'Shipment', 'Container', 'TrackingRequest'] as const
export type FieldReferenceType = (typeof fieldReferenceTypes)[number]

export type FieldValue = string | number | boolean | readonly string[] | null

export interface FieldValidation {
  readonly required?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  /** A regular expression (RE2) that the whole text must match. The caller runs it. */
  readonly pattern?: string
  /** Numbers, or days and instants as text. */
  readonly min?: number | string
  readonly max?: number | string
  readonly integer?: boolean
  readonly minItems?: number
  readonly maxItems?: number
}

export interface FieldRules {
  readonly dataType: FieldDataType
  readonly validation: FieldValidation | null
}

/** The rules that each data type allows. */
export const rulesOfDataType: Readonly<Record<FieldDataType, readonly (keyof FieldValidation)[]>> = {
  short_text: ['required', 'minLength', 'maxLength', 'pattern'],
  number: ['required', 'min', 'max', 'integer'],
  date: ['required', 'min', 'max'],
  datetime: ['required', 'min', 'max'],
  boolean: ['required'],
  enum: ['required'],
  enum_multi: ['required', 'minItems', 'maxItems'],
  reference: ['required'],
}

export const shortTextMax = 500

type FieldReading = Result<FieldValue, string>

/**
 * The value as it is stored (an instant in UTC), or what is wrong with it, in words that follow “The value”. The caller
 * checks options, references and patterns.
 */
export function readFieldValue(given: unknown, rules: FieldRules): FieldReading {
  const validation = rules.validation ?? {}
  if (given === null || given === undefined) {
    return validation.required ? err('is required and cannot be null') : ok(null)
  }
  switch (rules.dataType) {
    case 'short_text':
      return readText(given, validation)
    case 'number':
      return readNumber(given, validation)
    case 'date':
      return checkRange(readDay(given), validation)
    case 'datetime':
      return checkRange(readInstant(given), validation)
    case 'boolean':
      return typeof given === 'boolean' ? ok(given) : err('must be true or false')
    case 'enum':
      return typeof given === 'string' ? ok(given) : err('must be the value of one option')
    case 'enum_multi':
      return readChoices(given, validation)
    case 'reference':
      return typeof given === 'string' && uuid.test(given) ? ok(given.toLowerCase()) : err('must be an id, a UUID')
    default:
      return unreachable(rules.dataType)
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function readText(
  given: unknown,
  { required, minLength = 0, maxLength = shortTextMax }: FieldValidation,
): FieldReading {
  if (typeof given !== 'string') return err('must be a text')
  const length = [...given].length
  if (required && given.trim() === '') return err('is required and cannot be empty')
  if (length < minLength) return err(`must have at least ${minLength} characters`)
  if (length > maxLength) return err(`must have at most ${maxLength} characters`)
  return ok(given)
}

function readNumber(given: unknown, { min, max, integer }: FieldValidation): FieldReading {
  if (typeof given !== 'number' || !Number.isFinite(given)) return err('must be a number')
  if (integer && !Number.isInteger(given)) return err('must be a whole number')
  if (typeof min === 'number' && given < min) return err(`must be at least ${min}`)
  if (typeof max === 'number' && given > max) return err(`must be at most ${max}`)
  return ok(given)
}

function readDay(given: unknown): Result<string, string> {
  const isDay = typeof given === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(given)
  const at = isDay ? new Date(`${given}T00:00:00Z`) : null
  const isReal = at !== null && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === given
  return isReal ? ok(given as string) : err('must be a day as YYYY-MM-DD')
}

/** No time zone is made up: a date-time without one is refused. Seconds are whole, as the API shows them. */
function readInstant(given: unknown): Result<string, string> {
  const parts =
    typeof given === 'string'
      ? /^(\d{4}-\d{2}-\d{2})[Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})$/.exec(given)
      : null
  const at = parts === null ? Number.NaN : Date.parse(parts[0])
  if (parts === null || Number.isNaN(at) || !readDay(parts[1]).ok)
    return err('must be an ISO 8601 date-time with its zone, such as 2026-03-01T14:30:00Z')
  return ok(`${new Date(at).toISOString().slice(0, 19)}.000Z`)
}

/** Days and instants are stored in a form that sorts in order of time. */
function checkRange(read: Result<string, string>, { min, max }: FieldValidation): FieldReading {
  if (!read.ok) return read
  if (typeof min === 'string' && read.value < min) return err(`must not be before ${min}`)
  if (typeof max === 'string' && read.value > max) return err(`must not be after ${max}`)
  return read
}

function readChoices(given: unknown, { required, minItems = 0, maxItems = 100 }: FieldValidation): FieldReading {
  if (!Array.isArray(given) || given.some((each) => typeof each !== 'string'))
    return err('must be a list of values of options')
  if (new Set(given).size < given.length) return err('names an option more than once')
  if (required && given.length === 0) return err('is required and cannot be empty')
  if (given.length < minItems) return err(`must have at least ${minItems} options`)
  if (given.length > maxItems) return err(`must have at most ${maxItems} options`)
  return ok(given as readonly string[])
}

/** A bound must be a valid value of the data type, and is stored like one. */
export function readBound(given: number | string, dataType: FieldDataType): Result<number | string, string> {
  const read = readFieldValue(given, { dataType, validation: null })
  if (!read.ok) return read
  return typeof read.value === 'number' || typeof read.value === 'string' ? ok(read.value) : err('is no bound')
}
