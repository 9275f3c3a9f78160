// Writes docs/coverage.md from the profiles and tables that are shipped. Run it after a change of them; a test compares
// the two.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeCoveragePage } from './coverage-page-text.ts'

const page = new URL('../docs/coverage.md', import.meta.url)
writeFileSync(page, writeCoveragePage())
console.log(`Written: ${fileURLToPath(page)}`)
