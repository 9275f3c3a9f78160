/** Reads a backup from its first byte to its last and writes nothing: whether it is complete, and what is in it. */

import { BackupFault } from '../../platform/backup/backup-fault.ts'
import type { BackupHead, BackupReading } from '../../platform/backup/backup-file.ts'
import { openBackupFile } from '../../platform/backup/backup-file.ts'
import { type BackupEntry, readWhole } from '../../platform/backup/entries.ts'
import {
  type BackupContents,
  countBytes,
  type EntryDescription,
  type EntrySum,
  type Manifest,
  type Progress,
} from './backup-contents.ts'
import { isFileOfBackup, secretFiles } from './backup-data-folder.ts'

export interface CheckedBackup {
  readonly head: BackupHead
  readonly contents: BackupContents
  readonly manifest: Manifest
  /** The small files with secrets, by name. */
  readonly secrets: ReadonlyMap<string, Buffer>
  /** Uncompressed. */
  readonly bytes: number
  readonly reading: BackupReading
}

/** Throws a `BackupFault` with a sentence when the file is not complete or not what was written. */
export async function checkBackup(
  file: string,
  options: { readonly passphrase: string | null; readonly progress: (progress: Progress) => void },
): Promise<CheckedBackup> {
  const reading = await openBackupFile(file, options.passphrase)
  let bytes = 0
  let share = 0
  const secrets = new Map<string, Buffer>()
  const seen: { name: string; rows: number | null; bytes: number }[] = []
  let contents: BackupContents | null = null
  let manifest: Manifest | null = null
  for await (const entry of reading.entries((read) => {
    share = read
  })) {
    if (manifest !== null) throw new BackupFault('The backup is damaged: there is an entry after its last.')
    const about = readEntryDescription(entry)
    if ((contents === null) !== (about.kind === 'contents'))
      throw new BackupFault('The backup is damaged: it does not begin with its list of contents.')
    let entryBytes = 0
    let lines = 0
    const name = about.kind === 'table' ? about.name : about.kind === 'file' ? about.path : about.kind
    const pieces = countBytes(entry.pieces, (count) => {
      bytes += count
      entryBytes += count
      options.progress({ name, bytes, share })
    })
    if (about.kind === 'file' && secretFiles.some((each) => each === about.path))
      secrets.set(about.path, await readWhole({ about, pieces }))
    else for await (const piece of pieces) if (about.kind === 'table') lines += countLines(piece)
    if (about.kind === 'contents') contents = about
    else if (about.kind === 'manifest') manifest = about
    else seen.push({ name, rows: about.kind === 'table' ? lines : null, bytes: entryBytes })
  }
  if (contents === null || manifest === null) throw new BackupFault('The backup is not complete: its end is missing.')
  requireListedEntries(seen, manifest, contents)
  return { head: reading.head, contents, manifest, secrets, bytes, reading }
}

export function readEntryDescription({ about }: BackupEntry): EntryDescription {
  const entryAbout = about as EntryDescription
  const isKnown = ['contents', 'table', 'file', 'manifest'].includes(entryAbout.kind)
  if (!isKnown) throw new BackupFault('The backup has an entry that this version does not know.')
  if (entryAbout.kind === 'file' && !isFileOfBackup(entryAbout.path))
    throw new BackupFault('The backup has a file with an unexpected path.')
  return entryAbout
}

function requireListedEntries(
  seen: readonly Omit<EntrySum, 'sha256'>[],
  manifest: Manifest,
  contents: BackupContents,
): void {
  const listed = [...manifest.tables, ...manifest.files].map(({ name, rows, bytes }) => ({
    name,
    rows,
    bytes,
  }))
  const isSame = JSON.stringify(seen) === JSON.stringify(listed)
  const tables = manifest.tables.map(({ name }) => name).join()
  if (!isSame || tables !== contents.tables.map(({ name }) => name).join())
    throw new BackupFault('The backup is damaged: its entries differ from the list at its end.')
}

function countLines(piece: Buffer): number {
  let lines = 0
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1
  return lines
}
