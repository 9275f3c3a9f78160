/** Rail ramps as railways and lines name them: the ramp for a name or a station, and the area of its town. */

import { once } from './data-files.ts'
import { currentTerminal } from './imported-terminals.ts'
import { plainName } from './plain-name.ts'
import { canonicalUnlocode } from './port-overrides.ts'
import { findRailroadOf, railroadNames } from './railroads.ts'
import type { Terminal } from './terminal.ts'
import { ownTerminals } from './terminals.ts'

/**
 * The metropolitan area that a town's ramps serve. Uses our own list only, without imports, because the same input must
 * always give the same result. Null for a town without ramps, and for a town whose ramps serve several areas.
 */
export function rampAreaOf(unlocode: string): string | null {
  return areas().get(unlocode) ?? null
}

/** The areas of all towns that have one, by the town. */
export function rampAreas(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...areas()].flatMap(([town, area]) => (area === null || area === town ? [] : [[town, area]])),
  )
}

const ramps = once(() => ownTerminals().filter(({ facilityType }) => facilityType === 'rail_terminal'))

const areas = once(() => {
  const found = new Map<string, string | null>()
  for (const { unlocode, metroUnlocode } of ramps()) {
    if (unlocode === null || metroUnlocode === null) continue
    const other = found.get(unlocode)
    found.set(unlocode, other === undefined || other === metroUnlocode ? metroUnlocode : null)
  }
  return found
})

export interface RampName {
  /** The code of the place, as a source named it. The code of its metropolitan area is accepted too. */
  readonly unlocode: string
  /** Texts that may be the ramp's name, the most likely first. */
  readonly names: readonly (string | null)[]
  /** The UN/LOCODEs of the places with this name. A name of the town itself does not name a ramp. */
  readonly townsCalled: (name: string) => readonly string[]
  /** SCAC or mark of the railway that wrote the names; null when no railway wrote them. */
  readonly railway?: string | null
}

/**
 * The only ramp of the place or its area with exactly this name: its own name, or that name with its railroad's name
 * before or after it.
 */
export function findRampNamed({ unlocode, names, townsCalled, railway = null }: RampName): Terminal | null {
  const ownRailroad = railway === null ? null : findRailroadOf(railway)
  const near = rampsAt(unlocode).filter((ramp) => ownRailroad === null || ramp.railCarrierScac === ownRailroad.scac)
  if (near.length === 0) return null
  for (const name of names) {
    if (name === null) continue
    const plain = withoutKind(plainName(name))
    const [only, second] = near.filter(({ id, unlocode: town, metroUnlocode: area }) => {
      const { bare, full } = spellings().get(id) ?? nothing
      if (full.has(plain)) return true
      return bare.has(plain) && !townsCalled(name).some((code) => code === town || code === area)
    })
    if (only !== undefined && second === undefined) return currentTerminal(only)
  }
  return null
}

/** `Harvey rail ramp` becomes `Harvey`. */
function withoutKind(plain: string): string {
  return plain.replace(/ (RAIL|INTERMODAL)? ?(RAMP|YARD|TERMINAL)$/, '')
}

/**
 * The ramp of a railway that handles containers in a town, if the railway has one ramp in that town and no other ramp
 * in an area with the same code.
 */
export function findOnlyRamp({
  unlocode,
  railway,
}: {
  readonly unlocode: string
  readonly railway: string
}): Terminal | null {
  const railroad = findRailroadOf(railway)
  const [only, second] = rampsAt(unlocode).filter(({ railCarrierScac }) => railCarrierScac === railroad?.scac)
  const isThere = only !== undefined && second === undefined && only.unlocode === canonicalUnlocode(unlocode)
  return isThere ? currentTerminal(only) : null
}

/**
 * Finds a ramp by what an operator writes for a station: a FIRMS code, or the name of a ramp of the railway in our
 * list.
 */
export function findRampWritten(written: string, railway: string | null): Terminal | null {
  const scac = railway === null ? null : (findRailroadOf(railway)?.scac ?? null)
  const [code, plain] = [written.trim().toUpperCase(), plainName(written)]
  const [only, second] = ramps().filter(
    ({ firmsCode, name, railCarrierScac }) =>
      firmsCode === code || (plainName(name) === plain && (scac === null || scac === railCarrierScac)),
  )
  return only !== undefined && second === undefined ? currentTerminal(only) : null
}

/** The ramp that a railway's station is named after, in the given state. Used for a station that is not a town. */
export function findRampStation(of: {
  readonly name: string
  readonly state: string
  readonly railway: string
}): Terminal | null {
  const scac = findRailroadOf(of.railway)?.scac ?? null
  const plain = withoutKind(plainName(of.name))
  const [only, second] = ramps().filter(
    ({ id, stateAbbr, railCarrierScac }) =>
      railCarrierScac === scac &&
      stateAbbr === of.state.trim().toUpperCase() &&
      spellings().get(id)?.bare.has(plain) === true,
  )
  return only !== undefined && second === undefined ? currentTerminal(only) : null
}

/** The ramps of the town, or of the metropolitan area with that code. */
function rampsAt(unlocode: string): readonly Terminal[] {
  const place = canonicalUnlocode(unlocode)
  return rampsByPlace().get(place) ?? []
}

const rampsByPlace = once(() => {
  const found = new Map<string, Terminal[]>()
  for (const ramp of ramps())
    for (const place of new Set([ramp.unlocode, ramp.metroUnlocode]))
      if (place !== null) found.set(place, [...(found.get(place) ?? []), ramp])
  return found
})

interface RampSpellings {
  readonly bare: ReadonlySet<string>
  /** The names together with the name of the ramp's railroad. */
  readonly full: ReadonlySet<string>
}

const nothing: RampSpellings = { bare: new Set(), full: new Set() }

/**
 * Plain names by the ramp's id: the listed name, the name without the text in brackets, the text in brackets alone, and
 * each of these after the name of the town.
 */
const spellings = once(() => {
  const found = new Map<string, RampSpellings>()
  for (const { id, name, city, railCarrierScac } of ramps()) {
    const [, outer = name, inner = ''] = /^(.*?)\s*\((.*)\)$/.exec(name) ?? []
    const listed = [name, outer, inner].filter((each) => each !== '').flatMap(withRoman)
    // `plainName` shortens only a leading `St.`, so each name is also made plain before a railroad's name is put in
    // front of it.
    const ownSpellings = listed.flatMap((each) => [each, plainName(each)])
    const bare = [...ownSpellings, ...ownSpellings.map((each) => `${city ?? ''} ${each}`)]
    const railroads = railCarrierScac === null ? [] : railroadNames(railCarrierScac)
    const full = railroads.flatMap((called) => bare.flatMap((each) => [`${called} ${each}`, `${each} ${called}`]))
    found.set(id, {
      bare: new Set(ownSpellings.map((each) => withoutKind(plainName(each)))),
      full: new Set(full.map((each) => withoutKind(plainName(each)))),
    })
  }
  return found
})

/** `Global 4` is also written `Global IV`. */
function withRoman(name: string): readonly string[] {
  const [, prefix = '', number = ''] = /^(Global )([1-4])$/.exec(name) ?? []
  const roman = ['', 'I', 'II', 'III', 'IV'][Number(number)]
  return prefix === '' || roman === undefined ? [name] : [name, `${prefix}${roman}`]
}
