/** Reads a place: a UN/LOCODE, or what else is known about it. An unknown place keeps its name. */

import type { ObservedPlace } from '../../core/statements/observation.ts'
import { parseUnLocode } from '../../core/values/identifiers.ts'
import { resolvePlace } from '../../reference/places.ts'
import { openCheck } from './check.ts'
import { StatementProblem } from './problem.ts'
import { placeSchema } from './schema.ts'
import { tidied } from './text.ts'

const checkPlace = openCheck(placeSchema)

export function readPlace(value: unknown, field: string): ObservedPlace {
  const said = checkPlace(typeof value === 'string' ? { unlocode: value } : value, field)
  const text = (member: 'facility_code' | 'name' | 'city' | 'subdivision' | 'country'): string | null => {
    const written = said[member]
    return written === undefined ? null : tidied(written, `${field}/${member}`)
  }
  const unlocode = said.unlocode === undefined ? null : parseUnLocode(said.unlocode)
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
    facilityCodeListProvider: said.facility_list ?? null,
    facilityNames: [name],
    // A name without its country identifies no place: too many places share it.
    ...(country !== null && { name, city, subdivision, country }),
  })
  return {
    unlocode: resolved?.place.unlocode ?? null,
    terminalId: resolved?.terminal?.id ?? null,
    facilityCode,
    facilityType: said.facility_type ?? null,
    name: name ?? city ?? (resolved === null ? (unlocode?.value ?? null) : null),
    timeZone: resolved?.timeZone ?? null,
  }
}
