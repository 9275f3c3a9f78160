/** Reads what a user sees of a sandbox scenario at each moment: handwritten, explained in `sandbox/README.md`. */

import { readdirSync, readFileSync } from 'node:fs'

export interface Seen {
  readonly scac: string
  readonly kind: string
  /** Of the scenario's first stage. */
  readonly number: string
  readonly moments: readonly { readonly at: number; readonly says: readonly string[] }[]
}

const folder = new URL('../../sandbox/scenarios/', import.meta.url)

export function readSeen(): readonly Seen[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.seen'))
    .toSorted()
    .map((file) => read(readFileSync(new URL(file, folder), 'utf8')))
}

function read(text: string): Seen {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const [, scac = '', kind = '', number = ''] = lines.find((line) => line.startsWith('ask '))?.split(/\s+/) ?? []
  const moments: { at: number; says: string[] }[] = []
  for (const line of lines) {
    if (line.startsWith('at ')) moments.push({ at: Date.parse(line.slice(3)), says: [] })
    else moments.at(-1)?.says.push(line)
  }
  return { scac, kind, number, moments }
}
