// Writes docs/configuration.md from the table of settings. Run it after a change there; a test compares the two.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeConfigPage } from './config-page-text.ts'

const docs = new URL('../docs/', import.meta.url)
mkdirSync(docs, { recursive: true })
writeFileSync(new URL('configuration.md', docs), writeConfigPage())
console.log(`Written: ${fileURLToPath(new URL('configuration.md', docs))}`)
