/** What the reference tables are made from, read from the note beside each table: edition, licence and attribution. */

import { readdirSync, readFileSync } from 'node:fs'
import { once } from './data-files.ts'

export interface ShippedEdition {
  /** The file of the table: `locations.tsv.gz`. */
  readonly file: string
  readonly publisher: string
  readonly edition: string
  readonly licence: string
  readonly attribution: string
  /** Checksum of the table as shipped. */
  readonly sha256: string
  readonly rows: number
}

export const shippedEditions = once((): readonly ShippedEdition[] => {
  const folder = new URL('./data/', import.meta.url)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.SOURCE.json'))
    .toSorted()
    .map((name) => {
      const note = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Omit<ShippedEdition, 'file'>
      const { publisher, edition, licence, attribution, sha256, rows } = note
      const file = name.slice(0, -'.SOURCE.json'.length)
      return { file, publisher, edition, licence, attribution, sha256, rows }
    })
})
