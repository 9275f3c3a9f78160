/** `npm run schema`: migrates a throwaway database and writes what came of it to src/store/schema.sql. */

import { writeFileSync } from 'node:fs'
import { openTestDatabase } from '../test/support/database.ts'
import { writeSchemaText } from './schema-text.ts'

const database = await openTestDatabase()
try {
  writeFileSync(new URL('../src/store/schema.sql', import.meta.url), await writeSchemaText(database.pool))
} finally {
  await database.close()
}
