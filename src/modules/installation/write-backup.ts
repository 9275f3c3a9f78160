/**
 * Writes a backup of a running installation: the rows as of one moment, then what is outside the database. Files of
 * documents are read after the rows; a file outlives its row by days, so that every row finds its file.
 */

import { openSnapshot, type Snapshot } from '../../db/backup/backup-snapshot.ts'
import { BackupFault } from '../../platform/backup/backup-fault.ts'
import { writeBackupFile } from '../../platform/backup/backup-file.ts'
import { type EntryEnd, writeEntry } from '../../platform/backup/entries.ts'
import type { Config } from '../../platform/config.ts'
import { programVersion } from '../../platform/program-version.ts'
import {
  type BackupContents,
  countBytes,
  type EntryDescription,
  type EntrySum,
  type Manifest,
  type Progress,
  toEntrySum,
} from './backup-contents.ts'
import { listDocumentFiles, readDocumentFile, readSecretFiles } from './backup-data-folder.ts'
import { findSecret, fingerprintOfSecret, fingerprintSetting } from './installation-secret.ts'

export interface WrittenBackup {
  readonly takenAt: string
  readonly schema: string
  readonly tables: readonly EntrySum[]
  readonly files: readonly EntrySum[]
  readonly hasSecrets: boolean
  readonly isEncrypted: boolean
  readonly storage: BackupContents['storage']
}

export interface BackupOptions {
  readonly database: string
  readonly file: string
  /** Null: the file is plain, which is possible only without secrets. */
  readonly passphrase: string | null
  readonly withSecrets: boolean
  readonly now: Date
  /** The names of the variables of the environment that are settings. */
  readonly settings: readonly string[]
  readonly progress: (progress: Progress) => void
  readonly signal: AbortSignal
}

/** Throws a `BackupFault` with a sentence for the operator. Nothing is left when it fails. */
export async function writeBackup(config: Config, options: BackupOptions): Promise<WrittenBackup> {
  const { database, file, passphrase, withSecrets, now, signal } = options
  if (withSecrets && passphrase === null)
    throw new BackupFault(
      'A backup that holds the secret of the installation is always encrypted. Give a passphrase in LANDFALL_BACKUP_PASSPHRASE or with --passphrase-file, or leave the secrets out with --without-secrets.',
    )
  const snapshot = await openSnapshot(database)
  if (snapshot === null) throw new BackupFault('There is nothing to back up: the database has no tables of Landfall.')
  try {
    const contents = await describeContents(config, snapshot, options)
    const sums: { tables: EntrySum[]; files: EntrySum[] } = { tables: [], files: [] }
    const schema = snapshot.migrations.at(-1)?.name ?? ''
    await writeBackupFile(file, {
      about: { version: programVersion, createdAt: now.toISOString(), schema },
      passphrase,
      entries: writeEntries(config, { snapshot, contents, sums, options }),
      signal,
    })
    return {
      takenAt: snapshot.takenAt,
      schema,
      ...sums,
      hasSecrets: withSecrets,
      isEncrypted: passphrase !== null,
      storage: contents.storage,
    }
  } finally {
    await snapshot.close().catch(() => {})
  }
}

async function describeContents(
  config: Config,
  snapshot: Snapshot,
  { withSecrets, settings }: BackupOptions,
): Promise<BackupContents> {
  const secretFingerprint = await snapshot.setting<string>(fingerprintSetting)
  if (withSecrets) {
    const secret = findSecret({ provided: config.server.secret, dataFolder: config.data.folder })
    if (secret === null || (secretFingerprint !== null && fingerprintOfSecret(secret) !== secretFingerprint))
      throw new BackupFault(
        `The secret of this database is not here: neither in LANDFALL_SECRET nor in ${config.data.folder}. Run the backup where the server has it, or leave it out with --without-secrets.`,
      )
  }
  const { takenAt, migrations, tables, partitions, sequences } = snapshot
  return {
    kind: 'contents',
    takenAt,
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    partitions,
    sequences,
    secretFingerprint,
    hasSecrets: withSecrets,
    storage: config.documents.storage,
    settings,
  }
}

interface BackupWriting {
  readonly snapshot: Snapshot
  readonly contents: BackupContents
  readonly sums: { readonly tables: EntrySum[]; readonly files: EntrySum[] }
  readonly options: BackupOptions
}

async function* writeEntries(
  config: Config,
  { snapshot, contents, sums, options }: BackupWriting,
): AsyncGenerator<Buffer> {
  const reporter = createProgressReporter(snapshot, options.progress)
  yield* writeEntry(contents, emptyStream(), () => {})
  for (const table of snapshot.tables) {
    const about: EntryDescription = { kind: 'table', name: table.name }
    const rows = snapshot.copyOut(table) as AsyncIterable<Buffer>
    yield* writeEntry(about, countBytes(rows, reporter.of(table)), (end) => sums.tables.push(toEntrySum(about, end)))
    reporter.done(table)
  }
  const addFileSum = (about: EntryDescription & { kind: 'file' }) => (end: EntryEnd) =>
    void sums.files.push(toEntrySum(about, end))
  if (contents.hasSecrets) {
    const secret = findSecret({ provided: config.server.secret, dataFolder: config.data.folder }) ?? ''
    for (const [path, bytes] of readSecretFiles(config, secret)) {
      const about = { kind: 'file', path } as const
      yield* writeEntry(about, toStream(bytes), addFileSum(about))
    }
  }
  for await (const name of listDocumentFiles(config)) {
    const about = { kind: 'file', path: `files/${name}` } as const
    yield* writeEntry(about, countBytes(readDocumentFile(config, name), reporter.more), addFileSum(about))
  }
  const manifest: Manifest = { kind: 'manifest', ...sums }
  yield* writeEntry(manifest, emptyStream(), () => {})
}

async function* emptyStream(): AsyncGenerator<Buffer> {}

async function* toStream(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The share of the total by the size of the tables on disk: an estimate, which each finished table corrects. */
function createProgressReporter({ tables }: Snapshot, progress: BackupOptions['progress']) {
  const total = tables.reduce((sum, { bytesExpected }) => sum + bytesExpected, 0) + 1
  let done = 0
  let bytes = 0
  const report = (name: string, extra: number): void =>
    progress({ name, bytes, share: Math.min(0.99, (done + extra) / total) })
  return {
    of: (table: Snapshot['tables'][number]) => {
      let tableBytes = 0
      return (count: number): void => {
        bytes += count
        tableBytes += count
        report(table.name, Math.min(tableBytes, table.bytesExpected))
      }
    },
    done: (table: Snapshot['tables'][number]): void => {
      done += table.bytesExpected
    },
    more: (count: number): void => {
      bytes += count
      report('files', 0)
    },
  }
}
