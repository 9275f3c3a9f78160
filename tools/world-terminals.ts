/**
 * Terminals of the world laid beside our own list: what is one terminal stands once, under the id that it has, and
 * learns its short name, BIC code and grade; the others are added.
 */

import { readFileSync } from 'node:fs'
import { findPlaceByCode } from '../src/reference/places.ts'
import { plainName } from '../src/reference/plain-name.ts'

type Row = Readonly<Record<string, string>>
type Line = readonly (string | undefined)[]

/** A terminal of the world's list, and the rows of our own list that it is: none for one that we lack. */
export interface ListedTerminal {
  readonly row: Row
  readonly unlocode: string
  readonly own: readonly Row[]
}

/** Rows of the world's list in its order, less those that are mended away. */
export function layBesideOwn(own: readonly Row[], world: readonly Row[]): readonly ListedTerminal[] {
  const mends = readMends()
  const listed = world.flatMap((row): readonly ListedTerminal[] => {
    const mend = mends.get(`${row['unlocode']}:${row['name']}`)
    if (mend === undefined) return [{ row, unlocode: row['unlocode'] ?? '', own: findOwn(own, row) }]
    return mend.length === 0 ? [] : [mended(own, row, mend)]
  })
  const places = listed.filter(({ unlocode }) => findPlaceByCode(unlocode)?.kind !== 'port')
  for (const { unlocode, row } of places) throw new Error(`${row['name']}: ${unlocode} is no port`)
  return listed
}

/** One of the same SMDG code, or of the same name, in the port. */
function findOwn(own: readonly Row[], row: Row): readonly Row[] {
  return own
    .filter((each) => each['locode'] === row['unlocode'])
    .filter(
      (each) =>
        (row['smdg_code'] !== '' && each['smdg_code'] === row['smdg_code']) ||
        plainName(each['name'] ?? '') === plainName(row['name'] ?? ''),
    )
    .slice(0, 1)
}

/** `PLGDY:Name` and `IQUQR:BGTE` are terminals of our own list, `CNHKO:` the port in which a new one lies. */
function mended(own: readonly Row[], row: Row, meant: readonly string[]): ListedTerminal {
  const [unlocode = ''] = (meant[0] ?? '').split(':')
  const found = meant.flatMap((key) =>
    own.filter((each) => [each['smdg_code'], each['name']].some((is) => `${each['locode']}:${is}` === key)),
  )
  if (found.length === 0 && meant[0] !== `${unlocode}:`) throw new Error(`our list has no ${meant[0]}`)
  return { row, unlocode, own: found }
}

function readMends(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(new URL('./terminal-mends.csv', import.meta.url), 'utf8')
  const lines = text.trim().split('\n').slice(1)
  return new Map(
    lines.map((line) => {
      const [unlocode = '', terminal = '', meant = ''] = line.split(',')
      return [`${unlocode}:${terminal}`, meant === '' ? [] : meant.split('|')]
    }),
  )
}

/** Short name, BIC code, point, grade and source: the columns that only the world's list has. */
export function worldColumns(row: Row | undefined): Line {
  if (row === undefined) return ['', '', '', '', '', '']
  const isOwnPoint = isPointOfTerminal(row['coordinate_source'] ?? '')
  return [
    row['nickname'],
    row['bic_code'],
    isOwnPoint ? row['latitude'] : '',
    isOwnPoint ? row['longitude'] : '',
    row['grade'],
    tidySource(row['source'] ?? ''),
  ]
}

/** Most points are of a harbour or a port: a ship that lies near one lies not at the terminal. */
function isPointOfTerminal(source: string): boolean {
  return !/\b(area|port) point of\b/.test(source) && source.endsWith('the terminal')
}

/** What names a source to somebody who has the product: not where in a collection it was read. */
function tidySource(source: string): string {
  return source
    .replace(/reference\/terminals\.csv \(same terminal is listed there\)/g, 'our own list')
    .replace(/\(text index \d+;? ?/g, '(')
    .replace(/ ?\(\)/g, '')
}
