/**
 * The filters of the v2 API that are written as `filter[name]=value`: lists with commas, `@exists`, comparisons such as
 * `>=2026-10-01`, days such as `7.days.ago`. With `filter[name][]`, given several times, all must hold; for codes any.
 */

import type { TSchema } from 'typebox'
import type {
  Day,
  FilterableValue,
  FilterableValues,
  NamedDemands,
  Operator,
  ValueDemand,
} from '../../db/listing/demands.ts'
import { Type } from '../../platform/json-schema.ts'
import { findNamesakes } from '../../reference/places.ts'
import { parameterFault } from '../errors/problem.ts'
import { isUuid } from '../http/path-parameters.ts'
import { arraySeparator, type Filter } from './filters.ts'
import { severalTexts } from './list-filters.ts'

const listMax = 100

export function demandFilters(values: FilterableValues): Filter<readonly NamedDemands[]> {
  const entries = Object.entries(values).map(([name, value]) => {
    const parameter = `filter[${name}]`
    return { name, value, parameter, forms: [parameter, `${parameter}[]`] }
  })
  const unanswerable = entries.flatMap(({ parameter, value }) =>
    value.kind === 'unanswerable' ? { parameter, detail: `No row is listed, because ${value.because}.` } : [],
  )
  const parameters: Record<string, TSchema> = {}
  for (const { parameter, value } of entries) {
    parameters[parameter] = Type.String({ description: describeFilterValue(value), maxLength: 2_000 })
    if (hasArray(value))
      parameters[`${parameter}[]`] = severalTexts(isAnyOfArray(value) ? 'One of them.' : 'All of them.')
  }
  return {
    parameters,
    unanswered: (given) => unanswerable.filter(({ parameter }) => given.has(parameter)),
    read: (given) =>
      entries.flatMap(({ name, value, forms }) => {
        const all = forms.flatMap((parameter) => {
          if (!given.has(parameter)) return []
          const texts = (given.get(parameter) ?? '').split(arraySeparator).filter((text) => text.trim() !== '')
          const read = texts.map((text) => readDemand(parameter, value, text.trim()))
          const isMerged = isAnyOfArray(value) && read.length > 1 && read.every(({ kind }) => kind === 'texts')
          return isMerged ? [mergeTexts(read)] : read
        })
        const single =
          value.kind === 'window' ? readWindow(name, all) : value.kind === 'dayPair' ? readPair(name, all) : all
        return single.length === 0 ? [] : [{ name, all: single }]
      }),
  }
}

function hasArray({ kind }: FilterableValue): boolean {
  return !['flag', 'selector', 'prefixes', 'unanswerable'].includes(kind)
}

const noPresence: ReadonlySet<FilterableValue['kind']> = new Set([
  'codes',
  'prefixes',
  'window',
  'dayPair',
  'unanswerable',
])

function isAnyOfArray(value: FilterableValue): boolean {
  return value.kind === 'codes' || ('isAny' in value && value.isAny === true)
}

const presence = '`@exists` or `@not_exists`'

function describeFilterValue(value: FilterableValue): string {
  switch (value.kind) {
    case 'names':
    case 'places':
    case 'texts':
      return `The exact text, or a comma list of them; ${presence}.`
    case 'ids':
      return `The id, or a comma list of ids; ${presence}.`
    case 'codes':
      return 'The code or id, or a comma list of them.'
    case 'days':
    case 'momentDays':
      return `A day: YYYY-MM-DD, \`today\`, \`7.days.ago\` or \`7.days.from_now\`, with \`=\`, \`<\`, \`<=\`, \`>\` or \`>=\` before it, or a comma list of days; ${presence}.`
    case 'moments':
      return `ISO 8601 date-time with its zone, with \`=\`, \`<\`, \`<=\`, \`>\` or \`>=\` before it; ${presence}.`
    case 'prefixes':
      return 'The beginning, in upper or lower case, or a comma list of beginnings.'
    case 'flag':
      return '`true` or `false`. A row for which this is not known is in neither.'
    case 'selector':
      return value.ifFalse === undefined ? '`true`. `false` does nothing.' : '`true`. `false` does the same.'
    case 'window':
      return 'ISO 8601 date-time with its zone and with `>` or `>=` before it: since when. With `[]`, also until when: `<` or `<=`.'
    case 'dayPair':
      return 'With `[]`, twice: the first and the last day, as YYYY-MM-DD.'
    case 'unanswerable':
      return `Finds nothing, because ${value.because}.`
  }
}

function mergeTexts(demands: readonly ValueDemand[]): ValueDemand {
  return { kind: 'texts', anyOf: demands.flatMap((each) => (each.kind === 'texts' ? each.anyOf : [])) }
}

