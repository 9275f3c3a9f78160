/**
 * Writes the owner codes and number formats of src/inference/data/ from a folder of raw lists (`--from <folder>`), each
 * with a note about its source. Both lists are facts. Labelled numbers are never copied.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'

type Row = Readonly<Record<string, string>>

const data = join(import.meta.dirname, '..', '..', 'src', 'inference', 'data')
const { values } = parseArgs({ options: { from: { type: 'string' } } })
if (values.from === undefined) {
  console.error('Say where the raw lists are: tools/inference/vendor.ts --from <folder>')
  process.exit(1)
}

write(values.from, 'owner_prefixes.csv', 'owner-codes.tsv.gz', ['prefix', 'kind', 'scac', 'owner'], {
  publisher: 'Landfall',
  edition: 'ISO 6346 owner codes of about 2020',
  changes: 'Sorted; kind and line are our own judgement.',
})
write(values.from, 'number_formats.csv', 'number-formats.tsv', ['scac', 'number_type', 'pattern', 'evidence', 'note'], {
  publisher: 'Landfall',
  edition: 'undated; formats seen until 2026',
  changes: 'Tab-separated.',
})

function write(
  folder: string,
  raw: string,
  file: string,
  columns: readonly string[],
  about: { readonly publisher: string; readonly edition: string; readonly changes: string },
): void {
  const text = readFileSync(join(folder, raw))
  const rows = parse(text, { columns: true, bom: true }) as readonly Row[]
  const lines = rows.map((row) => columns.map((column) => (row[column] ?? '').replace(/\s+/g, ' ')).join('\t'))
  if (file.endsWith('.gz')) lines.sort()
  const table = Buffer.from(`${[columns.join('\t'), ...lines].join('\n')}\n`)
  const bytes = file.endsWith('.gz') ? gzipSync(table, { level: 9 }) : table
  writeFileSync(join(data, file), bytes)
  const source = {
    publisher: about.publisher,
    edition: about.edition,
    licence: 'Apache-2.0; the entries are facts',
    attribution: '',
    changes: about.changes,
    sha256: sha256(bytes),
    rows: rows.length,
    raw: [{ file: `inference/${raw}`, sha256: sha256(text) }],
  }
  writeFileSync(join(data, `${file}.SOURCE.json`), `${JSON.stringify(source, null, 2)}\n`)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
