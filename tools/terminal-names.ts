/** Makes the table of names of terminals: those that people type, and those that a source may use for a terminal. */

import { readFileSync } from 'node:fs'
import { findNamesakes } from '../src/reference/places.ts'
import { plainName } from '../src/reference/plain-name.ts'
import { onceEach } from './typed-names.ts'
import type { ListedTerminal } from './world-terminals.ts'

type Row = Readonly<Record<string, string>>
type Line = readonly string[]

/**
 * Rows: `unlocode`, terminal, name, and `source` when the name in a source, together with the port, is read as the
 * terminal. A terminal is given by its name, or by its SMDG code when two terminals of a port share a name.
 */
export function terminalNames(of: {
  readonly own: readonly Row[]
  readonly listed: readonly ListedTerminal[]
  readonly places: readonly Row[]
}): readonly Line[] {
  const terminals = [
    ...of.own.map((row) => ({ unlocode: row['locode'] ?? '', name: row['name'] ?? '', row })),
    ...of.listed
      .filter(({ own }) => own.length === 0)
      .map(({ unlocode, row }) => ({ unlocode, name: row['name'] ?? '', row })),
  ]
  const shared = Map.groupBy(terminals, ({ unlocode, name }) => `${unlocode}:${name}`)
  const isPlace = placeNames(of.places)
  const mark = (unlocode: string, name: string, isRecorded: boolean): string =>
    isRecorded && plainName(name).includes(' ') && !isPlace(unlocode, name) ? 'source' : ''
  const keyOf = (unlocode: string, { name = '', smdg_code: code = '' }: Row): string =>
    shared.get(`${unlocode}:${name}`)?.length === 1 ? name : code
  // A name that two terminals share means neither.
  const ownNames = terminals
    .filter(({ unlocode, name }) => shared.get(`${unlocode}:${name}`)?.length === 1)
    .map(({ unlocode, name }) => [unlocode, name, name, mark(unlocode, name, true)])
    .filter(([, , , isRead]) => isRead === 'source')
  const others = of.listed.flatMap(({ unlocode, row, own }) =>
    (own.length === 0 ? [row] : own).flatMap((terminal) =>
      [row['name'] ?? '', row['nickname'] ?? '', ...(row['aliases'] ?? '').split('|')]
        .filter((name) => name !== '' && name !== terminal['name'])
        .map((name) => [
          unlocode,
          keyOf(unlocode, terminal),
          name,
          mark(unlocode, name, row['grade'] !== 'M' && own.length < 2),
        ]),
    ),
  )
  return onceEach([...readHandmade(), ...ownNames, ...others], 2)
}

/**
 * Finds names of places in the port's country: a source that writes `Port Said East` or `Danang Port` names a place and
 * no terminal.
 */
function placeNames(rows: readonly Row[]): (unlocode: string, name: string) => boolean {
  const other = new Set(rows.map((row) => `${(row['unlocode'] ?? '').slice(0, 2)} ${plainName(row['alias'] ?? '')}`))
  return (unlocode, name) => {
    const country = unlocode.slice(0, 2)
    const bare = plainName(name)
      .split(' ')
      .filter((word) => !['PORT', 'OF', 'THE', 'HARBOUR', 'HARBOR'].includes(word))
      .join(' ')
    return [plainName(name), bare].some(
      (each) => other.has(`${country} ${each}`) || findNamesakes(each).some((place) => place.countryCode === country),
    )
  }
}

function readHandmade(): readonly Line[] {
  const text = readFileSync(new URL('./terminal-names.csv', import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => [...line.split(','), ''])
}
