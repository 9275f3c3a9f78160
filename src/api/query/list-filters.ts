/** Filters of lists by what a shipment is about: places, ships, days, and what the account itself recorded of it. */

import type { TSchema } from 'typebox'
import type { TagFilter } from '../../db/listing/add-labels.ts'
import { anyTime, type TimeRange } from '../../db/listing/page.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import type { FieldFilter } from '../../modules/custom-fields/read-field-filters.ts'
import { Type } from '../../platform/json-schema.ts'
import { findPlaceByCode, findPlaceById } from '../../reference/places.ts'
import { findVesselById } from '../../reference/vessels.ts'
import { parameterFault } from '../errors/problem.ts'
import { isUuid } from '../http/path-parameters.ts'
import {
  arraySeparator,
  booleanFilter,
  type Filter,
  listFilter,
  makeTextFilter,
  numberFilter,
  textFilter,
} from './filters.ts'

/** Schema of a parameter that is given once for each text. */
export function severalTexts(description: string): TSchema {
  return Type.Array(Type.String({ maxLength: 2_000 }), { description })
}

/** `name` is given once for each number. */
export function severalNumbersFilter(name: string, description: string): Filter<readonly string[] | null> {
  const each = numberFilter(name, '')
  return {
    parameters: { [name]: severalTexts(description) },
    read: (given) => {
      const texts = (given.get(name) ?? '').split(arraySeparator)
      const numbers = texts.flatMap((text) => each.read(new Map([[name, text]])) ?? [])
      return numbers.length === 0 ? null : numbers
    },
  }
}

/** One status or several. */
export function statusFilter<const Status extends string>(
  statuses: readonly Status[],
): Filter<readonly Status[] | null> {
  return listFilter(
    'filter[status]',
    statuses,
    'One status, or several, separated by commas. An item matches if it has one of them.',
  )
}

export const refNumberFilter = textFilter('filter[ref_number]', 'One whole reference number, in upper or lower case.')

/** The UN/LOCODE of a place that is named by code or by id; aliases are resolved. An unknown place finds nothing. */
export function placeFilter(name: string, what: string): Filter<string | null> {
  const description = `${what}, by UN/LOCODE or id.`
  return makeTextFilter(name, Type.String({ description, maxLength: 36 }), (text) => {
    const given = text.trim()
    if (isUuid(given)) return findPlaceById(given.toLowerCase())?.unlocode ?? given
    const code = given.replace(/\s/g, '').toUpperCase()
    if (!/^[A-Z]{2}[A-Z0-9]{3}$/.test(code))
      throw parameterFault('invalid', name, `\`${name}\` is a UN/LOCODE, such as USLAX, or an id.`)
    return findPlaceByCode(code)?.unlocode ?? code
  })
}

/** The IMO number of a ship that is named by number or by id. The id of a ship that is in no list finds nothing. */
export function vesselFilter(name: string, what: string): Filter<string | null> {
  const description = `${what}, by IMO number or id.`
  return makeTextFilter(name, Type.String({ description, maxLength: 36 }), (text) => {
    const given = text.trim()
    if (isUuid(given)) return findVesselById(given.toLowerCase())?.imo ?? given
    const imo = /^(?:IMO ?)?(\d{7})$/i.exec(given)?.[1]
    if (imo === undefined)
      throw parameterFault('invalid', name, `\`${name}\` must be an IMO number of seven digits, or an id.`)
    return imo
  })
}

/** `name[start]` and `name[end]`: days (YYYY-MM-DD) at the place; both belong to the range. */
export function dayFilter(name: string, what: string): Filter<TimeRange> {
  const [start, end] = [`${name}[start]`, `${name}[end]`]
  const schema = (bound: string): TSchema =>
    Type.String({ format: 'date', description: `${what}: ${bound}, as YYYY-MM-DD.` })
  return {
    parameters: { [start]: schema('this day or later'), [end]: schema('this day or earlier') },
    read: (given) =>
      given.has(start) || given.has(end)
        ? { start: readDay(start, given.get(start)), end: readDay(end, given.get(end)) }
        : anyTime,
  }
}

