// Writes docs/beside-the-ledger.md from the table of data that are kept beside the fold. Run it after a change of that
// table; a test compares the two.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeBesidePage } from './beside-page-text.ts'

const page = new URL('../docs/beside-the-ledger.md', import.meta.url)
writeFileSync(page, writeBesidePage())
console.log(`Written: ${fileURLToPath(page)}`)
