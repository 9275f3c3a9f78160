/**
 * Files of accounts, encrypted for one account and one id before they leave the process. To keep one: `keepFile`, then
 * in the transaction of the row that has it, `holdFile`. Whatever happens in between, the file is not lost track of.
 */

import { addMs } from '../../../core/values/time.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import type { Db } from '../../../store/database.ts'
import { type FileKey, forgetLooseFile, noteLooseFile } from '../../../store/inbound/loose-files.ts'
import { fileStoreOf, orUnavailable } from '../../ground/file-store-of.ts'
import { realNow, type Service } from '../../service.ts'
import type { Vault } from '../../vault.ts'

/** Longer than any transaction that takes a file over. */
const looseMs = 3_600_000

/** Writes a new file, which is deleted in an hour unless a row takes it over (`holdFile`). Returns its id. */
export async function keepFile(
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
  throw new Error(`The file ${file.id} was taken over too late, or twice.`)
}

/** Call it in the transaction after which the row no longer has the file. A worker deletes the file. */
export async function discardFile(db: Db, service: Service, file: FileKey): Promise<void> {
  await noteLooseFile(db, { ...file, deleteAt: realNow(service) })
}

/** The file of a row that is there already. */
export async function writeFile(service: Service, file: FileKey, bytes: Buffer): Promise<void> {
  const sealed = service.vault.sealBytes(bytes, sealPlace(file))
  await orUnavailable(service, () => fileStoreOf(service).put(file.id, sealed))
}

export type FileFound =
  | { readonly kind: 'found'; readonly bytes: Buffer }
  /** Gone from the store, or other bytes than those that were written. The sentence may be shown. */
  | { readonly kind: 'lost'; readonly why: string }

export async function readFile(service: Service, file: FileKey): Promise<FileFound> {
  const sealed = await orUnavailable(service, () => fileStoreOf(service).get(file.id))
  if (sealed === null) {
    service.log.error('files.lost', { fileId: file.id, accountId: file.accountId })
    return { kind: 'lost', why: 'The file is no longer in the store.' }
  }
  const bytes = opened(service.vault, sealed, file)
  if (bytes !== null) return { kind: 'found', bytes }
  service.log.error('files.lost', { fileId: file.id, accountId: file.accountId, isAltered: true })
  return { kind: 'lost', why: 'The file in the store is not the one that was kept there.' }
}

function opened(vault: Vault, sealed: Buffer, file: FileKey): Buffer | null {
  try {
    return vault.openBytes(sealed, sealPlace(file))
  } catch {
    return null
  }
}

function sealPlace({ accountId, id }: FileKey): string {
  return `files ${accountId} ${id}`
}
