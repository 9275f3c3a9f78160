/**
 * `landfall database migrate`: updates the schema as its owner, for installations whose servers use a role that may not
 * change it.
 */

import { readDatabaseRole } from '../../modules/installation/database-role.ts'
import { defineCommand } from '../framework/command.ts'

export const databaseMigrate = defineCommand({
  about:
    'Runs as the role of LANDFALL_MIGRATION_DATABASE_URL and gives the role of DATABASE_URL the rights that it needs. If that setting is missing, it runs as the role of DATABASE_URL. A start does the same. See docs/hardening.md.',
  run: async ({ shell }) => {
    const { name, mayChangeSchema } = await readDatabaseRole(await shell.openService())
    shell.print('The database has the schema of this version.')
    shell.print(
      mayChangeSchema
        ? `The serving role ${name} may also create, change and drop tables.`
        : `The serving role ${name} may read and write rows and cannot change the schema.`,
    )
    return 0
  },
})
