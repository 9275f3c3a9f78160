/** Makes the tables of names that people type for places, and of metropolitan areas. Called by reference-data.ts. */

import { readFileSync } from 'node:fs'
import { findPlaceByCode } from '../src/reference/places.ts'
import { plainName } from '../src/reference/plain-name.ts'

type Row = Readonly<Record<string, string>>
type Line = readonly (string | undefined)[]

/** Each name once for a place, in the order of the list. */
export function typedPlaceNames(rows: readonly Row[], areas: readonly MetroArea[]): readonly Line[] {
  return onceEach(
    [
      ...rows.map((row) => [row['unlocode'] ?? '', row['alias'] ?? '']),
      ...areas.flatMap(({ unlocode, also }) => also.map((name) => [unlocode, name])),
    ],
    1,
  )
}

/** Ports by traffic, then basins and neighbours that belong to one of them (Newark to New York), in the same order. */
export function rankPorts(ranks: readonly Row[], names: readonly Row[]): readonly Line[] {
  const busiest = ranks.toSorted((a, b) => Number(a['rank']) - Number(b['rank'])).map((row) => row['unlocode'] ?? '')
  const members = busiest.flatMap((unlocode) => {
    const group = names.find((row) => row['unlocode'] === unlocode && row['kind'] === 'metro')
    return (
      /^members: ([A-Z2-9 ]+)/
        .exec(group?.['note'] ?? '')?.[1]
        ?.trim()
        .split(' ') ?? []
    )
  })
  const isPlace = (unlocode: string): boolean => findPlaceByCode(unlocode)?.unlocode === unlocode
  return [...new Set([...busiest, ...members])].filter(isPlace).map((unlocode) => [unlocode])
}

/**
 * Areas with the most ramps first, then other areas of North America, then those that we added by hand. Elsewhere in
 * the world the list has groups of ports beside metropolitan areas; cities from these groups are added by hand.
 */
export function listMetroAreas(
  names: readonly Row[],
  ramps: readonly Row[],
  byHand: readonly MetroArea[],
): readonly Line[] {
  const rampsAt = Map.groupBy(ramps, (row) => row['metro_locode'] ?? '')
  const named = names
    .filter((row) => row['kind'] === 'metro' && /^(US|CA)/.test(row['unlocode'] ?? ''))
    .map((row) => row['unlocode'] ?? '')
  const count = (unlocode: string): number => rampsAt.get(unlocode)?.length ?? 0
  return [...new Set([...named, ...rampsAt.keys(), ...byHand.map(({ unlocode }) => unlocode)])]
    .filter((unlocode) => unlocode !== '')
    .toSorted((a, b) => count(b) - count(a))
    .map((unlocode) => [unlocode])
}

export interface MetroArea {
  readonly unlocode: string
  /** Names that people use besides the name in UN/LOCODE. */
  readonly also: readonly string[]
}

/** Our own list of cities to which boxes are delivered: inland, or with several ports around them. */
export function readMetroAreas(): readonly MetroArea[] {
  const text = readFileSync(new URL('./metro-areas.csv', import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [unlocode = '', also = ''] = line.split(',')
      if (findPlaceByCode(unlocode)?.unlocode !== unlocode) throw new Error(`${unlocode} is no place of ours`)
      return { unlocode, also: also === '' ? [] : also.split('|') }
    })
}

/** Leaves out a row when an earlier row of the same thing has the same name in the cell `at`. */
export function onceEach(lines: readonly (readonly string[])[], at: number): readonly (readonly string[])[] {
  const seen = new Set<string>()
  return lines.filter((cells) => {
    const key = [...cells.slice(0, at), plainName(cells[at] ?? '')].join('|')
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}
