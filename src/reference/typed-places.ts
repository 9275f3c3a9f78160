/**
 * Finds places by the text that people type, and sorts several by likelihood. For searching only, never for reading a
 * source.
 */

import { allCountryCodes, findCountryCode } from './countries.ts'
import { getCell, once, readCells, readTable, readTableLines } from './data-files.ts'
import { findNamesakes, findPlaceByCode, type Place } from './places.ts'
import { canonicalUnlocode } from './port-overrides.ts'
import { findSubdivisionCode } from './subdivisions.ts'
import { indexTypedNames, type Nearness } from './typed-names.ts'

export interface TypedPlace {
  /** The text to search among the names of places: the typed text without the state or country after the name. */
  readonly name: string
  /** Countries (`NL`) and subdivisions (`US-NJ`) that were typed after the name; null when none were. */
  readonly areas: readonly string[] | null
  /** Places that have the text as another name, by canonical code. */
  readonly others: ReadonlyMap<string, Nearness>
}

export function readTypedPlace(text: string): TypedPlace {
  const whole = findByOtherNames(text)
  const [name = '', ...after] = text.split(',').map((part) => part.trim())
  const areas = name === '' ? [] : findAreas(after.filter((part) => part !== ''))
  if (areas.length === 0) return { name: text, areas: null, others: whole }
  const inThem = [...findByOtherNames(name)].filter(([unlocode]) => isWithin(unlocode, areas))
  return { name, areas, others: nearestOf([...whole, ...inThem]) }
}

/** All places that have the text as a name, their own or another one, ports first. */
export function findTypedPlaces(text: string): readonly Place[] {
  const { name, areas, others } = readTypedPlace(text)
  const named = [...others].flatMap(([unlocode, nearness]) => (nearness === 1 ? [unlocode] : []))
  const ownPlaces = [name, name.replace(portOf, '')]
    .flatMap(findNamesakes)
    .flatMap(({ unlocode }) => (areas === null || isWithin(unlocode, areas) ? [unlocode] : []))
  return [...new Set([...ownPlaces, ...named])]
    .flatMap((unlocode) => findPlaceByCode(unlocode) ?? [])
    .toSorted((a, b) => Number(b.kind === 'port') - Number(a.kind === 'port'))
}

const portOf = /^\s*(the )?port of /i

/**
 * The areas that fit all parts at once: `NJ, United States` is New Jersey. `GA` is Gabon, and also Georgia in the US.
 */
function findAreas(parts: readonly string[]): readonly string[] {
  if (parts.length === 0) return []
  const read = parts.map((part) => ({ part, countryCode: findCountryCode(part) }))
  return Array.from(allCountryCodes()).flatMap((country) => {
    const rest = read.filter(({ countryCode }) => countryCode !== country)
    if (rest.length === 0) return [country]
    const codes = new Set(rest.map(({ part }) => findSubdivisionCode(country, part)))
    const [code = null] = codes
    return codes.size === 1 && code !== null ? [`${country}-${code}`] : []
  })
}

function isWithin(unlocode: string, areas: readonly string[]): boolean {
  const place = findPlaceByCode(unlocode)
  if (place === null) return false
  const { countryCode, subdivision } = place
  return areas.includes(countryCode) || areas.includes(`${countryCode}-${subdivision}`)
}

function findByOtherNames(text: string): ReadonlyMap<string, Nearness> {
  const bare = text.replace(portOf, '')
  const found = [...(bare === text ? [] : typedNames().find(bare)), ...typedNames().find(text)]
  return nearestOf(found.map(([unlocode, nearness]) => [canonicalUnlocode(unlocode), nearness]))
}

function nearestOf(found: readonly (readonly [string, Nearness])[]): ReadonlyMap<string, Nearness> {
  return new Map(found.toSorted(([, a], [, b]) => b - a))
}

/**
 * Other names of places, and also the names of busy ports, so that these are found by their beginning and without
 * spaces.
 */
const typedNames = once(() =>
  indexTypedNames([
    ...readTable('place-names.tsv', (cells) => [getCell(cells, 1), getCell(cells, 0)] as const),
    ...[...portRanks().keys(), ...metroAreas().keys()].map(
      (unlocode) => [findPlaceByCode(unlocode)?.name ?? '', unlocode] as const,
    ),
  ]),
)

/** The order of places that share a name. Places without a rank come last. The order is rough and is never shown. */
export function placeRanks(kind: Place['kind']): ReadonlyMap<string, number> {
  return kind === 'port' ? portsFirst() : metroAreas()
}

/** Whether the trade calls this place an area. Some areas also have a port; such a place is both. */
export function isMetroArea(unlocode: string): boolean {
  return metroAreas().has(unlocode)
}

const portRanks = once(() => readRanks('port-ranks.tsv'))
const portsFirst = once(
  () => new Map([...new Set([...portRanks().keys(), ...metroAreas().keys()])].map((code, at) => [code, at + 1])),
)
const metroAreas = once(() => readRanks('metro-areas.tsv'))

function readRanks(file: string): ReadonlyMap<string, number> {
  return new Map(readTableLines(file).map((line, at) => [getCell(readCells(line), 0), at + 1] as const))
}
