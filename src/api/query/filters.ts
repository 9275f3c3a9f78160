/**
 * The kinds of filter that lists have: how each is documented and read from the query. An empty parameter counts as not
 * given.
 */

import type { TSchema } from 'typebox'
import { anyTime, type TimeRange } from '../../db/listing/page.ts'
import { isOneOf } from '../../domain/values/codes.ts'
import { asciiRequirement, isInAscii, removeInvisibleCharacters } from '../../domain/values/identifiers.ts'
import { lastMomentOf } from '../../domain/values/time.ts'
import { Type } from '../../platform/json-schema.ts'
import { findCountryName } from '../../reference/countries.ts'
import { findNamedLine } from '../../reference/named-lines.ts'
import { parameterFault } from '../errors/problem.ts'
import { isUuid } from '../http/path-parameters.ts'

/** Separates the values of a parameter whose name ends in `[]`. No value can contain it. */
export const arraySeparator = '\n'

export interface Unanswered {
  readonly parameter: string
  readonly detail: string
}

export interface Filter<Value> {
  /** Schemas by name of the parameter. */
  readonly parameters: Readonly<Record<string, TSchema>>
  readonly read: (given: ReadonlyMap<string, string>) => Value
  /** The given parameters of which nothing is known, so that nothing is found, each with the reason. */
  readonly unanswered?: (given: ReadonlyMap<string, string>) => readonly Unanswered[]
  /** Every allowed value, where their number is limited. */
  readonly values?: readonly string[]
  /** True for a parameter that must be given. */
  readonly isRequired?: boolean
  /** Pattern of parameters whose names contain a name that the account chose. */
  readonly pattern?: RegExp
}

/** Makes a filter obligatory: without it, 400 names the parameter. */
export function requireFilter<Value>(name: string, filter: Filter<Value | null>): Filter<Value> {
  return {
    parameters: filter.parameters,
    isRequired: true,
    read: (given) => {
      const value = filter.read(given)
      if (value === null) throw parameterFault('malformed', name, `\`${name}\` is required here.`)
      return value
    },
  }
}

/** Several names of one filter: the first that is given counts. */
export function firstFilter<Value>(...filters: readonly Filter<Value | null>[]): Filter<Value | null> {
  return {
    parameters: Object.assign({}, ...filters.map(({ parameters }) => parameters)),
    read: (given) => filters.reduce<Value | null>((found, filter) => found ?? filter.read(given), null),
  }
}

/** Accepts `filter[name]`, and the bare name that some clients send. */
export function bracketOrBareFilter<Value>(
  name: string,
  make: (parameter: string) => Filter<Value | null>,
): Filter<Value | null> {
  return firstFilter(make(`filter[${name}]`), make(name))
}

export function textFilter(name: string, description: string): Filter<string | null> {
  return makeTextFilter(name, Type.String({ description, maxLength: 200 }), (text) => {
    if (text.length > 200) throw parameterFault('invalid', name, 'The value is longer than 200 characters.')
    return text.trim()
  })
}

/** A part of a number or reference. Characters that nobody sees do not count. */
export function partialTextFilter(name: string, description: string): Filter<string | null> {
  const { parameters, read } = textFilter(name, description)
  return {
    parameters,
    read: (given) => read(new Map([[name, removeInvisibleCharacters(given.get(name) ?? '')]])),
  }
}

/**
 * A number such as that of a container or a bill. Above 40 characters, those that nobody sees not counted, it is
 * refused before any other check. With `isList` there may be several, with commas between them.
 */
export function numberFilter(name: string, description: string, { isList = false } = {}): Filter<string | null> {
  const numbersMax = isList ? 100 : 1
  return makeTextFilter(name, Type.String({ description, maxLength: numbersMax * 41 - 1 }), (given) => {
    const text = removeInvisibleCharacters(given)
    const numbers = isList ? text.split(',') : [text]
    if (numbers.length > numbersMax)
      throw parameterFault('invalid', name, `\`${name}\` has ${numbersMax} numbers at most.`)
    if (numbers.some((number) => number.length > 40))
      throw parameterFault('invalid', name, 'A number must not be longer than 40 characters.')
    if (!isInAscii(text)) throw parameterFault('invalid', name, `This is not a valid number: ${asciiRequirement}.`)
    return text.trim()
  })
}

