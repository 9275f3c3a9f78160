/** The states and provinces of a country (UN/LOCODE subdivisions), found by code or by name. */

import { getCell, once, readCells, readTableLines } from './data-files.ts'
import { plainName } from './plain-name.ts'

/** The subdivision's code (`CA`) for `CA`, `US-CA` or `California`; null when the country has no such subdivision. */
export function findSubdivisionCode(countryCode: string, text: string): string | null {
  const ofCountry = subdivisions().get(countryCode)
  if (ofCountry === undefined) return null
  const code = text.trim().toUpperCase()
  const bare = code.startsWith(`${countryCode}-`) ? code.slice(3) : code
  return ofCountry.names.has(bare) ? bare : (ofCountry.codes.get(plainName(text)) ?? null)
}

export function findSubdivisionName(countryCode: string, code: string): string | null {
  return subdivisions().get(countryCode)?.names.get(code) ?? null
}

interface Subdivisions {
  readonly names: Map<string, string>
  /** Codes by plain name; null for a name that two subdivisions have. */
  readonly codes: Map<string, string | null>
}

const subdivisions = once(() => {
  const countries = new Map<string, Subdivisions>()
  for (const line of readTableLines('subdivisions.tsv')) {
    const cells = readCells(line)
    const [country, code, name] = [getCell(cells, 0), getCell(cells, 1), getCell(cells, 2)]
    const ofCountry = countries.get(country) ?? { names: new Map(), codes: new Map() }
    countries.set(country, ofCountry)
    if (!ofCountry.names.has(code)) ofCountry.names.set(code, name)
    for (const plain of namesOf(country, name).map(plainName)) {
      const other = ofCountry.codes.get(plain) ?? code
      ofCountry.codes.set(plain, other === code ? code : null)
    }
  }
  return countries
})

/** `Abū Z̧aby [Abu Dhabi]` contains two names. `Shandong Sheng` is Shandong with the Chinese word for province. */
function namesOf(country: string, name: string): readonly string[] {
  const names = name.split(/[[\]]/).filter((part) => part.trim() !== '')
  return country === 'CN' ? [...names, name.replace(/ (Sheng|Shi)$/, '')] : names
}