/** One demand, from the first bound below to the bound above. */
function readWindow(name: string, demands: readonly ValueDemand[]): readonly ValueDemand[] {
  if (demands.length === 0) return []
  const bounds = (sign: string): readonly string[] =>
    demands.flatMap((each) => (each.kind === 'moment' && each.operator.startsWith(sign) ? each.at : []))
  const [from, to = null] = [bounds('>'), bounds('<')].map((found) => found.toSorted().at(0))
  if (from === undefined || from === null || demands.length > 2 || (to !== null && to <= from)) {
    const parameter = `filter[${name}]`
    throw parameterFault(
      'malformed',
      parameter,
      `\`${parameter}\` must have one start, such as \`>=2026-10-01T00:00:00Z\`, and may have one later end.`,
    )
  }
  return [{ kind: 'window', from, to }]
}

function readPair(name: string, demands: readonly ValueDemand[]): readonly ValueDemand[] {
  if (demands.length === 0) return []
  const days = demands.flatMap((each) => (each.kind === 'days' && each.operator === '=' ? each.anyOf : []))
  const [first, last] = days
  const isPair = demands.length === 2 && days.length === 2 && days.every((day) => 'on' in day)
  if (first === undefined || last === undefined || !isPair) {
    const parameter = `filter[${name}][]`
    throw parameterFault(
      'malformed',
      parameter,
      `\`${parameter}\` must be given twice: the first and the last day, as YYYY-MM-DD.`,
    )
  }
  return [
    { kind: 'days', operator: '>=', anyOf: [first] },
    { kind: 'days', operator: '<=', anyOf: [last] },
  ]
}

function readDemand(parameter: string, { kind }: FilterableValue, text: string): ValueDemand {
  const bad = (what: string) => parameterFault('malformed', parameter, `\`${parameter}\` must be ${what}.`)
  if (kind === 'flag' || kind === 'selector') {
    if (text !== 'true' && text !== 'false') throw bad('true or false')
    return { kind: 'flag', value: text === 'true' }
  }
  if (!noPresence.has(kind) && /^@(not_)?exists$/.test(text)) return { kind: 'present', isPresent: text === '@exists' }
  const list = text.split(',').map((each) => each.trim())
  if (list.length > listMax) throw bad(`a list of ${listMax} values at most`)
  switch (kind) {
    case 'ids': {
      const ids = list.map((each) => each.replace(/^=/, '').toLowerCase())
      if (!ids.every(isUuid)) throw bad('an id, a UUID, or a comma list of ids')
      return { kind: 'texts', anyOf: ids }
    }
    case 'names':
    case 'places':
    case 'texts':
    case 'codes':
    case 'unanswerable':
    case 'prefixes': {
      const optional =
        kind === 'prefixes' ? /^~/ : kind === 'names' || kind === 'places' || kind === 'texts' ? /^=/ : /^$/
      const texts = list.map((each) => each.replace(optional, ''))
      if (!texts.every((each) => /^[\p{L}\p{N} _.&-]+$/u.test(each)))
        throw bad('letters, digits, blanks, `_`, `-`, `.` and `&`, or a comma list of such texts')
      return kind === 'places'
        ? { kind, names: texts, codes: texts.flatMap(findCodes) }
        : { kind: 'texts', anyOf: texts }
    }
    case 'window':
    case 'moments': {
      const [, operator = '=', at = ''] = /^(<=?|>=?|=)?(.*)$/.exec(text) ?? []
      // A bare `+` in a query arrives as a blank.
      const written = at.trim().replace(/ (\d{2}:?\d{2})$/, '+$1')
      const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i.test(written)
      if (!isMoment || Number.isNaN(Date.parse(written))) throw bad('an ISO 8601 date-time with its zone')
      return { kind: 'moment', operator: operator as Operator, at: new Date(written).toISOString() }
    }
    default: {
      const [, operator, rest = ''] = /^(<=?|>=?|=)?(.*)$/.exec(text) ?? []
      const days = (operator === undefined ? list : [rest.trim()]).map(readDay)
      const known = days.filter((day) => day !== null)
      if (known.length < days.length)
        throw bad('a day as YYYY-MM-DD, `today`, `7.days.ago` or `7.days.from_now`; a comma list has no comparison')
      return { kind: 'days', operator: (operator ?? '=') as Operator, anyOf: known }
    }
  }
}

function readDay(text: string): Day | null {
  if (text === 'today') return { afterToday: 0 }
  const [, count, direction] = /^(\d{1,4})\.days\.(ago|from_now)$/.exec(text) ?? []
  if (count !== undefined) return { afterToday: direction === 'ago' ? -Number(count) : Number(count) }
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? { on: text } : null
}

/** UN/LOCODEs of the places with exactly this name. */
function findCodes(name: string): readonly string[] {
  return findNamesakes(name).flatMap((place) => (place.name === name ? place.unlocode : []))
}