export function choiceFilter<const Value extends string>(
  name: string,
  values: readonly Value[],
  aliases: Readonly<Record<string, NoInfer<Value>>> = {},
): Filter<Value | null> {
  const accepted = [...values, ...Object.keys(aliases)]
  const schema = Type.Unsafe({ type: 'string', enum: accepted })
  const choice = makeTextFilter(name, schema, (text) => {
    const value = values.find((each) => each === text) ?? (Object.hasOwn(aliases, text) ? aliases[text] : undefined)
    if (value === undefined) throw parameterFault('invalid', name, `\`${name}\` is one of ${accepted.join(', ')}.`)
    return value
  })
  return { ...choice, values }
}

/** A comma-separated list of these values. */
export function listFilter<const Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
): Filter<readonly Value[] | null> {
  const list = makeTextFilter(name, Type.String({ description }), (text) => {
    const given = text.split(',').flatMap((each) => each.trim() || [])
    const known = given.filter((each) => isOneOf(values, each))
    if (known.length < given.length)
      throw parameterFault('invalid', name, `\`${name}\` must be a comma list of ${values.join(', ')}.`)
    return known
  })
  return { ...list, values }
}

export function integerFilter(
  name: string,
  range: {
    readonly min: number
    readonly max: number
    readonly fallback: number
    readonly description: string
  },
): Filter<number> {
  const { min, max, fallback, description } = range
  const schema = Type.Integer({ minimum: min, maximum: max, default: fallback, description })
  const { parameters, read } = makeTextFilter(name, schema, (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw parameterFault('invalid', name, `\`${name}\` must be a whole number from ${min} to ${max}.`)
  })
  return { parameters, read: (given) => read(given) ?? fallback }
}

export function booleanFilter(name: string, description?: string): Filter<boolean | null> {
  return makeTextFilter(name, Type.Boolean(description === undefined ? {} : { description }), (text) => {
    if (text !== 'true' && text !== 'false') throw parameterFault('invalid', name, `\`${name}\` must be true or false.`)
    return text === 'true'
  })
}

/** Decimal degrees, from minus to plus `max`. */
export function degreesFilter(name: string, max: number): Filter<number | null> {
  return makeTextFilter(name, Type.Number({ minimum: -max, maximum: max }), (text) => {
    const value = /^[+-]?\d{1,3}(\.\d{1,15})?$/.test(text.trim()) ? Number(text) : Number.NaN
    if (Math.abs(value) <= max) return value
    throw parameterFault('invalid', name, `\`${name}\` must be decimal degrees from -${max} to ${max}.`)
  })
}

/** An id. One that no row has finds nothing. */
export function idFilter(name: string, description: string): Filter<string | null> {
  return makeTextFilter(name, Type.String({ format: 'uuid', description }), (text) => {
    if (!isUuid(text.trim())) throw parameterFault('invalid', name, `\`${name}\` is an id, a UUID.`)
    return text.trim().toLowerCase()
  })
}

/** A line by any of its codes or names. An unknown SCAC finds nothing. */
export function scacFilter(name: string): Filter<string | null> {
  return makeTextFilter(
    name,
    Type.String({ description: 'SCAC of the shipping line, one of its other codes, or its name.' }),
    (text) => {
      const named = findNamedLine(text)
      if (named.kind === 'line') return named.line.scac
      if (named.kind === 'several') throw parameterFault('invalid', name, named.detail)
      if (/^[A-Za-z]{2,4}$/.test(text.trim())) return text.trim().toUpperCase()
      throw parameterFault('invalid', name, 'No line has this name. A SCAC is two to four letters.')
    },
  )
}

/**
 * How a date is completed, and whether a time without a fraction means the end of its second. `keepsDay`: a date stays
 * one.
 */
interface Bound {
  readonly restOfDay: string
  readonly isEnd: boolean
  readonly keepsDay?: boolean
}

