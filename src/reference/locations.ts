/** The rows of UN/LOCODE with what we know besides, sorted by code. */

import { once } from './data-files.ts'
import { makeHashIndex } from './id-index.ts'
import { openLineTable } from './line-table.ts'
import { plainName } from './plain-name.ts'

export const locations = once(() => openLineTable('locations.tsv.gz'))

/** Null when the list has no such code. */
export function findLocation(unlocode: string): string | null {
  const line = locations().lineAt(locations().findRow(unlocode))
  return line.startsWith(`${unlocode}\t`) ? line : null
}

/** The rows whose code begins with `start`. */
export function* locationsFrom(start: string): Generator<string> {
  for (let row = locations().findRow(start); row < locations().length; row++) {
    const line = locations().lineAt(row)
    if (!line.startsWith(start)) return
    yield line
  }
}

/** `Kobenhavn = Copenhagen` contains two names. */
export function listedNames(line: string | null): readonly string[] {
  return line === null ? [] : line.slice(6, line.indexOf('\t', 6)).split(' = ')
}

/** The rows with exactly this name, which is as `plainName` gives it. */
export function findLocationsNamed(plain: string): readonly string[] {
  return rowsByName()
    .find(hashOf(plain))
    .map(locations().lineAt)
    .filter((line) => listedNames(line).some((name) => plainName(name) === plain))
}

/** Makes the index of names now instead of at first use. */
export function openNames(): void {
  rowsByName()
}

const rowsByName = once(() => makeHashIndex(namedRows()))

function* namedRows() {
  for (let number = 0; number < locations().length; number++)
    for (const name of listedNames(locations().lineAt(number)))
      yield { hash: hashOf(plainName(name)), number }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
