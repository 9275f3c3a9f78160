/** Reads a place: a UN/LOCODE, or other known data about it. An unknown place has its name only. */

import type { ObservedPlace } from '../../domain/statements/observation.ts'
import { parseUnLocode } from '../../domain/values/identifiers.ts'
import { resolvePlace } from '../../reference/places.ts'
import { makeSchemaCheck } from './check.ts'
import { StatementProblem } from './problem.ts'
import { placeSchema } from './schema.ts'
import { normalizeText } from './text.ts'

const checkPlace = makeSchemaCheck(placeSchema)

export function readPlace(value: unknown, field: string): ObservedPlace {
  const checkedPlace = checkPlace(typeof value === 'string' ? { unlocode: value } : value, field)
  const text = (member: 'facility_code' | 'name' | 'city' | 'subdivision' | 'country'): string | null => {
    const written = checkedPlace[member]
    return written === undefined ? null : normalizeText(written, `${field}/${member}`)
  }
  const unlocode = checkedPlace.unlocode === undefined ? null : parseUnLocode(checkedPlace.unlocode)
  if (unlocode?.ok === false) {
    const at = typeof value === 'string' ? field : `${field}/unlocode`
    throw new StatementProblem(
      'wrong_type',
      at,
      'this is not a UN/LOCODE, which has two letters of the country and three of the place',
    )
  }
  const name = text('name')
  const facilityCode = text('facility_code')
  const [city, subdivision, country] = [text('city'), text('subdivision'), text('country')]
  const resolved = resolvePlace({
    unlocode: unlocode?.value ?? null,
    facilityCode,
    facilityCodeListProvider: checkedPlace.facility_list ?? null,
    facilityNames: [name],
    // A name without its country identifies no place: too many places share it.
    ...(country !== null && { name, city, subdivision, country }),
  })
  return {
    unlocode: resolved?.place.unlocode ?? null,
    terminalId: resolved?.terminal?.id ?? null,
    facilityCode,
    facilityType: checkedPlace.facility_type ?? null,
    name: name ?? city ?? (resolved === null ? (unlocode?.value ?? null) : null),
    timeZone: resolved?.timeZone ?? null,
  }
}
