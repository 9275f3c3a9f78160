/** The rows of UN/LOCODE with our additional data, sorted by code. */

import { once } from './data-files.ts'
import { openLineTable } from './line-table.ts'

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
