/**
 * The folder of a channel on disk. A file that is ready is moved to `taking/` under a name that is used only once. So
 * only one of several processes has the file, and nobody can put another file in its place. From there it moves to
 * `taken/` or `refused/`. Acknowledgements are written to `answers/`.
 */

import { type BigIntStats, constants, type Dirent } from 'node:fs'
import { lstat, mkdir, open, opendir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrorCode } from '../../platform/error-code.ts'
import { makeFolder } from '../../platform/make-folder.ts'

const subfolders = ['taking', 'taken', 'refused', 'answers'] as const
type Subfolder = (typeof subfolders)[number]

/** Maximum files that are checked in one round. The others are checked when these are gone. */
const namesMax = 10_000

/**
 * Creates the folder and its subfolders where they are missing. Throws when a subfolder is no folder: a link would lead
 * somewhere else.
 */
export async function openFolder(base: string, name: string): Promise<string> {
  const folder = join(base, name)
  makeFolder(folder, 0o777)
  for (const subfolder of subfolders) {
    await mkdir(join(folder, subfolder)).catch((error: unknown) => {
      if (!isErrorCode(error, 'EEXIST')) throw error
    })
    if (!(await lstat(join(folder, subfolder))).isDirectory())
      throw new Error(`${subfolder} in ${name} is not a folder`)
  }
  return folder
}

export interface WaitingFile {
  /** As the disk has it, byte for byte. */
  readonly name: Buffer
  /** Changes whenever somebody has written to the file, or put another file in its place. */
  readonly mark: string
  readonly changedAt: bigint
}

/** The files that are there. Leaves out folders, and files whose names show that they are still being written. */
export async function listWaitingFiles(folder: string): Promise<readonly WaitingFile[]> {
  const files: WaitingFile[] = []
  for (const name of await namesIn(folder)) {
    if (isBeingWritten(name.toString('latin1'))) continue
    const stat = await lstat(pathOf(folder, name), { bigint: true }).catch(() => null)
    if (stat === null || stat.isDirectory()) continue
    files.push({ name, mark: markOf(stat), changedAt: stat.mtimeNs })
  }
  return files.toSorted((a, b) => Number(a.changedAt - b.changedAt) || a.name.compare(b.name))
}

function markOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`
}

/** Clients name files like this while they are still sending them. */
function isBeingWritten(name: string): boolean {
  return /^\.|~$|\.(?:tmp|temp|part|partial|filepart)$/i.test(name)
}

async function namesIn(folder: string): Promise<readonly Buffer[]> {
  const names: Buffer[] = []
  const entries = await opendir(folder, { encoding: 'buffer' as BufferEncoding })
  for await (const entry of entries as AsyncIterable<Dirent<string | Buffer>>) {
    if (entry.isDirectory()) continue
    names.push(Buffer.from(entry.name))
    if (names.length === namesMax) break
  }
  return names
}

/** A file name is bytes, which need not be valid text. */
function pathOf(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), name])
}

/** A file in `taking/`: `<id>_<its name>`, of plain characters. */
export interface ClaimedFile {
  readonly id: string
  readonly fileName: string
}

const claimedName = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})_/
const storedNameMax = 120

/**
 * Null when another process was first, or when another file was put in its place meanwhile. That other file stays in
 * `taking/` until it, too, has not changed for a while.
 */
export async function claimFile(folder: string, { name, mark }: WaitingFile, id: string): Promise<ClaimedFile | null> {
  const plain = name.toString('latin1').replace(/[^\w.-]/g, '_')
  const fileName = `${id}_${plain.slice(-storedNameMax)}`
  const path = join(folder, 'taking', fileName)
  try {
    await rename(pathOf(folder, name), path)
    return markOf(await lstat(path, { bigint: true })) === mark ? { id, fileName } : null
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Null for a name that this program has not given. */
export function readClaimed(name: Buffer): ClaimedFile | null {
  const fileName = name.toString('latin1')
  const id = claimedName.exec(fileName)?.[1]
  return id === undefined ? null : { id, fileName }
}

export type FileContent =
  | { readonly kind: 'whole'; readonly body: Buffer }
  | { readonly kind: 'refused'; readonly reason: string }
  /** Somebody wrote to the file while it was read. It is read again later. */
  | { readonly kind: 'changing' }

/** Reads the file in `taking/`; null when it is gone. Never follows a link, and opens nothing but regular files. */
export async function readClaimedFile(
  folder: string,
  { fileName }: ClaimedFile,
  bytesMax: number,
): Promise<FileContent | null> {
  const path = join(folder, 'taking', fileName)
  const seen = await lstat(path).catch(() => null)
  if (seen === null) return null
  if (!seen.isFile()) return toRefusal('It is not a regular file: links, devices and pipes are not read.')
  if (seen.nlink > 1) return toRefusal('It is a hard link: the same file has another name.')
  if (seen.size === 0) return toRefusal('It is empty.')
  if (seen.size > bytesMax) return toRefusal(`It has ${seen.size} bytes, more than the maximum of ${bytesMax}.`)
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    // One byte more, to see whether it grows.
    const buffer = Buffer.allocUnsafe(seen.size + 1)
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    const after = await handle.stat()
    const isSame = after.ino === seen.ino && after.mtimeMs === seen.mtimeMs && length === seen.size
    return isSame ? { kind: 'whole', body: buffer.subarray(0, length) } : { kind: 'changing' }
  } finally {
    await handle.close()
  }
}

function toRefusal(reason: string): FileContent {
  return { kind: 'refused', reason }
}

/** Moves the file from `taking/` to its last place. Does nothing when another process has moved it. */
export async function moveFile(folder: string, { fileName }: ClaimedFile, subfolder: Subfolder): Promise<void> {
  await rename(join(folder, 'taking', fileName), join(folder, subfolder, fileName)).catch((error: unknown) => {
    if (!isErrorCode(error, 'ENOENT')) throw error
  })
}

/** Writes a file that is there completely or not at all, so that whoever fetches answers never gets half of one. */
export async function writeWhole(
  folder: string,
  of: {
    readonly subfolder: Subfolder
    readonly id: string
    readonly fileName: string
    readonly content: Buffer
  },
): Promise<void> {
  const half = join(folder, of.subfolder, `.${of.id}.tmp`)
  await writeFile(half, of.content, { flush: true })
  await rename(half, join(folder, of.subfolder, of.fileName))
}
