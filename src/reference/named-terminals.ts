/**
 * Finds a terminal by name, within a known port. A name that a source writes counts only when it is recorded as a
 * terminal's name, no place has that name, and only one terminal of the port has it.
 */

import { type Cells, getCell, once, readTable } from './data-files.ts'
import { currentTerminal } from './imported-terminals.ts'
import { plainName } from './plain-name.ts'
import { canonicalUnlocode } from './port-overrides.ts'
import type { Terminal } from './terminal.ts'
import { findByWords } from './terminal-words.ts'
import { findTerminal, ownTerminals } from './terminals.ts'

/** `name` as a source wrote it. It must be marked as a source's name in our table, or be the terminal's SMDG code. */
export function findTerminalOfSource(of: { readonly unlocode: string; readonly name: string }): Terminal | null {
  const unlocode = canonicalUnlocode(of.unlocode)
  const named = namesOfSources().get(keyOf(unlocode, of.name)) ?? null
  return named === null ? findTerminal({ provider: 'SMDG', code: of.name, unlocode }) : currentTerminal(named)
}

/**
 * Returns the first of `names` that belongs to a terminal of the port, else the first whose words identify one. The
 * name of the port itself is skipped: it does not name a terminal.
 */
export function findTerminalIn(
  { unlocode, name, city }: { readonly unlocode: string; readonly name: string; readonly city: string | null },
  names: readonly (string | null)[] = [],
): Terminal | null {
  const isPort = (written: string): boolean => [name, city ?? name].map(plainName).includes(plainName(written))
  for (const each of names) {
    if (each === null || isPort(each)) continue
    const terminal = findTerminalOfSource({ unlocode, name: each })
    if (terminal !== null) return terminal
  }
  const ofPort = namesInPort().get(unlocode) ?? []
  for (const each of names) {
    const terminal = each === null || isPort(each) ? null : findByWords(each, ofPort, [name, city ?? name])
    if (terminal !== null) return currentTerminal(terminal)
  }
  return null
}

export interface TerminalName {
  readonly terminal: Terminal
  readonly name: string
  readonly isReadOfSources: boolean
}

/**
 * The rows of our table of names. A row gives the terminal by its name, or by its code where two terminals share a
 * name.
 */
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

/** Key: port and plain name. Null for a name that several terminals of the port have. */
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

/** By port: names that sources are read by, and the own name of a terminal that is the only one there. */
const namesInPort = once(() => {
  const ocean = ownTerminals().filter(({ facilityType }) => facilityType === 'ocean_terminal')
  const only = [...Map.groupBy(ocean, ({ unlocode }) => unlocode).values()].flatMap(([terminal, ...others]) =>
    terminal === undefined || others.length > 0 ? [] : [{ terminal, name: terminal.name }],
  )
  const read = terminalNames().filter(({ isReadOfSources }) => isReadOfSources)
  return Map.groupBy([...read, ...only], ({ terminal }) => terminal.unlocode)
})

function keyOf(unlocode: string, name: string): string {
  return `${unlocode} ${plainName(name)}`
}
