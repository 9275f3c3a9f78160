/** Rail ramps as railways and lines speak of them: which one a name or a station means, and which area its town belongs to. */

import { once } from './data-files.ts'
import { currentTerminal } from './imported-terminals.ts'
import { plainName } from './plain-name.ts'
import { canonicalUnlocode } from './port-overrides.ts'
import { findRailroadOf, railroadNames } from './railroads.ts'
import type { Terminal } from './terminal.ts'
import { ownTerminals } from './terminals.ts'

/**
 * The metropolitan area that a town's ramps serve, of our own list alone: what is made of it is told alike for ever. Null
 * for a town without ramps, and for one whose ramps serve several areas.
 */
export function rampAreaOf(unlocode: string): string | null {
  return areas().get(unlocode) ?? null
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
  /** Of the place as a source named it; its area will do. */
  readonly unlocode: string
  /** What may be the ramp's name, the likeliest first. */
  readonly names: readonly (string | null)[]
  /** SCAC or mark of the railway that speaks; null where another speaks. */
  readonly railway?: string | null
}

/**
 * The one ramp of the place or its area that bears exactly this name, with its railroad's before or behind it or without.
 * The name of a town alone is that of no ramp unless the railway itself speaks, see `findOnlyRamp`.
 */
export function findRampNamed({ unlocode, names, railway = null }: RampName): Terminal | null {
  const place = canonicalUnlocode(unlocode)
  const own = railway === null ? null : findRailroadOf(railway)
  const near = ramps().filter(
    (ramp) =>
      (ramp.unlocode === place || ramp.metroUnlocode === place) &&
      (own === null || ramp.railCarrierScac === own.scac),
  )
  for (const name of names) {
    if (name === null) continue
    const plain = plainName(name)
    const [only, second] = near.filter((ramp) => spellings().get(ramp.id)?.has(plain) === true)
    if (only !== undefined && second === undefined) return currentTerminal(only)
  }
  return null
}

/** Where a railway handles boxes in a town in which it has one ramp, and none in the area that may be called so, it is that. */
export function findOnlyRamp({
  unlocode,
  railway,
}: {
  readonly unlocode: string
  readonly railway: string
}): Terminal | null {
  const place = canonicalUnlocode(unlocode)
  const railroad = findRailroadOf(railway)
  const [only, second] = ramps().filter(
    (ramp) =>
      ramp.railCarrierScac === railroad?.scac && (ramp.unlocode === place || ramp.metroUnlocode === place),
  )
  return only !== undefined && second === undefined && only.unlocode === place ? currentTerminal(only) : null
}

/** Plain names by id: as listed, without what stands in brackets, what stands there alone, each with its railroad's names. */
const spellings = once(() => {
  const found = new Map<string, ReadonlySet<string>>()
  for (const { id, name, city, railCarrierScac } of ramps()) {
    const [, outer = name, inner = ''] = /^(.*?)\s*\((.*)\)$/.exec(name) ?? []
    const bare = [name, outer, inner].filter((each) => each !== '')
    const railroads = railCarrierScac === null ? [] : railroadNames(railCarrierScac)
    const full = railroads.flatMap((railroad) =>
      bare.flatMap((each) => [`${railroad} ${each}`, `${each} ${railroad}`]),
    )
    const isTown = (each: string): boolean => city !== null && plainName(each) === plainName(city)
    const alone = bare.filter((each) => !isTown(each))
    found.set(id, new Set([...alone, ...full].flatMap(withRoman).flatMap(withWord).map(plainName)))
  }
  return found
})

/** Global 4 is also written Global IV. */
function withRoman(name: string): readonly string[] {
  const [, words = '', number = ''] = /^(.*\bGlobal )([1-4])$/.exec(name) ?? []
  const roman = ['', 'I', 'II', 'III', 'IV'][Number(number)]
  return words === '' || roman === undefined ? [name] : [name, `${words}${roman}`]
}

function withWord(name: string): readonly string[] {
  return [name, `${name} ramp`, `${name} rail ramp`, `${name} intermodal`, `${name} intermodal terminal`]
}
