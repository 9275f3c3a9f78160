/** The metadata of the entries of a backup, and the sums at its end. */

import type { BackedMigration, BackedPartition, BackedSequence, BackedTable } from '../../db/backup/backup-snapshot.ts'
import type { EntryEnd } from '../../platform/backup/entries.ts'

/** The first entry. */
export interface BackupContents {
  readonly kind: 'contents'
  /** The moment as of which it has the rows. */
  readonly takenAt: string
  readonly migrations: readonly BackedMigration[]
  readonly tables: readonly Pick<BackedTable, 'name' | 'columns'>[]
  readonly partitions: readonly BackedPartition[]
  readonly sequences: readonly BackedSequence[]
  /** Of the secret that the rows are encrypted with; null in a database from before there were fingerprints. */
  readonly secretFingerprint: string | null
  readonly hasSecrets: boolean
  /** Where the files of documents were. Those in a bucket are not in the backup. */
  readonly storage: 'disk' | 's3'
  /** The names of the settings that the environment gave. */
  readonly settings: readonly string[]
}

export type EntryDescription =
  | BackupContents
  | { readonly kind: 'table'; readonly name: string }
  /** A file of the data folder: `secret`; or a file of documents: `files/…`. */
  | { readonly kind: 'file'; readonly path: string }
  | Manifest

/** The last entry: what must have come before it. */
export interface Manifest {
  readonly kind: 'manifest'
  readonly tables: readonly EntrySum[]
  readonly files: readonly EntrySum[]
}

export interface EntrySum {
  readonly name: string
  /** Null for a file. */
  readonly rows: number | null
  readonly bytes: number
  readonly sha256: string
}

export function toEntrySum(about: Exclude<EntryDescription, BackupContents | Manifest>, end: EntryEnd): EntrySum {
  const { bytes, lines, sha256 } = end
  return about.kind === 'table'
    ? { name: about.name, rows: lines, bytes, sha256 }
    : { name: about.path, rows: null, bytes, sha256 }
}

/** For the person who waits. */
export interface Progress {
  /** What is read or written just now. */
  readonly name: string
  /** Uncompressed. */
  readonly bytes: number
  /** From 0 to 1, as far as it is known. */
  readonly share: number
}

/** Counts the bytes that pass and reports them. */
export async function* countBytes(
  pieces: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    onBytes(piece.length)
    yield piece
  }
}
