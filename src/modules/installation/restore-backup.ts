/**
 * Restores an installation from a backup. The complete file is read and everything is checked before the first byte is
 * written; then the database has all rows in one transaction. The copy starts paused, because the original may still be
 * at work.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type BackupLoad, openBackupLoad } from '../../db/backup/backup-load.ts'
import { grantServing } from '../../db/grant-serving.ts'
import { listMigrations } from '../../db/migrate.ts'
import { type Pause, pauseSetting } from '../../pipeline/jobs/pause.ts'
import { BackupFault } from '../../platform/backup/backup-fault.ts'
import { callIt } from '../../platform/call-it.ts'
import type { Config } from '../../platform/config.ts'
import { countBytes, type Progress } from './backup-contents.ts'
import { openWaitingFiles } from './backup-data-folder.ts'
import { type CheckedBackup, checkBackup, readEntryDescription } from './check-backup.ts'
import { openDatabaseAccess } from './database-place.ts'
import { findSecret, fingerprintOfSecret } from './installation-secret.ts'
import { makeDataFolder } from './open-installation.ts'

export interface RestoreOptions {
  readonly file: string
  readonly passphrase: string | null
  /** Whether what is there may go. */
  readonly replaces: boolean
  readonly now: Date
  readonly print: (sentence: string) => void
  readonly progress: (step: 'check' | 'restore', progress: Progress) => void
  /** Gets what must be closed if the process must end before this does. */
  readonly onClose: (close: () => Promise<unknown>) => void
}

/** Throws a `BackupFault` with a sentence for the operator; nothing was changed then. */
export async function restoreBackup(config: Config, options: RestoreOptions): Promise<CheckedBackup> {
  const { file, passphrase, progress } = options
  const checked = await checkBackup(file, { passphrase, progress: (each) => progress('check', each) })
  refuseNewer(checked)
  const restoresSecret = refuseWrongSecret(config, checked, options.replaces)
  refuseReplacedFiles(config, checked, options.replaces)
  if (checked.manifest.files.some(({ name }) => name.startsWith('files/')) && config.documents.storage !== 'disk')
    throw new BackupFault(
      'The backup has files of documents, and LANDFALL_FILES is s3. Restore it with LANDFALL_FILES=disk.',
    )
  makeDataFolder(config)
  const place = await openDatabaseAccess(config, { makes: true, print: options.print })
  if (place === null) throw new Error('no database was created')
  options.onClose(place.close)
  if (place.isShared) throw new BackupFault(inUse)
  const serving = servingRoleOf(config)
  const load = await openBackupLoad(place.ownerUrl, {
    replaces: options.replaces,
    servingRole: serving,
    ...checked.contents,
  })
  if ('kind' in load)
    throw new BackupFault(
      load.kind === 'in_use' ? inUse : 'The database is not empty. With --force the backup replaces everything in it.',
    )
  options.onClose(load.rollback)
  const files = openWaitingFiles(config)
  try {
    await loadBackup(load, { checked, restoresSecret, files, progress: (each) => progress('restore', each) })
    const pause: Pause = {
      because: 'restored',
      since: options.now.toISOString(),
      backupAt: checked.contents.takenAt,
    }
    await load.commit({ ...checked.contents, settings: { [pauseSetting]: pause } })
    await files.commit()
    if (serving !== null && place.ownerUrl !== place.url) await grantServing(place.ownerUrl, serving)
    if (load.isOnCluster)
      options.print(`All rows are at the coordinator. \`${callIt} database distribute\` divides them by account.`)
  } catch (error) {
    await load.rollback()
    await files.drop()
    throw error
  }
  return checked
}

/** By the name in the URL; null when it has none. */
function servingRoleOf({ data }: Config): string | null {
  if (data.databaseUrl === null) return null
  return decodeURIComponent(new URL(data.databaseUrl).username) || null
}

const inUse = 'The database is in use. Stop every Landfall that uses it first, and other programs under its role.'

async function loadBackup(
  load: BackupLoad,
  to: {
    readonly checked: CheckedBackup
    readonly restoresSecret: boolean
    readonly files: ReturnType<typeof openWaitingFiles>
    readonly progress: (progress: Progress) => void
  },
): Promise<void> {
  const { checked, files, progress } = to
  const columns = new Map(checked.contents.tables.map((table) => [table.name, table.columns]))
  const rows = new Map(checked.manifest.tables.map((sum) => [sum.name, sum.rows]))
  let bytes = 0
  for await (const entry of checked.reading.entries()) {
    const about = readEntryDescription(entry)
    const name = about.kind === 'table' ? about.name : about.kind === 'file' ? about.path : about.kind
    const pieces = countBytes(entry.pieces, (count) => {
      bytes += count
      progress({ name, bytes, share: bytes / (checked.bytes + 1) })
    })
    if (about.kind === 'table') {
      const table = { name, columns: columns.get(name) ?? [] }
      const came = await load.copyIn(table, Readable.from(pieces, { objectMode: false }))
      if (came !== rows.get(name))
        throw new BackupFault(`The table ${name} has ${came} rows and should have ${rows.get(name)}.`)
    } else if (about.kind === 'file' && (name !== 'secret' || to.restoresSecret)) await files.add(name, pieces)
    else for await (const _ of pieces);
  }
}

function refuseNewer({ head, contents }: CheckedBackup): void {
  const known = new Map(listMigrations().map(({ name, sha256 }) => [name, sha256]))
  const strange = contents.migrations.find(({ name }) => !known.has(name))
  if (strange !== undefined)
    throw new BackupFault(
      `The backup has a newer schema than this version of Landfall knows (${strange.name}; it was written by ${head.version}). Restore it with that version or a newer one.`,
    )
  const changed = contents.migrations.find(({ name, sha256 }) => known.get(name) !== sha256)
  if (changed !== undefined)
    throw new BackupFault(`The migration ${changed.name} of the backup differs from the one in this version.`)
}

/** Returns whether the secret of the backup goes into the data folder. */
function refuseWrongSecret(config: Config, { contents, secrets }: CheckedBackup, replaces: boolean): boolean {
  const place = { provided: config.server.secret, dataFolder: config.data.folder }
  const file = join(config.data.folder, 'secret')
  const fits = (secret: string | null): boolean =>
    secret !== null &&
    (contents.secretFingerprint === null || fingerprintOfSecret(secret) === contents.secretFingerprint)
  const inUse = findSecret(place)
  if (!contents.hasSecrets) {
    if (fits(inUse)) return false
    throw new BackupFault(
      `The backup was written without its secret, and ${inUse === null ? 'none is here' : 'the one here is different'}. Set LANDFALL_SECRET to the secret of the original, or put it into ${file}.`,
    )
  }
  const backedUpSecret = secrets.get('secret')?.toString().trim() ?? null
  if (config.server.secret !== null) {
    if (config.server.secret === backedUpSecret) return false
    throw new BackupFault('LANDFALL_SECRET is not the secret of the backup. Leave it out, or set it to that one.')
  }
  if (inUse !== null && inUse !== backedUpSecret && !replaces)
    throw new BackupFault(
      `${file} is the secret of another database. With --force the backup replaces it; copy it first if that database is still needed.`,
    )
  return true
}

function refuseReplacedFiles(config: Config, { secrets }: CheckedBackup, replaces: boolean): void {
  const path = join(config.data.folder, 'carriers.json')
  const backedUpFile = secrets.get('carriers.json')
  if (replaces || backedUpFile === undefined || !existsSync(path) || backedUpFile.equals(readFileSync(path))) return
  throw new BackupFault(`${path} exists and differs from the file in the backup. With --force the backup replaces it.`)
}
