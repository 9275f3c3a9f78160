// Writes docs/check-evidence.mjs, the checker of evidence as one file that needs nothing but Node 20. Run it after a change
// of src/platform/evidence; a test compares the two.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeChecker } from './evidence-checker-text.ts'

const file = new URL('../docs/check-evidence.mjs', import.meta.url)
writeFileSync(file, await writeChecker())
console.log(`Written: ${fileURLToPath(file)}`)
