/**
 * Finds the rows of SMDG's list that are terminals of ours without a code. A row fits by a name that we have for the
 * terminal, or by the same words, without the words that distinguish nothing in that port. A match counts only when the
 * row fits no other terminal and the terminal fits no other row.
 */

import { once } from '../data-files.ts'
import { terminalNames } from '../named-terminals.ts'
import { findPlaceByCode } from '../places.ts'
import { plainName } from '../plain-name.ts'
import { distinctiveWords } from '../terminal-words.ts'
import { ownTerminals } from '../terminals.ts'
import type { ReferenceRecord } from './record.ts'

/** Ids of our terminals, each with its key in the list (`CNSHG:SECT`). */
export function findUncodedTerminals(listed: readonly ReferenceRecord[]): ReadonlyMap<string, string> {
  const rows = listed.flatMap(({ key, values: { unlocode, name, smdgCode } }) =>
    typeof unlocode === 'string' && typeof name === 'string' ? [{ key, unlocode, name, code: smdgCode }] : [],
  )
  const byName = matchOneToOne(
    rows.map(({ key, unlocode, name, code }) => ({
      key,
      ids: idsOf(named().exact, unlocode, [name, code].map(toPlainName)),
    })),
  )
  const unmatched = rows.filter(({ key }) => !byName.keys.has(key))
  const byWords = matchOneToOne(
    unmatched.map(({ key, unlocode, name }) => ({
      key,
      ids: idsOf(named().words, unlocode, [wordsOf(name, unlocode)]).filter((id) => !byName.ids.has(id)),
    })),
  )
  return new Map([...byName.found, ...byWords.found])
}

/** `found`: the pairs in which each side fits only the other. `keys` and `ids`: all that fit anything. */
function matchOneToOne(rows: readonly { readonly key: string; readonly ids: readonly string[] }[]): {
  readonly found: readonly (readonly [id: string, key: string])[]
  readonly keys: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
} {
  const pairs = rows.flatMap(({ key, ids }) => ids.map((id) => ({ key, id, isOnly: ids.length === 1 })))
  const found = [...Map.groupBy(pairs, ({ id }) => id)].flatMap(([id, [first, ...others]]) =>
    first?.isOnly && others.length === 0 ? [[id, first.key] as const] : [],
  )
  return {
    found,
    keys: new Set(pairs.map(({ key }) => key)),
    ids: new Set(pairs.map(({ id }) => id)),
  }
}

type TerminalIdsByName = ReadonlyMap<string, ReadonlySet<string>>

function idsOf(by: TerminalIdsByName, unlocode: string, names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => (name === '' ? [] : [...(by.get(`${unlocode} ${name}`) ?? [])])))]
}

const named = once((): { readonly exact: TerminalIdsByName; readonly words: TerminalIdsByName } => {
  const exact = new Map<string, Set<string>>()
  const words = new Map<string, Set<string>>()
  const add = (to: Map<string, Set<string>>, key: string, id: string): void => {
    to.set(key, (to.get(key) ?? new Set<string>()).add(id))
  }
  const oceanTerminals = ownTerminals().filter(({ facilityType }) => facilityType === 'ocean_terminal')
  const all = [...oceanTerminals.map((terminal) => ({ terminal, name: terminal.name })), ...terminalNames()]
  for (const { terminal, name } of all) {
    const unlocode = terminal.unlocode ?? ''
    add(exact, `${unlocode} ${toPlainName(name)}`, terminal.id)
    add(words, `${unlocode} ${wordsOf(name, unlocode)}`, terminal.id)
  }
  return { exact, words }
})

function toPlainName(name: string | number | null | undefined): string {
  return typeof name === 'string' ? plainName(name) : ''
}

/** Empty when no word is left that distinguishes the terminal. */
function wordsOf(name: string, unlocode: string): string {
  const words = [...distinctiveWords(name, [findPlaceByCode(unlocode)?.name ?? ''])]
  return words.some((word) => word.length > 3) ? words.toSorted().join(' ') : ''
}