function readDay(name: string, text: string | undefined): string | null {
  if (text === undefined || text.trim() === '') return null
  const day = text.trim()
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : null
  if (at === null || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day)
    throw parameterFault('invalid', name, `\`${name}\` must be a day as YYYY-MM-DD.`)
  return day
}

/** `until`: a day to which a forecast goes. */
export function untilFilter(description: string): Filter<string | null> {
  return makeTextFilter('until', Type.String({ format: 'date', maxLength: 10, description }), (text) => {
    const time = parseEventTime(text.trim())
    if (time?.kind === 'day') return time.on
    throw parameterFault('invalid', 'until', '`until` is a day, such as 2026-01-31.')
  })
}

const textsMax = 20

/**
 * `filter[tags]`: one of these tags, or with `filter[tags_and]=true` all of them. `names`: the parameters that can have
 * tags; the first that has some is read.
 */
export function tagsFilter(whose: string, names: readonly string[] = ['filter[tags]']): Filter<TagFilter | null> {
  const isAll = booleanFilter('filter[tags_and]', 'True: all the tags of `filter[tags]` are needed.')
  const each = names.map((name) => {
    const [list, array] = [name, `${name}[]`].map((parameter) =>
      textsFilter(parameter, `A tag ${whose}, or a comma list of tags of which it has one.`),
    )
    return { list, array }
  })
  const all = each.flatMap(({ list, array }) => [list ?? [], array ?? []].flat())
  const several = Object.fromEntries(names.map((name) => [`${name}[]`, severalTexts('Tags of which it has one.')]))
  return {
    parameters: Object.assign({}, ...all.map(({ parameters }) => parameters), several, isAll.parameters),
    read: (given) => {
      const areAllNeeded = isAll.read(given) === true
      const texts = each.map(({ list, array }) => [list?.read(given) ?? [], array?.read(given) ?? []].flat())
      const tags = texts.find((found) => found.length > 0)
      return tags === undefined ? null : { tags: [...new Set(tags)], areAllNeeded }
    },
  }
}

/** A comma-separated list of texts; of a parameter that is given several times, all of its texts. */
export function textsFilter(name: string, description: string): Filter<readonly string[] | null> {
  return makeTextFilter(name, Type.String({ description, maxLength: 2_000 }), (text) => {
    const texts = [...new Set(text.split(/[,\n]/).flatMap((each) => each.trim() || []))]
    if (texts.length > textsMax || text.length > 2_000)
      throw parameterFault('invalid', name, `\`${name}\` has at most ${textsMax} texts, 2,000 characters in all.`)
    return texts.length === 0 ? null : texts
  })
}

const fieldsMax = 5

/** `filter[custom_fields][<api_slug>]`, once for each field. */
export function customFieldsFilter(): Filter<readonly (FieldFilter & { readonly parameter: string })[]> {
  const pattern = /^filter\[custom_fields\]\[([a-z0-9][a-z0-9_-]{0,63})\]$/
  const description =
    'The value of a custom field. Put its `api_slug` in place of this name. If the field has several values, one of them must match.'
  return {
    parameters: { 'filter[custom_fields][api_slug]': Type.String({ description, maxLength: 500 }) },
    pattern,
    read: (given) => {
      const fields = [...given].flatMap(([parameter, text]) => {
        const slug = pattern.exec(parameter)?.[1]
        return slug === undefined || text === '' ? [] : [{ slug, text, parameter }]
      })
      const tooMany = fields[fieldsMax]
      if (tooMany !== undefined)
        throw parameterFault(
          'invalid',
          tooMany.parameter,
          `A request can filter by at most ${fieldsMax} custom fields.`,
        )
      for (const { text, parameter } of fields) {
        if (text.length > 500) throw parameterFault('invalid', parameter, 'The value is longer than 500 characters.')
      }
      return fields
    },
  }
}
