// Writes what is generated from the API's code: docs/errors.md, and with a path as argument the OpenAPI document.
// `npm run landfall` is not needed for it: neither a database nor a network is touched.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeErrorsPage } from '../src/doors/api/error-table.ts'

const errorsPage = fileURLToPath(new URL('../docs/errors.md', import.meta.url))
writeFileSync(errorsPage, writeErrorsPage())
console.log('Wrote docs/errors.md.')
