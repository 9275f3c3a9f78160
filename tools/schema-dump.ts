/**
 * `npm run schema`: lists new migrations as landed, migrates a temporary database, and writes its schema to
 * src/db/schema.sql. Refuses when a landed migration was changed.
 */

import { writeFileSync } from 'node:fs'
import { openTestDatabase } from '../test/support/database.ts'
import { listNewMigrations } from './landed-migrations.ts'
import { writeSchemaText } from './schema-text.ts'

listNewMigrations()
const database = await openTestDatabase()
try {
  writeFileSync(new URL('../src/db/schema.sql', import.meta.url), await writeSchemaText(database.pool))
} finally {
  await database.close()
}
