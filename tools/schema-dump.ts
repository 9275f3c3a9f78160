/**
 * `npm run schema`: lists new migrations as landed, migrates a throwaway database and writes what came of it to
 * src/store/schema.sql. Refuses when a migration that has landed was changed.
 */

import { writeFileSync } from 'node:fs'
import { openTestDatabase } from '../test/support/database.ts'
import { listNewMigrations } from './landed-migrations.ts'
import { writeSchemaText } from './schema-text.ts'

listNewMigrations()
const database = await openTestDatabase()
try {
  writeFileSync(new URL('../src/store/schema.sql', import.meta.url), await writeSchemaText(database.pool))
} finally {
  await database.close()
}
