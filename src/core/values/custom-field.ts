/** What a custom field can hold: its data types, the rules an account may set, and whether a value keeps them. */

import { ok, type Result, refused } from './result.ts'
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

type Read = Result<FieldValue, string>

/**
 * The value as it is stored (an instant in UTC), or what is wrong with it, in words that follow “The value”. The caller
 * checks options, references and patterns.
 */
export function readFieldValue(given: unknown, rules: FieldRules): Read {
  const validation = rules.validation ?? {}
  if (given === null || given === undefined) {
    return validation.required ? refused('is required and cannot be null') : ok(null)
  }
  switch (rules.dataType) {
    case 'short_text':
      return readText(given, validation)
    case 'number':
      return readNumber(given, validation)
    case 'date':
      return within(readDay(given), validation)
    case 'datetime':
      return within(readInstant(given), validation)
    case 'boolean':
      return typeof given === 'boolean' ? ok(given) : refused('must be true or false')
    case 'enum':
      return typeof given === 'string' ? ok(given) : refused('must be the value of one option')
    case 'enum_multi':
      return readChoices(given, validation)
    case 'reference':
      return typeof given === 'string' && uuid.test(given)
        ? ok(given.toLowerCase())
        : refused('must be an id, a UUID')
    default:
      return unreachable(rules.dataType)
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function readText(
  given: unknown,
  { required, minLength = 0, maxLength = shortTextMax }: FieldValidation,
): Read {
  if (typeof given !== 'string') return refused('must be a text')
  const length = [...given].length
  if (required && given.trim() === '') return refused('is required and cannot be empty')
  if (length < minLength) return refused(`must have at least ${minLength} characters`)
  if (length > maxLength) return refused(`must have at most ${maxLength} characters`)
  return ok(given)
}

function readNumber(given: unknown, { min, max, integer }: FieldValidation): Read {
  if (typeof given !== 'number' || !Number.isFinite(given)) return refused('must be a number')
  if (integer && !Number.isInteger(given)) return refused('must be a whole number')
  if (typeof min === 'number' && given < min) return refused(`must be at least ${min}`)
  if (typeof max === 'number' && given > max) return refused(`must be at most ${max}`)
  return ok(given)
}

function readDay(given: unknown): Result<string, string> {
  const isDay = typeof given === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(given)
  const at = isDay ? new Date(`${given}T00:00:00Z`) : null
  const isReal = at !== null && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === given
  return isReal ? ok(given as string) : refused('must be a day as YYYY-MM-DD')
}

/** No time zone is made up: a date-time without one is refused. */
function readInstant(given: unknown): Result<string, string> {
  const parts =
    typeof given === 'string'
      ? /^(\d{4}-\d{2}-\d{2})[Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})$/.exec(given)
      : null
  const at = parts === null ? Number.NaN : Date.parse(parts[0])
  if (parts === null || Number.isNaN(at) || !readDay(parts[1]).ok)
    return refused('must be an ISO 8601 date-time with its zone, such as 2026-03-01T14:30:00Z')
  return ok(new Date(at).toISOString())
}

/** Days and instants are stored in a form that sorts in order of time. */
function within(read: Result<string, string>, { min, max }: FieldValidation): Read {
  if (!read.ok) return read
  if (typeof min === 'string' && read.value < min) return refused(`must not be before ${min}`)
  if (typeof max === 'string' && read.value > max) return refused(`must not be after ${max}`)
  return read
}

function readChoices(given: unknown, { required, minItems = 0, maxItems = 100 }: FieldValidation): Read {
  if (!Array.isArray(given) || given.some((each) => typeof each !== 'string'))
    return refused('must be a list of values of options')
  if (new Set(given).size < given.length) return refused('names an option more than once')
  if (required && given.length === 0) return refused('is required and cannot be empty')
  if (given.length < minItems) return refused(`must have at least ${minItems} options`)
  if (given.length > maxItems) return refused(`must have at most ${maxItems} options`)
  return ok(given as readonly string[])
}

/** A bound must be a valid value of the data type, and is stored like one. */
export function readBound(given: number | string, dataType: FieldDataType): Result<number | string, string> {
  const read = readFieldValue(given, { dataType, validation: null })
  if (!read.ok) return read
  return typeof read.value === 'number' || typeof read.value === 'string'
    ? ok(read.value)
    : refused('is no bound')
}
