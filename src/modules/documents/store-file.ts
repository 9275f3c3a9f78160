/**
 * Files of accounts, encrypted for one account and one id before they leave the process. To store one: `storeFile`,
 * then `holdFile` in the transaction of the row that has it. The file is not lost at any failure in between.
 */

import type { Db } from '../../db/database.ts'
import { addMs } from '../../domain/values/time.ts'
import { fileStoreOf, refuseWhenUnavailable } from '../../pipeline/response-archive/file-store.ts'
import type { Encryption } from '../../platform/encryption.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { realNow, type Service } from '../service.ts'
import { type FileKey, forgetLooseFile, noteLooseFile } from './loose-files-sql.ts'

/** Longer than any transaction that claims a file. */
const looseMs = 3_600_000

/** Writes a new file, which is deleted in an hour unless a row claims it (`holdFile`). Returns its id. */
export async function storeFile(
  service: Service,
  file: { readonly accountId: string; readonly bytes: Buffer },
): Promise<string> {
  const id = uuidV7(service.clock.now())
  const key = { accountId: file.accountId, id }
  await noteLooseFile(service.pool, { ...key, deleteAt: addMs(realNow(service), looseMs) })
  await writeFile(service, key, file.bytes)
  return id
}

/** Call it in the transaction of the row that has the file from now on. */
export async function holdFile(db: Db, file: FileKey): Promise<void> {
  if (await forgetLooseFile(db, file)) return
  throw new Error(`The file ${file.id} has expired, or it already belongs to a row.`)
}

/** Call it in the transaction after which the row no longer has the file. A worker deletes the file. */
export async function discardFile(db: Db, service: Service, file: FileKey): Promise<void> {
  await noteLooseFile(db, { ...file, deleteAt: realNow(service) })
}

/** The file of a row that is there already. */
export async function writeFile(service: Service, file: FileKey, bytes: Buffer): Promise<void> {
  const encrypted = service.encryption.encryptBytes(bytes, encryptionContextOf(file))
  await refuseWhenUnavailable(service, () => fileStoreOf(service).put(file.id, encrypted))
}

export type FileFound =
  | { readonly kind: 'found'; readonly bytes: Buffer }
  /** Gone from the store, or other bytes than those that were written. The sentence may be shown. */
  | { readonly kind: 'lost'; readonly why: string }

export async function readFile(service: Service, file: FileKey): Promise<FileFound> {
  const encrypted = await refuseWhenUnavailable(service, () => fileStoreOf(service).get(file.id))
  if (encrypted === null) {
    service.log.error('files.lost', { fileId: file.id, accountId: file.accountId })
    return { kind: 'lost', why: 'The file is no longer in the store.' }
  }
  const bytes = decryptFile(service.encryption, encrypted, file)
  if (bytes !== null) return { kind: 'found', bytes }
  service.log.error('files.lost', { fileId: file.id, accountId: file.accountId, isAltered: true })
  return { kind: 'lost', why: 'The file in the store differs from the file that was stored.' }
}

function decryptFile(encryption: Encryption, encrypted: Buffer, file: FileKey): Buffer | null {
  try {
    return encryption.decryptBytes(encrypted, encryptionContextOf(file))
  } catch {
    return null
  }
}

function encryptionContextOf({ accountId, id }: FileKey): string {
  return `files ${accountId} ${id}`
}
