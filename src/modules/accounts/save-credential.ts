/** Stores the access to a line with its secrets encrypted. */

import type { Db } from '../../db/database.ts'
import type { Service } from '../service.ts'
import { type Credential, putCredential } from './accounts-sql.ts'

/** Returns the id. Where the same owner has an access to the line, it is replaced and keeps its id. `secrets` null: none. */
export function saveCredential(
  db: Db,
  { encryption }: Service,
  {
    secrets,
    ...credential
  }: Omit<Credential, 'encryptedSecret'> & { readonly secrets: Readonly<Record<string, string>> | null },
): Promise<string> {
  const encryptedSecret = secrets === null ? null : encryption.encrypt(JSON.stringify(secrets))
  return putCredential(db, { ...credential, encryptedSecret })
}
