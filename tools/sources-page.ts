// Writes what is read from lines' answers into docs/sources.md, from the fixtures. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeSourcesPage } from './sources-page-text.ts'

const page = new URL('../docs/sources.md', import.meta.url)
writeFileSync(page, writeSourcesPage(readFileSync(page, 'utf8')))
console.log(`Written: ${fileURLToPath(page)}`)
