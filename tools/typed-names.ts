/** The tables of names that people type: for places, terminals and metropolitan areas. Made by reference-data.ts. */

import { readFileSync } from 'node:fs'
import { findPlaceByCode } from '../src/reference/places.ts'
import { plainName } from '../src/reference/plain-name.ts'

type Row = Readonly<Record<string, string>>
type Line = readonly (string | undefined)[]

/** Each name once for a place, in the order of the list. */
export function typedPlaceNames(rows: readonly Row[]): readonly Line[] {
  return onceEach(rows.map((row) => [row['unlocode'] ?? '', row['alias'] ?? '']))
}

/** By traffic; after them basins and neighbours that belong to one of them (Newark to New York), in its order. */
export function rankPorts(ranks: readonly Row[], names: readonly Row[]): readonly Line[] {
  const busiest = ranks
    .toSorted((a, b) => Number(a['rank']) - Number(b['rank']))
    .map((row) => row['unlocode'] ?? '')
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
 * Groups of ports elsewhere in the world are listed beside metropolitan areas; the trade speaks of areas in North
 * America, where boxes go on by rail.
 */
export function listMetroAreas(names: readonly Row[], ramps: readonly Row[]): readonly Line[] {
  const rampsAt = Map.groupBy(ramps, (row) => row['metro_locode'] ?? '')
  const named = names
    .filter((row) => row['kind'] === 'metro' && /^(US|CA)/.test(row['unlocode'] ?? ''))
    .map((row) => row['unlocode'] ?? '')
  const count = (unlocode: string): number => rampsAt.get(unlocode)?.length ?? 0
  return [...new Set([...named, ...rampsAt.keys()])]
    .filter((unlocode) => unlocode !== '')
    .toSorted((a, b) => count(b) - count(a))
    .map((unlocode) => [unlocode])
}

/** Of terminals that we have: one of the same SMDG code, or of the same name, in the port. */
export function typedTerminalNames(ours: readonly Row[], world: readonly Row[]): readonly Line[] {
  return onceEach(
    world.flatMap((row) => {
      const own = ours.find(
        (each) =>
          each['locode'] === row['unlocode'] &&
          ((row['smdg_code'] !== '' && each['smdg_code'] === row['smdg_code']) ||
            plainName(each['name'] ?? '') === plainName(row['name'] ?? '')),
      )
      if (own === undefined) return []
      const names = [row['name'], row['nickname'], ...(row['aliases'] ?? '').split('|')]
      return names
        .filter((name) => name !== undefined && name !== '' && name !== own['name'])
        .map((name) => [own['locode'] ?? '', own['name'] ?? '', name ?? ''])
    }),
  )
}

export function readHandmadeTerminalNames(): readonly Line[] {
  const text = readFileSync(new URL('./terminal-names.csv', import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
}

/** Without rows whose last cell is the same name as that of one before, for the same thing. */
function onceEach(lines: readonly (readonly string[])[]): readonly Line[] {
  const seen = new Set<string>()
  return lines.filter((cells) => {
    const key = [...cells.slice(0, -1), plainName(cells.at(-1) ?? '')].join('|')
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}
