/** What `landfall --version` and `npm start -- --version` print: what an operator names when something is wrong. */

import { listMigrations } from '../../db/migrate.ts'
import { programVersion } from '../../platform/program-version.ts'

/** The version of the program, the last migration that it knows, and the Node that runs it. */
export function writeVersion(): string {
  const schema = listMigrations().at(-1)?.name ?? 'none'
  return `landfall ${programVersion}, schema ${schema}, Node ${process.versions.node}`
}
