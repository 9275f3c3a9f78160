// Writes docs/attributes.md: what fills each attribute and makes each event heard, measured. A test compares the two.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeAttributesPage } from './attributes-page-text.ts'

const page = new URL('../docs/attributes.md', import.meta.url)
writeFileSync(page, writeAttributesPage())
console.log(`Written: ${fileURLToPath(page)}`)
