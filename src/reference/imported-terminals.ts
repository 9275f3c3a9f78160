/**
 * The terminals that the operator imported. Every process has them in memory. They take precedence over our own lists.
 */

import type { FacilityCode, Terminal } from './terminal.ts'

export interface ImportedTerminal {
  readonly terminal: Terminal
  /** A retired terminal is in no list. It is still found by its id and codes, because stored data refer to it. */
  readonly isRetired: boolean
  /** Found by its id and code only, like the facilities in our own copy of customs' list. */
  readonly isCustomsFacility: boolean
}

interface ImportedTerminals {
  readonly byId: ReadonlyMap<string, ImportedTerminal>
  readonly byCode: ReadonlyMap<string, Terminal>
}

let imported: ImportedTerminals = { byId: new Map(), byCode: new Map() }

/** Replaces the terminals of all earlier imports. */
export function overlayTerminals(terminals: readonly ImportedTerminal[]): void {
  const byCode = new Map<string, Terminal>()
  // Retired terminals come first, so that a code that a retired terminal gave up leads to the terminal that has it now.
  for (const { terminal } of terminals.toSorted((a, b) => Number(b.isRetired) - Number(a.isRetired))) {
    const { unlocode, smdgCode, firmsCode, bicFacilityCode } = terminal
    if (smdgCode !== null && unlocode !== null) byCode.set(`SMDG ${unlocode}:${smdgCode}`, terminal)
    if (firmsCode !== null) byCode.set(`FIRMS ${firmsCode}`, terminal)
    if (bicFacilityCode !== null) byCode.set(`BIC ${bicFacilityCode}`, terminal)
  }
  imported = { byId: new Map(terminals.map((each) => [each.terminal.id, each])), byCode }
}

/** `unlocode` must be the canonical code. */
export function findImportedTerminal({ provider, code, unlocode = null }: FacilityCode): Terminal | null {
  const key = provider === 'SMDG' ? `SMDG ${unlocode}:${code}` : `${provider} ${code}`
  return imported.byCode.get(key) ?? null
}

export function findImportedTerminalById(id: string): Terminal | null {
  return imported.byId.get(id)?.terminal ?? null
}

/** The state of one of our listed terminals after the import. */
export function currentTerminal(listed: Terminal): Terminal {
  return findImportedTerminalById(listed.id) ?? listed
}

/** Our list for a place (for all places when null), after the import has added, changed and retired terminals. */
export function withImported(listed: readonly Terminal[], unlocode: string | null): readonly Terminal[] {
  if (imported.byId.size === 0) return listed
  const ours = listed.filter(({ id }) => !imported.byId.has(id))
  const theirs = [...imported.byId.values()].flatMap(({ terminal, isRetired, isCustomsFacility }) =>
    !isRetired &&
    !isCustomsFacility &&
    (unlocode === null || terminal.unlocode === unlocode || terminal.metroUnlocode === unlocode)
      ? [terminal]
      : [],
  )
  return [...ours, ...theirs]
}
