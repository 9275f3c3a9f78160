/**
 * The world's places by UN/LOCODE, each under one canonical code, and how to find the place in the data of a source. An
 * exact code takes precedence over a name. A name must be exact and fit one place only. A place that is not found stays
 * unknown.
 */

import { isUnLocode, parseUnLocode } from '../domain/values/identifiers.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../platform/ids.ts'
import { findCountryCode } from './countries.ts'
import { findZoneAt } from './country-zones.ts'
import { getCell, once, readCells } from './data-files.ts'
import { makeIdIndex } from './id-index.ts'
import { canonicalOf, codesNamed, listedNames, rowsByName } from './listed-names.ts'
import { findLocation, locations } from './locations.ts'
import { plainName } from './plain-name.ts'
import { allPortOverrides, canonicalUnlocode, findPortOverride } from './port-overrides.ts'
import { findSubdivisionCode } from './subdivisions.ts'
import type { Terminal } from './terminal.ts'
import { findCodedTerminal, findNamedFacility, type WrittenFacility } from './written-facility.ts'

export interface Place {
  readonly id: string
  readonly unlocode: string
  readonly name: string
  readonly city: string | null
  /** The UN/LOCODE subdivision without its country: `CA`, `ZJ`. */
  readonly subdivision: string | null
  readonly countryCode: string
  /** IANA zone; null when the data has none. */
  readonly timeZone: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly kind: 'port' | 'metro_area'
}

export interface PlaceName {
  readonly name: string
  /** A code or a name. */
  readonly subdivision?: string | null
  /** ISO 3166 code or English name. */
  readonly country?: string | null
}

/** A place as a source wrote it. */
export interface WrittenPlace extends WrittenFacility {
  readonly unlocode?: string | null
  readonly name?: string | null
  readonly city?: string | null
  readonly subdivision?: string | null
  readonly country?: string | null
}

export interface ResolvedPlace {
  readonly place: Place
  readonly terminal: Terminal | null
  /** The zone of the place. When the place has none, the zone at the terminal's point. Null when neither is known. */
  readonly timeZone: string | null
  /** How the place was found: by an alias in the override table, a UN/LOCODE, a facility's code, or a name. */
  readonly rule: 'override' | 'unlocode' | 'facility' | 'name'
}

/** Null when nothing in `written` names exactly one known place. The caller counts such cases. */
export function resolvePlace(written: WrittenPlace): ResolvedPlace | null {
  const terminal = findCodedTerminal(written)
  const unlocode = parseUnLocode(written.unlocode ?? '')
  const byCode = unlocode.ok ? findPlaceByCode(unlocode.value) : null
  if (unlocode.ok && byCode !== null) {
    const rule = byCode.unlocode === unlocode.value ? 'unlocode' : 'override'
    return toResolvedPlace(byCode, terminal ?? findNamedFacility(written, byCode, findNamesakes), rule)
  }
  const ofTerminal = terminal?.unlocode ? findPlaceByCode(terminal.unlocode) : null
  if (ofTerminal !== null) return toResolvedPlace(ofTerminal, terminal, 'facility')
  const { subdivision = null, country = null } = written
  for (const name of [written.name, written.city]) {
    const byName = name ? findPlaceByName({ name, subdivision, country }) : null
    if (byName !== null)
      return toResolvedPlace(byName, terminal ?? findNamedFacility(written, byName, findNamesakes), 'name')
  }
  return null
}

function toResolvedPlace(place: Place, terminal: Terminal | null, rule: ResolvedPlace['rule']): ResolvedPlace {
  const timeZone = place.timeZone ?? (terminal === null ? null : findTerminalZone(terminal))
  return { place, terminal, timeZone, rule }
}

/**
 * The zone of the terminal's place, or else the zone at its own point. Null when that point lies outside the country's
 * zones.
 */
export function findTerminalZone(terminal: Terminal): string | null {
  const { unlocode, metroUnlocode, latitude, longitude, countryCode } = terminal
  const place = findPlaceByCode(unlocode ?? '') ?? findPlaceByCode(metroUnlocode ?? '')
  if (place?.timeZone) return place.timeZone
  return latitude === null || longitude === null ? null : findZoneAt({ latitude, longitude, countryCode })
}

/** The place of a UN/LOCODE; an alias gives the place that it means (CNSHA: Shanghai, CNSHG). */
export function findPlaceByCode(unlocode: string): Place | null {
  const parsed = parseUnLocode(unlocode)
  if (!parsed.ok) return null
  const code = canonicalUnlocode(parsed.value)
  const theirs = imported.byCode.get(code)
  if (theirs !== undefined) return theirs.place
  const known = opened.get(code)
  if (known !== undefined) return known
  const line = findLocation(code)
  if (line === null) return null
  const place = readPlace(line)
  opened.set(code, place)
  return place
}

export function findPlaceById(id: string): Place | null {
  const theirs = imported.byId.get(id.toLowerCase())
  if (theirs !== undefined) return theirs
  const unlocode = ids().find(id)
  return unlocode === null ? null : findPlaceByCode(unlocode)
}