const startBound: Bound = { restOfDay: 'T00:00:00.000Z', isEnd: false }
const endBound: Bound = { restOfDay: 'T23:59:59.999Z', isEnd: true }

/** One moment; a date means its first moment in UTC. */
export function momentFilter(
  name: string,
  description: string,
  { isEnd }: Pick<Bound, 'isEnd'> = startBound,
): Filter<string | null> {
  return {
    parameters: {
      [name]: Type.String({ description: `ISO 8601 date-time, or a date (UTC). ${description}` }),
    },
    read: (given) => readMoment(name, given.get(name), { ...startBound, isEnd }),
  }
}

/**
 * `name[start]` and `name[end]`: ISO 8601 moments, or dates in UTC. A date as the end includes the whole day, a time
 * without a fraction its whole second. `isAtPlace`: a date is the whole day at the place of the moment.
 */
export function timeFilter(name: string, { isAtPlace: keepsDay = false } = {}): Filter<TimeRange> {
  const [start, end] = [`${name}[start]`, `${name}[end]`]
  const day = keepsDay ? 'a date: the whole day at the place.' : 'a date (UTC).'
  const schema = Type.String({ description: `ISO 8601 date-time, or ${day}` })
  return {
    parameters: { [start]: schema, [end]: schema },
    read: (given) =>
      given.has(start) || given.has(end)
        ? {
            start: readMoment(start, given.get(start), { ...startBound, keepsDay }),
            end: readMoment(end, given.get(end), { ...endBound, keepsDay }),
          }
        : anyTime,
  }
}

/** Null when neither end is given, which means that no time was requested. */
export function windowFilter(
  start: string,
  end: string,
  about: { readonly start: string; readonly end: string },
): Filter<{ readonly from: string | null; readonly to: string | null } | null> {
  const schema = (description: string) =>
    Type.String({ description: `ISO 8601 date-time, or a date (UTC). ${description}` })
  return {
    parameters: { [start]: schema(about.start), [end]: schema(about.end) },
    read: (given) => {
      if (!given.has(start) && !given.has(end)) return null
      const from = readMoment(start, given.get(start), startBound)
      const to = readMoment(end, given.get(end), endBound)
      if (from !== null && to !== null && from > to)
        throw parameterFault('invalid', end, `\`${end}\` is before \`${start}\`.`)
      return { from, to }
    },
  }
}

export function countryFilter(name: string): Filter<string | null> {
  return makeTextFilter(name, Type.String({ description: 'ISO 3166-1 alpha-2 code: `NL`.' }), (text) => {
    const code = text.trim().toUpperCase()
    if (findCountryName(code) === null)
      throw parameterFault('invalid', name, `\`${name}\` must be the two letters of a country (ISO 3166-1).`)
    return code
  })
}

function readMoment(name: string, text: string | undefined, { restOfDay, isEnd, keepsDay }: Bound): string | null {
  if (text === undefined || text.trim() === '') return null
  // A bare `+` in a query arrives as a blank, so `2026-01-06T00:00:00+01:00` may contain one.
  const written = text.trim().replace(/ (\d{2}:?\d{2})$/, '+$1')
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written)
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i.test(written)
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(written)
  const whole = isDay ? written + restOfDay : hasZone ? written : `${written}Z`
  const at = new Date(whole)
  const isReal = (isDay || isMoment) && !Number.isNaN(at.getTime()) && (!isDay || at.toISOString().startsWith(written))
  if (!isReal) throw parameterFault('invalid', name, `\`${name}\` is an ISO 8601 date-time or date.`)
  if (isDay && keepsDay) return written
  return isEnd ? lastMomentOf({ at: at.toISOString(), written: whole }) : at.toISOString()
}

export function makeTextFilter<Value>(
  name: string,
  schema: TSchema,
  read: (text: string) => Value,
): Filter<Value | null> {
  return {
    parameters: { [name]: schema },
    read: (given) => {
      const text = given.get(name)
      return text === undefined || text.trim() === '' ? null : read(text)
    },
  }
}
