// Writes what is generated from the API's code: docs/errors.md, and with a path as argument the OpenAPI document to that
// file. Neither a database nor a network is touched.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApi } from '../src/doors/api/app.ts'
import { writeErrorsPage } from '../src/doors/api/error-table.ts'
import { readConfig } from '../src/platform/config.ts'
import type { Service } from '../src/service/service.ts'

writeFileSync(fileURLToPath(new URL('../docs/errors.md', import.meta.url)), writeErrorsPage())
console.log('Wrote docs/errors.md.')

const [path] = process.argv.slice(2)
if (path !== undefined) {
  // Routes are only described here, never asked, so nothing but the settings is reached for.
  const app = await openApi({ config: readConfig({}) } as unknown as Service)
  await app.ready()
  writeFileSync(path, `${JSON.stringify(app.swagger(), null, 2)}\n`)
  await app.close()
  console.log(`Wrote the OpenAPI document to ${path}.`)
}
