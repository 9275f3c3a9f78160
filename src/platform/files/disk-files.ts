/**
 * Files in a folder of this machine. A file is written under another name, synced and renamed, so that there is never
 * half a file under an id. Only the user who runs Landfall may read them.
 */

import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrorCode } from '../error-code.ts'
import { makeFolder } from '../make-folder.ts'
import { type FileRange, type FileStore, FileStoreError } from './file-store.ts'

/** Folders are made when the first file comes. */
export function openDiskFiles(folder: string): FileStore {
  const unfinished = join(folder, 'unfinished')
  /** Two levels of folders by the last digits of the id: the first digits of ids of one day are the same. */
  const shardOf = (id: string): string => join(folder, id.slice(-2), id.slice(-4, -2))
  const pathOf = (id: string): string => {
    // Landfall makes the ids. A text that is not an id would be a fault of Landfall and must not become a path.
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error('The id of a file is a UUID.')
    return join(shardOf(id), id)
  }

  return {
    put: (id, bytes) =>
      translateErrors(async () => {
        const path = pathOf(id)
        makeFolder(unfinished, 0o700)
        makeFolder(shardOf(id), 0o700)
        const draft = join(unfinished, `${id}.${randomUUID()}`)
        try {
          await writeSynced(draft, bytes)
          await rename(draft, path)
        } catch (error) {
          await rm(draft, { force: true }).catch(() => {})
          throw error
        }
        await syncFolder(shardOf(id))
      }),
    get: (id) => translateErrors(() => orNull(() => readFile(pathOf(id)))),
    getRange: (id, fileRange) => translateErrors(() => orNull(() => readFileRange(pathOf(id), fileRange))),
    delete: (id) => translateErrors(() => rm(pathOf(id), { force: true })),
    sweep: (before) =>
      translateErrors(async () => {
        const names = await readdir(unfinished).catch(() => [])
        for (const name of names) {
          const path = join(unfinished, name)
          const found = await stat(path).catch(() => null)
          if (found !== null && found.mtime < before) await rm(path, { force: true })
        }
      }),
  }
}

/** Null when there is no such file. */
async function orNull(read: () => Promise<Buffer>): Promise<Buffer | null> {
  try {
    return await read()
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

async function readFileRange(path: string, { at, bytes }: FileRange): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(bytes)
    let read = 0
    while (read < bytes) {
      const { bytesRead } = await file.read(buffer, read, bytes - read, at + read)
      if (bytesRead === 0) break
      read += bytesRead
    }
    return buffer.subarray(0, read)
  } finally {
    await file.close()
  }
}

async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A rename is durable only when the folder is synced too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const full = ['ENOSPC', 'EDQUOT', 'EFBIG']
const refused = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']

async function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const is = (codes: readonly string[]): boolean => codes.some((code) => isErrorCode(error, code))
    if (is(full)) throw new FileStoreError('full', 'The disk for files is full.', error)
    if (is(refused)) throw new FileStoreError('refused', 'Landfall has no access to the folder for files.', error)
    throw new FileStoreError('away', 'The disk for files gives errors.', error)
  }
}
