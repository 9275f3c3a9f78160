/** The terminals that the operator imported, as every process holds them beside our own lists, which they outrank. */

import type { FacilityCode, Terminal } from './terminal.ts'

export interface ImportedTerminal {
  readonly terminal: Terminal
  /** Still found by its id and codes, for what is stored names it; in no list. */
  readonly isRetired: boolean
  /** Found by its id and code only, like those of our own copy of customs' list. */
  readonly isCustomsFacility: boolean
}

interface Imported {
  readonly byId: ReadonlyMap<string, ImportedTerminal>
  readonly byCode: ReadonlyMap<string, Terminal>
}

let imported: Imported = { byId: new Map(), byCode: new Map() }

/** In place of those from before. */
export function overlayTerminals(terminals: readonly ImportedTerminal[]): void {
  const byCode = new Map<string, Terminal>()
  // A code that a retired terminal gave up names the one that has it now.
  for (const { terminal } of terminals.toSorted((a, b) => Number(b.isRetired) - Number(a.isRetired))) {
    const { unlocode, smdgCode, firmsCode, bicFacilityCode } = terminal
    if (smdgCode !== null && unlocode !== null) byCode.set(`SMDG ${unlocode}:${smdgCode}`, terminal)
    if (firmsCode !== null) byCode.set(`FIRMS ${firmsCode}`, terminal)
    if (bicFacilityCode !== null) byCode.set(`BIC ${bicFacilityCode}`, terminal)
  }
  imported = { byId: new Map(terminals.map((each) => [each.terminal.id, each])), byCode }
}

/** `unlocode` is the canonical one. */
export function findImportedTerminal({ provider, code, unlocode = null }: FacilityCode): Terminal | null {
  const key = provider === 'SMDG' ? `SMDG ${unlocode}:${code}` : `${provider} ${code}`
  return imported.byCode.get(key) ?? null
}

export function findImportedTerminalById(id: string): Terminal | null {
  return imported.byId.get(id)?.terminal ?? null
}

/** The terminal of our lists as the import has it now. */
export function currentTerminal(listed: Terminal): Terminal {
  return findImportedTerminalById(listed.id) ?? listed
}

/** Our list of a place (of all when null) with what the import added, changed and retired. */
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
