// Writes docs/scenarios.md: the sandbox's named scenarios and the numbers by which to request them. A test compares the
// two.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeScenariosPage } from './scenarios-page-text.ts'

const page = new URL('../docs/scenarios.md', import.meta.url)
writeFileSync(page, writeScenariosPage())
console.log(`Written: ${fileURLToPath(page)}`)
