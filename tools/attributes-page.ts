// Writes docs/attributes.md: which kinds of channels fill each attribute and cause each event, as measured. A test
// compares the page with the measurement.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeAttributesPage } from './attributes-page-text.ts'

const page = new URL('../docs/attributes.md', import.meta.url)
writeFileSync(page, writeAttributesPage())
console.log(`Written: ${fileURLToPath(page)}`)
