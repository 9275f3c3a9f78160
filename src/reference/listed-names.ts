/** Finds the places of our own list for a name. */

import { once } from './data-files.ts'
import { makeHashIndex } from './id-index.ts'
import { locations } from './locations.ts'
import { plainName } from './plain-name.ts'
import { allPortOverrides, findPortOverride } from './port-overrides.ts'

/** Canonical codes by the list's names, those of the aliases among them, and by our own. */
export function codesNamed(plain: string): readonly string[] {
  const listed = rowsByName()
    .find(hashOf(plain))
    .map(locations().lineAt)
    .filter((line) => listedNames(line).some((name) => plainName(name) === plain))
  const ours = overridesByName().get(plain) ?? []
  return [...listed.map((line) => canonicalOf(line.slice(0, 5))), ...ours.map(({ canonicalUnlocode: code }) => code)]
}

const overridesByName = once(() => Map.groupBy(allPortOverrides(), ({ displayName }) => plainName(displayName)))

/** Rows by the hash of a plain name. */
export const rowsByName = once(() => makeHashIndex(namedRows()))

function* namedRows() {
  for (let number = 0; number < locations().length; number++)
    for (const name of listedNames(locations().lineAt(number))) yield { hash: hashOf(plainName(name)), number }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** `Kobenhavn = Copenhagen` contains two names. */
export function listedNames(line: string | null): readonly string[] {
  return line === null ? [] : line.slice(6, line.indexOf('\t', 6)).split(' = ')
}

/** The code of the place, of its own or by our table of ports. */
export function canonicalOf(code: string): string {
  return findPortOverride(code)?.canonicalUnlocode ?? code
}
