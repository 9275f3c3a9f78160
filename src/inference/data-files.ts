/** Reads the model's tables: tab-separated files with one header line, some of them gzipped. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** The rows of a table without its header, as cells. */
export function readRows(file: string): readonly (readonly string[])[] {
  const bytes = readFileSync(fileURLToPath(new URL(`./data/${file}`, import.meta.url)))
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .replace(/\n$/, '')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
}