/** The only place with exactly this name (`plainName`). Null when no place or several places have it. */
export function findPlaceByName({ name, subdivision = null, country = null }: PlaceName): Place | null {
  const countryCode = country ? findCountryCode(country) : null
  if (country && countryCode === null) return null
  const namesakes = findNamesakes(name).filter(
    (place) => countryCode === null || place.unlocode.startsWith(countryCode),
  )
  if (!subdivision) return onlyOne(namesakes)
  const inIt = namesakes.filter((place) => place.subdivision !== null && place.subdivision === statedSubdivision(place))
  if (inIt.length > 0) return onlyOne(inIt)
  // Our list may lack the subdivision of the only place with that name. This does not contradict the source.
  const place = onlyOne(namesakes)
  return place !== null && (place.subdivision === null || statedSubdivision(place) === null) ? place : null

  function statedSubdivision(place: Place): string | null {
    return findSubdivisionCode(place.countryCode, subdivision ?? '')
  }
}

/** All places with exactly this name (`plainName`), ports first. */
export function findNamesakes(name: string): readonly Place[] {
  const plain = plainName(name)
  const codes = [...codesNamed(plain), ...(imported.codesByName.get(plain) ?? [])]
  return [...new Set(codes)]
    .filter((code) => imported.byCode.get(code)?.isRetired !== true)
    .map(findPlaceByCode)
    .filter((place) => place !== null)
    .toSorted((a, b) => (a.kind === b.kind ? 0 : a.kind === 'port' ? -1 : 1))
}

function onlyOne(places: readonly Place[]): Place | null {
  return places.length === 1 ? (places[0] ?? null) : null
}

/** Loads the table and its indexes now instead of at first use. Returns the number of places. */
export function preloadPlaces(): number {
  rowsByName()
  ids()
  return [...listUnlocodes()].length
}

const opened = new Map<string, Place>()

export interface ImportedPlace {
  readonly place: Place
  readonly names: readonly string[]
  /**
   * A retired place has no name and is in no list. It is still found by code and id, because stored data refer to it.
   */
  readonly isRetired: boolean
}

interface ImportedPlaces {
  readonly byCode: ReadonlyMap<string, ImportedPlace>
  readonly byId: ReadonlyMap<string, Place>
  readonly codesByName: ReadonlyMap<string, readonly string[]>
}

let imported: ImportedPlaces = { byCode: new Map(), byId: new Map(), codesByName: new Map() }
let importCount = 0

/** Replaces the places of all earlier imports. Imported places take precedence over our own list. */
export function overlayPlaces(places: readonly ImportedPlace[]): void {
  const named = places.flatMap(({ place, names: written }) =>
    written.map((name) => ({ plain: plainName(name), code: place.unlocode })),
  )
  const grouped = Map.groupBy(named, ({ plain }) => plain)
  imported = {
    byCode: new Map(places.map((each) => [each.place.unlocode, each])),
    byId: new Map(places.map(({ place }) => [place.id, place])),
    codesByName: new Map([...grouped].map(([plain, each]) => [plain, each.map(({ code }) => code)])),
  }
  importCount += 1
}

/** A number that grows whenever places may have changed. Callers that cache places compare it. */
export function placesRevision(): number {
  return importCount
}

export interface ListedPlace {
  readonly place: Place
  /** Our own name first, then the names in the list, then those of its aliases. */
  readonly names: readonly string[]
  /** `U` UN/LOCODE, `W` World Port Index, `G` GeoNames, `M` by hand. */
  readonly coordinateSource: string | null
  /** How code and coordinate contradict each other: `country`, `border` or `sea`. */
  readonly coordinateDoubt: string | null
}

/** The places of our own list, without any import. */
export function* listedPlaces(): Generator<ListedPlace> {
  const aliases = Map.groupBy(allPortOverrides(), ({ canonicalUnlocode: of }) => of)
  for (const unlocode of listUnlocodes()) {
    const line = findLocation(unlocode)
    if (line === null) continue
    const place = readPlace(line)
    const ofAliases = (aliases.get(unlocode) ?? []).flatMap((alias) => [
      alias.displayName,
      ...listedNames(findLocation(alias.unlocode)),
    ])
    const names = new Set([place.name, ...listedNames(line), ...ofAliases])
    const cells = readCells(line)
    yield { place, names: [...names], coordinateSource: cells(7), coordinateDoubt: cells(8) }
  }
}

/**
 * The code of a place. Null for an alias, and for DE9B0, DEB90 and IT940, because they do not have the form of a
 * UN/LOCODE.
 */
function unlocodeAt(row: number): string | null {
  const unlocode = locations().lineAt(row).slice(0, 5)
  return isUnLocode(unlocode) && canonicalOf(unlocode) === unlocode ? unlocode : null
}

function* listUnlocodes(): Generator<string> {
  for (let row = 0; row < locations().length; row++) {
    const unlocode = unlocodeAt(row)
    if (unlocode !== null) yield unlocode
  }
}

const ids = once(() => makeIdIndex({ count: locations().length, keyAt: unlocodeAt, idOf: placeId }))

export function placeId(unlocode: string): string {
  return uuidV5(LANDFALL_NAMESPACE, `place:${unlocode}`)
}

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

/** UN/LOCODE lists places under the name of their city, except airports (`… Apt`) and harbours (`… Pt`). */
function findCity(listedName: string, displayName: string | null): string | null {
  return / (Apt|Pt)$/.test(listedName) ? displayName : listedName
}

function readNumber(text: string | null): number | null {
  return text === null ? null : Number(text)
}
