/**
 * Reads the list of facilities of U.S. customs (FIRMS codes). Its rows: `firms_code, name, status, facility_type_code,
 * …`.
 */

import { findPlaceByName } from '../places.ts'
import { findSubdivisionCode } from '../subdivisions.ts'
import { ListReader } from './list-reader.ts'
import type { ReadList } from './record.ts'
import { readRows } from './rows.ts'

const columns = ['firms_code', 'name', 'status', 'facility_type_code', 'street', 'city', 'state', 'zip', 'country']
/** 01 container station, 03 pier, 05 inspection facility: the types of facility where a container may be. */
const acceptedTypes = ['01', '03', '05']
const territories = ['AS', 'GU', 'MP', 'PR', 'VI']

/** `elsewhere`: codes of terminals that are already in our own tables. */
export function readFirms(bytes: Uint8Array, elsewhere: ReadonlySet<string>): ReadList {
  const reader = new ListReader()
  const places = new Map<string, string | null>()
  for (const row of readRows(bytes, { columns })) {
    const code = row.cell('firms_code').toUpperCase()
    const [city, state, name] = [row.cell('city'), row.cell('state').toUpperCase(), row.cell('name')]
    const at = reader.row(row.line, code)
    if (!/^[A-Z0-9]{4}$/.test(code)) at.refuseRow('firms_code', code, 'it must have four letters or digits')
    else if (!/^\d{0,2}$/.test(row.cell('facility_type_code')))
      at.refuseRow('facility_type_code', row.cell('facility_type_code'), 'it must have two digits')
    if (!/^[A-Z0-9]{4}$/.test(code) || elsewhere.has(code)) continue
    const type = row.cell('facility_type_code').padStart(2, '0')
    const isUs = row.cell('country') === 'US' && row.cell('status') !== 'Deactivated' && acceptedTypes.includes(type)
    // Offices abroad that clear passengers are listed under US, with the foreign city's province as state.
    if (!isUs || (findSubdivisionCode('US', state) === null && city !== '')) continue
    if (name === '') {
      at.refuseRow('name', '', 'it is empty')
      continue
    }
    const country = territories.includes(state) ? state : 'US'
    at.take({
      name,
      // CBP type 03 is a pier. The other types lie inland of the port.
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
    const unlocode = city === '' ? null : (findPlaceByName({ name: city, subdivision, country })?.unlocode ?? null)
    places.set(key, unlocode)
    return unlocode
  }
}
