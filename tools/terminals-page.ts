// Writes docs/terminals.md: which of the busiest ports have terminals in our tables, and how reliable these are. A test
// compares the two.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeTerminalsPage } from './terminals-page-text.ts'

const page = new URL('../docs/terminals.md', import.meta.url)
writeFileSync(page, writeTerminalsPage())
console.log(`Written: ${fileURLToPath(page)}`)
