/**
 * Terminals by name, within a port that is known. A source that writes a name means a terminal by it only where the
 * name was recorded as one, no place is called so and one terminal of the port alone bears it.
 */

import { type Cells, getCell, once, readTable } from './data-files.ts'
import { currentTerminal } from './imported-terminals.ts'
import { plainName } from './plain-name.ts'
import { canonicalUnlocode } from './port-overrides.ts'
import type { Terminal } from './terminal.ts'
import { findTerminal, ownTerminals } from './terminals.ts'

/** `name` as a source wrote it: one of those marked so in our table, or the terminal's SMDG code. */
export function findTerminalOfSource(of: {
  readonly unlocode: string
  readonly name: string
}): Terminal | null {
  const unlocode = canonicalUnlocode(of.unlocode)
  const named = namesOfSources().get(keyOf(unlocode, of.name)) ?? null
  return named === null ? findTerminal({ provider: 'SMDG', code: of.name, unlocode }) : currentTerminal(named)
}

/** By the first of the names that is one's there. Who writes the name of the port has named no terminal. */
export function findTerminalIn(
  {
    unlocode,
    name,
    city,
  }: { readonly unlocode: string; readonly name: string; readonly city: string | null },
  names: readonly (string | null)[] = [],
): Terminal | null {
  const isPort = (written: string): boolean =>
    [name, city ?? name].map(plainName).includes(plainName(written))
  for (const each of names) {
    if (each === null || isPort(each)) continue
    const terminal = findTerminalOfSource({ unlocode, name: each })
    if (terminal !== null) return terminal
  }
  return null
}

export interface TerminalName {
  readonly terminal: Terminal
  readonly name: string
  readonly isReadOfSources: boolean
}

/** The rows of our table of names. A terminal stands there by its name, or by its code where two share one. */
export const terminalNames = once((): readonly TerminalName[] => {
  const byName = new Map<string, Terminal>()
  for (const terminal of ownTerminals()) {
    for (const key of [terminal.smdgCode, terminal.name])
      if (key !== null) byName.set(`${terminal.unlocode} ${key}`, terminal)
  }
  return readTable('terminal-names.tsv', (cells: Cells) => {
    const key = `${getCell(cells, 0)} ${getCell(cells, 1)}`
    const terminal = byName.get(key)
    if (terminal === undefined) throw new Error(`there is no terminal ${key} in our tables`)
    return { terminal, name: getCell(cells, 2), isReadOfSources: cells(3) === 'source' }
  })
})

/** By port and plain name; null for a name that several of a port bear. */
const namesOfSources = once(() => {
  const found = new Map<string, Terminal | null>()
  for (const { terminal, name, isReadOfSources } of terminalNames()) {
    if (!isReadOfSources) continue
    const key = keyOf(terminal.unlocode ?? '', name)
    const other = found.get(key)
    found.set(key, other === undefined || other?.id === terminal.id ? terminal : null)
  }
  return found
})

function keyOf(unlocode: string, name: string): string {
  return `${unlocode} ${plainName(name)}`
}
