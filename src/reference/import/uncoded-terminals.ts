/**
 * Which rows of SMDG's list are terminals of ours whose code we lack: the list calls one by a name that it has with us,
 * or by the same words but for those that say nothing in their port. Each way one to one, else it is none.
 */

import { once } from '../data-files.ts'
import { terminalNames } from '../named-terminals.ts'
import { findPlaceByCode } from '../places.ts'
import { plainName } from '../plain-name.ts'
import { ownTerminals } from '../terminals.ts'
import type { ReferenceRecord } from './record.ts'

/** Keys of the list (`CNSHG:SECT`) by the ids of our terminals. */
export function findUncodedTerminals(listed: readonly ReferenceRecord[]): ReadonlyMap<string, string> {
  const rows = listed.flatMap(({ key, values: { unlocode, name, smdgCode } }) =>
    typeof unlocode === 'string' && typeof name === 'string' ? [{ key, unlocode, name, code: smdgCode }] : [],
  )
  const byName = matchOneToOne(
    rows.map(({ key, unlocode, name, code }) => ({
      key,
      ids: idsOf(named().exact, unlocode, [name, code].map(plain)),
    })),
  )
  const left = rows.filter(({ key }) => !byName.keys.has(key))
  const byWords = matchOneToOne(
    left.map(({ key, unlocode, name }) => ({
      key,
      ids: idsOf(named().words, unlocode, [tellingWords(name, unlocode)]).filter((id) => !byName.ids.has(id)),
    })),
  )
  return new Map([...byName.found, ...byWords.found])
}

/** Those that have one partner who has no other; and all that have any. */
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

type Ids = ReadonlyMap<string, ReadonlySet<string>>

function idsOf(by: Ids, unlocode: string, names: readonly string[]): readonly string[] {
  return [
    ...new Set(names.flatMap((name) => (name === '' ? [] : [...(by.get(`${unlocode} ${name}`) ?? [])]))),
  ]
}

const named = once((): { readonly exact: Ids; readonly words: Ids } => {
  const exact = new Map<string, Set<string>>()
  const words = new Map<string, Set<string>>()
  const add = (to: Map<string, Set<string>>, key: string, id: string): void => {
    to.set(key, (to.get(key) ?? new Set<string>()).add(id))
  }
  const own = ownTerminals().filter(({ facilityType }) => facilityType === 'ocean_terminal')
  const all = [...own.map((terminal) => ({ terminal, name: terminal.name })), ...terminalNames()]
  for (const { terminal, name } of all) {
    const unlocode = terminal.unlocode ?? ''
    add(exact, `${unlocode} ${plain(name)}`, terminal.id)
    add(words, `${unlocode} ${tellingWords(name, unlocode)}`, terminal.id)
  }
  return { exact, words }
})

function plain(name: string | number | null | undefined): string {
  return typeof name === 'string' ? plainName(name) : ''
}

/**
 * `APM TERMINALS ROTTERDAM MAASVLAKTE 2` and `APM Terminals Maasvlakte II` in Rotterdam: `2 APM MAASVLAKTE`. Empty where
 * nothing is left that would tell one terminal from another.
 */
function tellingWords(name: string, unlocode: string): string {
  const port = new Set(plainName(findPlaceByCode(unlocode)?.name ?? '').split(' '))
  const words = plainName(name.replace(/\([^)]*\)/g, ' '))
    .split(' ')
    .filter((word) => word !== '' && !sayNothing.has(word) && !port.has(word))
    .map((word) => numbers[word] ?? word)
  return words.some((word) => word.length > 3) ? [...new Set(words)].toSorted().join(' ') : ''
}

const sayNothing = new Set(
  'TERMINAL TERMINALS CONTAINER CONTAINERS PORT PORTS THE OF CO LTD LLC LIMITED COMPANY'.split(' '),
)
const numbers: Readonly<Record<string, string>> = { I: '1', II: '2', III: '3', IV: '4', V: '5', VI: '6' }
