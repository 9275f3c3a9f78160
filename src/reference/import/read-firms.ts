/** Reads U.S. customs' list of facilities (FIRMS codes) as `firms_code, name, status, facility_type_code, …` rows. */

import { findPlaceByName } from '../places.ts'
import { findSubdivisionCode } from '../subdivisions.ts'
import { ListReader } from './list-reader.ts'
import type { ReadList } from './record.ts'
import { readRows } from './rows.ts'

const columns = [
  'firms_code',
  'name',
  'status',
  'facility_type_code',
  'street',
  'city',
  'state',
  'zip',
  'country',
]
/** 01 container station, 03 pier, 05 inspection facility: where a container may be. */
const taken = ['01', '03', '05']
const territories = ['AS', 'GU', 'MP', 'PR', 'VI']

/** `elsewhere`: codes of terminals that stand in tables of our own. */
export function readFirms(bytes: Uint8Array, elsewhere: ReadonlySet<string>): ReadList {
  const reader = new ListReader()
  const places = new Map<string, string | null>()
  for (const row of readRows(bytes, { columns })) {
    const code = row.cell('firms_code').toUpperCase()
    const [city, state, name] = [row.cell('city'), row.cell('state').toUpperCase(), row.cell('name')]
    const at = reader.row(row.line, code)
    if (!/^[A-Z0-9]{4}$/.test(code)) at.refuseRow('firms_code', code, 'it has four letters or digits')
    else if (!/^\d{0,2}$/.test(row.cell('facility_type_code')))
      at.refuseRow('facility_type_code', row.cell('facility_type_code'), 'it has two digits')
    if (!/^[A-Z0-9]{4}$/.test(code) || elsewhere.has(code)) continue
    const type = row.cell('facility_type_code').padStart(2, '0')
    const isUs = row.cell('country') === 'US' && row.cell('status') !== 'Deactivated' && taken.includes(type)
    // Passenger clearance abroad is listed under US with the foreign city's province as state.
    if (!isUs || (findSubdivisionCode('US', state) === null && city !== '')) continue
    if (name === '') {
      at.refuseRow('name', '', 'it is empty')
      continue
    }
    const country = territories.includes(state) ? state : 'US'
    at.take({
      name,
      // CBP type 03 is a pier; the others lie behind the port.
      facilityType: type === '03' ? 'ocean_terminal' : 'off_dock',
      unlocode: findCity(city, state, country),
      street: row.cell('street') || null,
      city: city || null,
      stateAbbr: row.cell('state') || null,
      zip: row.cell('zip') || null,
      countryCode: country,
    })
  }
  return reader.result()

  function findCity(city: string, state: string, country: string): string | null {
    const key = `${city}|${state}`
    const known = places.get(key)
    if (known !== undefined) return known
    const subdivision = country === 'US' ? state : null
    const unlocode =
      city === '' ? null : (findPlaceByName({ name: city, subdivision, country })?.unlocode ?? null)
    places.set(key, unlocode)
    return unlocode
  }
}
