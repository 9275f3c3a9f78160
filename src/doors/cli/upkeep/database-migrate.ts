/**
 * `landfall database migrate`: brings the schema up to date as its owner, for installations whose servers use a role
 * that may not change it.
 */

import { readDatabaseRole } from '../../../service/running/setup/database-role.ts'
import { command } from '../frame/command.ts'

export const databaseMigrate = command({
  name: 'database migrate',
  summary: 'Bring the database to the schema of this program, and say what the serving role may do',
  about:
    'Runs as the role of LANDFALL_MIGRATION_DATABASE_URL, and grants to the role of DATABASE_URL what serving needs; without it, as the role of DATABASE_URL. A start does the same. docs/database-roles.md has the whole.',
  run: async ({ shell }) => {
    const { name, mayChangeSchema } = await readDatabaseRole(await shell.openService())
    shell.print('The schema is that of this program.')
    shell.print(
      mayChangeSchema
        ? `The role that serves, ${name}, may also make, change and drop tables.`
        : `The role that serves, ${name}, may read and write rows, and not change the schema.`,
    )
    return 0
  },
})
