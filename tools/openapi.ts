// Writes what is generated from the API's code: docs/errors.md, the types of the portal's client and of the SDK, and the
// OpenAPI document to docs/openapi.json or to the given path. With `--check` it writes nothing, and fails when one of the
// files differs from the generated text. Uses no database and no network.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeErrorsPage } from '../src/api/shape/error-table.ts'
import type { Service } from '../src/modules/service.ts'
import { readConfig } from '../src/platform/config.ts'
import { openDescribedApi } from './described-api.ts'
import { writeOpenApi } from './openapi-text.ts'
import { type OpenApi, writeGets } from './openapi-types.ts'
import { writePythonOperations, writePythonResources } from './python-description.ts'
import { writeSdkTable, writeSdkTypes } from './sdk-description.ts'

const given = process.argv.slice(2)
const isCheck = given.includes('--check')
const [path = 'docs/openapi.json'] = given.filter((each) => each !== '--check')

// safe: the routes are only described and never called, so they use nothing but the settings
const app = await openDescribedApi({ config: readConfig({}) } as unknown as Service)
await app.ready()
const document = writeOpenApi(app.swagger())
await app.close()

// safe: `document` is the text of an OpenAPI document
const described = JSON.parse(document) as OpenApi

for (const [name, text] of [
  ['docs/errors.md', writeErrorsPage()],
  ['portal/src/api/gets.generated.ts', writeGets(described, '../../../sdk/typescript/src/description.generated.ts')],
  ['sdk/typescript/src/description.generated.ts', writeSdkTypes(described)],
  ['sdk/typescript/src/operations.generated.ts', writeSdkTable(described)],
  ['sdk/python/landfall_sdk/operations.py', writePythonOperations(described)],
  ['sdk/python/landfall_sdk/resources.py', writePythonResources(described)],
  [path, document],
] as const) {
  const file = name === path && given.includes(path) ? path : fileURLToPath(new URL(`../${name}`, import.meta.url))
  if (!isCheck) {
    writeFileSync(file, text)
    console.log(`Wrote ${name}.`)
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is not what the code gives. Run: npm run openapi`)
    process.exitCode = 1
  } else console.log(`${name} is what the code gives.`)
}
