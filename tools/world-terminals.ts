/**
 * Compares the terminals of a world-wide list with our own list. A terminal that is in both appears once, under the id
 * that it has, and gets the short name, BIC code and grade of the other list. New terminals are added.
 */

import { readFileSync } from 'node:fs'
import { findPlaceByCode } from '../src/reference/places.ts'
import { plainName } from '../src/reference/plain-name.ts'

type Row = Readonly<Record<string, string>>
type Line = readonly (string | undefined)[]

/** A terminal of the world's list, and the rows of our own list for the same terminal; empty when we lack it. */
export interface ListedTerminal {
  readonly row: Row
  readonly unlocode: string
  readonly own: readonly Row[]
}

/** The rows of the world's list in its order, without those that a correction removes. */
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

/** Our row with the same SMDG code or the same name, in the same port. */
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

/** Corrections: `PLGDY:Name` and `IQUQR:BGTE` name terminals of our own list, `CNHKO:` the port of a new terminal. */
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

/** The columns that only the world's list has: short name, BIC code, point, grade and source. */
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

/** Most points belong to a harbour or a port. A ship near such a point need not be at the terminal. */
function isPointOfTerminal(source: string): boolean {
  return !/\b(area|port) point of\b/.test(source) && source.endsWith('the terminal')
}

/** The name of the source for people who have only the product, without its position in a collection. */
function tidySource(source: string): string {
  return source
    .replace(/reference\/terminals\.csv \(same terminal is listed there\)/g, 'our own list')
    .replace(/\(text index \d+;? ?/g, '(')
    .replace(/ ?\(\)/g, '')
}
