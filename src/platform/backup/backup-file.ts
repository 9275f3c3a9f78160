/**
 * A backup is one file: a line that describes it, then its entries, compressed with Zstandard and cut into chunks that
 * are checked (`chunks.ts`), encrypted under a passphrase if there is one. It is written under another name and renamed
 * when it is complete.
 */

import { createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { isErrorCode } from '../error-code.ts'
import { BackupFault } from './backup-fault.ts'
import { decryptChunks, encryptChunks } from './chunks.ts'
import { type BackupEntry, readEntries } from './entries.ts'

/** The public data of the first line, also of an encrypted file. */
export interface BackupHead {
  readonly format: 1
  /** Of Landfall. */
  readonly version: string
  readonly createdAt: string
  /** The newest migration of the database. */
  readonly schema: string
  /** Null when the file is not encrypted. `check` shows whether a passphrase is the right one. */
  readonly encryption: null | {
    readonly kdf: 'scrypt'
    readonly salt: string
    readonly n: number
    readonly r: number
    readonly p: number
    readonly check: string
  }
}

const mark = 'landfall-backup '
const headBytesMax = 4_096
/** 128 MB and some tenths of a second for each try (RFC 7914). */
const cost = { n: 131_072, r: 8, p: 1 } as const

/** Writes the file. Refuses to replace an existing file. A failed attempt leaves no file. */
export async function writeBackupFile(
  path: string,
  options: {
    readonly about: Omit<BackupHead, 'format' | 'encryption'>
    readonly passphrase: string | null
    readonly entries: AsyncIterable<Buffer>
    readonly signal?: AbortSignal
  },
): Promise<void> {
  const { about, passphrase, entries, signal } = options
  const salt = randomBytes(16)
  const keys = passphrase === null ? null : await deriveKeys(passphrase, { salt, ...cost })
  const head: BackupHead = {
    format: 1,
    ...about,
    encryption: keys === null ? null : { kdf: 'scrypt', salt: salt.toString('base64'), ...cost, check: keys.check },
  }
  const line = Buffer.from(`${mark}${JSON.stringify(head)}\n`)
  const draft = `${path}.part`
  const file = await createBackupFile(draft)
  try {
    await refuseExisting(path)
    await file.writeFile(line)
    await pipeline(
      Readable.from(entries, { objectMode: false }),
      createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
      encryptChunks({ key: keys?.key ?? null, headHash: hashOf(line) }),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await file.writeFile(chunk)
      },
      { ...(signal !== undefined && { signal }) },
    )
    await file.sync()
    await file.close()
    await refuseExisting(path)
    await rename(draft, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await file.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
}

async function createBackupFile(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (isErrorCode(error, 'EEXIST'))
      throw new BackupFault(
        `${path} exists: another backup is writing it, or a backup was killed. In the second case, remove the file.`,
      )
    throw error
  }
}

async function refuseExisting(path: string): Promise<void> {
  const file = await open(path).catch(() => null)
  await file?.close()
  if (file !== null) throw new BackupFault(`${path} is there already. A backup never replaces a file.`)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

export interface BackupReading {
  readonly head: BackupHead
  /**
   * Every entry in its order. Can be called several times; each call reads the file from its beginning. `onRead` gets
   * the share of the file that was read.
   */
  readonly entries: (onRead?: (share: number) => void) => AsyncGenerator<BackupEntry>
}

/** Throws a `BackupFault` when it is no backup, of a newer format, encrypted, or under another passphrase. */
export async function openBackupFile(path: string, passphrase: string | null): Promise<BackupReading> {
  const { head, line } = await readHead(path)
  const { encryption } = head
  if (encryption !== null && passphrase === null)
    throw new BackupFault(
      'The backup is encrypted. Give its passphrase in LANDFALL_BACKUP_PASSPHRASE or with --passphrase-file.',
    )
  const keys =
    encryption === null || passphrase === null
      ? null
      : await deriveKeys(passphrase, { ...encryption, salt: Buffer.from(encryption.salt, 'base64') })
  if (encryption !== null && keys?.check !== encryption.check)
    throw new BackupFault('The passphrase is not the one of this backup.')
  return {
    head,
    entries: async function* (onRead) {
      const { size } = await stat(path)
      const source = createReadStream(path, { start: line.length })
      source.on('data', () => onRead?.(source.bytesRead / size))
      const opening = decryptChunks({ key: keys?.key ?? null, headHash: hashOf(line) })
      const opened = createZstdDecompress()
      const piped = pipeline(source, opening, opened)
      // The reader below gets the error too. It may have stopped reading before.
      piped.catch(() => {})
      try {
        yield* readEntries(opened)
        await piped
      } catch (error) {
        throw isErrorCode(error, 'ERR_STREAM_PREMATURE_CLOSE')
          ? await findPipeFault(piped, error)
          : toBackupFault(error)
      } finally {
        source.destroy()
      }
    },
  }
}

async function findPipeFault(piped: Promise<void>, error: unknown): Promise<unknown> {
  return piped.then(
    () => error,
    (cause: unknown) => toBackupFault(cause),
  )
}

/** Zstandard finds damage too, where there is no key. */
function toBackupFault(error: unknown): unknown {
  const isOfZstd = error instanceof Error && 'code' in error && String(error.code).startsWith('ZSTD_')
  return isOfZstd || error instanceof SyntaxError ? new BackupFault('The backup is damaged.') : error
}

async function readHead(path: string): Promise<{ readonly head: BackupHead; readonly line: Buffer }> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw isErrorCode(error, 'ENOENT') ? new BackupFault(`There is no file ${path}.`) : error
  })
  try {
    const bytes = Buffer.alloc(headBytesMax)
    const { bytesRead } = await file.read(bytes, 0, headBytesMax, 0)
    const end = bytes.subarray(0, bytesRead).indexOf(10)
    const line = bytes.subarray(0, end + 1)
    if (end < 0 || !line.toString().startsWith(mark)) throw new BackupFault(`${path} is no backup of Landfall.`)
    const head = parseHead(line.toString().slice(mark.length))
    if (head === null) throw new BackupFault('The backup is damaged: its first line cannot be read.')
    if (head.format !== 1)
      throw new BackupFault('The backup was written by a newer version of Landfall. Restore it with that one.')
    return { head, line }
  } finally {
    await file.close()
  }
}

/** The costs are bounded, because the line could come from anybody. */
function parseHead(text: string): BackupHead | null {
  try {
    const head = JSON.parse(text) as BackupHead
    const { encryption } = head
    if (encryption === null) return head
    const isSane = encryption.n >= 16_384 && encryption.n <= 1_048_576 && encryption.r === 8 && encryption.p <= 4
    return isSane && encryption.kdf === 'scrypt' ? head : null
  } catch {
    return null
  }
}

const scryptAsync = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)

async function deriveKeys(
  passphrase: string,
  { salt, n, r, p }: { readonly salt: Buffer; readonly n: number; readonly r: number; readonly p: number },
): Promise<{ readonly key: Buffer; readonly check: string }> {
  const root = await scryptAsync(passphrase.normalize('NFC'), salt, 32, { N: n, r, p, maxmem: 256 * n * r })
  const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', root, '', use, 32))
  return { key: derive('landfall backup'), check: derive('landfall backup check').toString('base64') }
}

function hashOf(line: Buffer): Buffer {
  return createHash('sha256').update(line).digest()
}
