/**
 * The world's places by UN/LOCODE, each under one canonical code, and how whatever a source sends becomes one of
 * them: an exact code beats a name, a name must be exact and meant by one place only, and unknown stays unknown.
 */

import { parseUnLocode } from '../core/identifiers.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../platform/ids.ts'
import { findCountryCode } from './countries.ts'
import { getCell, once, readCells, readTableLines } from './data-files.ts'
import { makeIdIndex } from './id-index.ts'
import { plainName } from './plain-name.ts'
import { allPortOverrides, canonicalUnlocode, findPortOverride } from './port-overrides.ts'
import { findSubdivisionCode } from './subdivisions.ts'
import { type FacilityCode, findTerminal, type Terminal } from './terminals.ts'

export interface Place {
  readonly id: string
  readonly unlocode: string
  readonly name: string
  readonly city: string | null
  /** The UN/LOCODE subdivision without its country: `CA`, `ZJ`. */
  readonly subdivision: string | null
  readonly countryCode: string
  /** IANA zone, null where the data has none. */
  readonly timeZone: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly kind: 'port' | 'metro_area'
}

export interface PlaceName {
  readonly name: string
  /** Code or name. */
  readonly subdivision?: string | null
  /** ISO 3166 code or English name. */
  readonly country?: string | null
}

/** A place as a source wrote it. */
export interface WrittenPlace {
  readonly unlocode?: string | null
  readonly facilityCode?: string | null
  readonly facilityCodeListProvider?: FacilityCode['provider'] | null
  readonly name?: string | null
  readonly city?: string | null
  readonly subdivision?: string | null
  readonly country?: string | null
}

export interface ResolvedPlace {
  readonly place: Place
  readonly terminal: Terminal | null
  /** What decided: an alias in the override table, a UN/LOCODE, a facility's code, or a name. */
  readonly rule: 'override' | 'unlocode' | 'facility' | 'name'
}

/** Null when nothing that was sent names exactly one place that we know; the caller counts that. */
export function resolvePlace(written: WrittenPlace): ResolvedPlace | null {
  const terminal = findWrittenTerminal(written)
  const unlocode = parseUnLocode(written.unlocode ?? '')
  const byCode = unlocode.ok ? findPlaceByCode(unlocode.value) : null
  if (unlocode.ok && byCode !== null) {
    return { place: byCode, terminal, rule: byCode.unlocode === unlocode.value ? 'unlocode' : 'override' }
  }
  const ofTerminal = terminal?.unlocode ? findPlaceByCode(terminal.unlocode) : null
  if (ofTerminal !== null) return { place: ofTerminal, terminal, rule: 'facility' }
  const { subdivision = null, country = null } = written
  for (const name of [written.name, written.city]) {
    const byName = name ? findPlaceByName({ name, subdivision, country }) : null
    if (byName !== null) return { place: byName, terminal, rule: 'name' }
  }
  return null
}

function findWrittenTerminal(written: WrittenPlace): Terminal | null {
  const { facilityCode: code, facilityCodeListProvider: provider, unlocode = null } = written
  return code && provider ? findTerminal({ provider, code, unlocode }) : null
}

/** The place of a UN/LOCODE; an alias gives the place that it stands for (CNSHA: Shanghai, CNSHG). */
export function findPlaceByCode(unlocode: string): Place | null {
  const parsed = parseUnLocode(unlocode)
  if (!parsed.ok) return null
  const code = canonicalUnlocode(parsed.value)
  const line = rows().get(code)
  if (line === undefined) return null
  const place = opened.get(code) ?? readPlace(line)
  opened.set(code, place)
  return place
}

export function findPlaceById(id: string): Place | null {
  const unlocode = ids().find(id)
  return unlocode === null ? null : findPlaceByCode(unlocode)
}

/** The one place of exactly this name (`plainName`); null when there is none or more than one. */
export function findPlaceByName({ name, subdivision = null, country = null }: PlaceName): Place | null {
  const countryCode = country ? findCountryCode(country) : null
  if (country && countryCode === null) return null
  const namesakes = (names().get(plainName(name)) ?? '')
    .split(' ')
    .filter((code) => countryCode === null || code.startsWith(countryCode))
    .map(findPlaceByCode)
    .filter((place) => place !== null)
  if (!subdivision) return onlyOne(namesakes)
  const inIt = namesakes.filter((place) => place.subdivision !== null && place.subdivision === meant(place))
  if (inIt.length > 0) return onlyOne(inIt)
  // A list that doesn't know the subdivision of the only place of that name does not contradict the source.
  const place = onlyOne(namesakes)
  return place !== null && (place.subdivision === null || meant(place) === null) ? place : null

  function meant(place: Place): string | null {
    return findSubdivisionCode(place.countryCode, subdivision ?? '')
  }
}

function onlyOne(places: readonly Place[]): Place | null {
  return places.length === 1 ? (places[0] ?? null) : null
}

/** Loads the table and its indexes now instead of at their first use; gives the number of places. */
export function openPlaces(): number {
  names()
  ids()
  return unlocodes().length
}

const opened = new Map<string, Place>()

/** Rows of the table by code. */
const rows = once(
  () => new Map(readTableLines('locations.tsv.gz').map((line) => [line.slice(0, 5), line] as const)),
)

/** The codes of places: aliases are no places of their own. */
const unlocodes = once(() =>
  [...rows().keys()].filter((unlocode) => canonicalUnlocode(unlocode) === unlocode),
)

const ids = once(() => makeIdIndex(unlocodes(), placeId))

function placeId(unlocode: string): string {
  return uuidV5(LANDFALL_NAMESPACE, `place:${unlocode}`)
}

/** Canonical codes, parted by blanks, by plain name: the list's name, ours, and those of the aliases. */
const names = once(() => {
  const codes = new Map<string, string>()
  const add = (name: string, unlocode: string): void => {
    const plain = plainName(name)
    const namesakes = codes.get(plain)
    if (namesakes === undefined) codes.set(plain, unlocode)
    else if (!namesakes.includes(unlocode)) codes.set(plain, `${namesakes} ${unlocode}`)
  }
  for (const [unlocode, line] of rows()) {
    const name = line.slice(6, line.indexOf('\t', 6))
    for (const part of name.split(' = ')) add(part, canonicalUnlocode(unlocode))
  }
  for (const override of allPortOverrides()) add(override.displayName, override.canonicalUnlocode)
  return codes
})

function readPlace(line: string): Place {
  const cells = readCells(line)
  const unlocode = getCell(cells, 0)
  const listedName = getCell(cells, 1)
  const override = findPortOverride(unlocode)
  const isPort = cells(3) === 'port' || override !== null
  return {
    id: placeId(unlocode),
    unlocode,
    name: override?.displayName ?? listedName,
    city: findCity(listedName, override?.displayName ?? null),
    subdivision: cells(2),
    countryCode: unlocode.slice(0, 2),
    timeZone: cells(6),
    latitude: readNumber(cells(4)),
    longitude: readNumber(cells(5)),
    kind: isPort ? 'port' : 'metro_area',
  }
}

/** UN/LOCODE lists places under their city's name, save airports (`… Apt`) and harbours (`… Pt`). */
function findCity(listedName: string, displayName: string | null): string | null {
  return / (Apt|Pt)$/.test(listedName) ? displayName : listedName
}

function readNumber(text: string | null): number | null {
  return text === null ? null : Number(text)
}
