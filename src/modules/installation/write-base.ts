/** Copies the files of the private cluster into its archive, while it runs: what the log is replayed onto. */

import { join } from 'node:path'
import { type RunningBaseBackup, startBaseBackup } from '../../db/backup/base-backup.ts'
import { BackupFault } from '../../platform/backup/backup-fault.ts'
import { writeBackupFile } from '../../platform/backup/backup-file.ts'
import { listClusterFiles, readClusterFile } from '../../platform/backup/cluster-files.ts'
import { writeEntry } from '../../platform/backup/entries.ts'
import type { Config } from '../../platform/config.ts'
import { findPostgresData } from '../../platform/postgres-home.ts'
import { programVersion } from '../../platform/program-version.ts'
import { type BaseBackup, basesFolder, noteBase } from '../../platform/wal-archive.ts'
import { countBytes, type Progress } from './backup-contents.ts'

/** Throws a `BackupFault` with a sentence for the operator. Nothing is left when it fails. */
export async function writeBase(
  config: Config,
  options: {
    readonly database: string
    readonly progress: (progress: Progress) => void
    readonly signal: AbortSignal
  },
): Promise<BaseBackup> {
  const { walArchive } = config.backup
  if (config.data.databaseUrl !== null)
    throw new BackupFault(
      'DATABASE_URL names your own server. Archive its log with the tools of PostgreSQL; docs/backup.md says how.',
    )
  if (walArchive === null) throw new BackupFault('Set LANDFALL_WAL_ARCHIVE to a folder for the log and its bases.')
  const pgData = findPostgresData(config.data.folder)
  const running = pgData === null ? null : await startBaseBackup(options.database)
  if (pgData === null || running === null)
    throw new BackupFault(
      'The private database does not archive its log yet. Restart every process that uses it with LANDFALL_WAL_ARCHIVE set.',
    )
  try {
    const file = `${running.startedAt.replaceAll(':', '-').slice(0, 19)}Z.base`
    const ended = { at: '' }
    await writeBackupFile(join(basesFolder(walArchive), file), {
      about: {
        version: programVersion,
        createdAt: running.startedAt,
        schema: `PostgreSQL ${running.postgres}`,
      },
      // The log beside it is not encrypted either; secrets in the rows are encrypted.
      passphrase: null,
      entries: writeEntries(pgData, running, options.progress, ended),
      signal: options.signal,
    })
    const { startWal, startedAt, postgres } = running
    const base = { file, startedAt, endedAt: ended.at, startWal, postgres }
    noteBase(walArchive, base)
    return base
  } finally {
    await running.close()
  }
}

async function* writeEntries(
  pgData: string,
  running: RunningBaseBackup,
  progress: (progress: Progress) => void,
  ended: { at: string },
): AsyncGenerator<Buffer> {
  const { folders, files } = await listClusterFiles(pgData)
  let [bytes, done] = [0, 0]
  yield* writeEntry({ kind: 'folders', folders }, emptyStream(), () => {})
  for (const path of files) {
    const pieces = await readClusterFile(pgData, path)
    done += 1
    if (pieces === null) continue
    const countedPieces = countBytes(pieces, (count) => {
      bytes += count
      progress({ name: path, bytes, share: Math.min(0.99, done / files.length) })
    })
    yield* writeEntry({ kind: 'file', path }, countedPieces, () => {})
  }
  const { label, endedAt } = await running.stop()
  ended.at = endedAt
  yield* writeEntry({ kind: 'file', path: 'backup_label' }, toStream(Buffer.from(label)), () => {})
  yield* writeEntry({ kind: 'end' }, emptyStream(), () => {})
}

async function* emptyStream(): AsyncGenerator<Buffer> {}

async function* toStream(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
