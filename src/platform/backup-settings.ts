// The settings about backups; a group of the table in `settings.ts`.
import { optionalText, type Setting, secret } from './setting.ts'

/** What an operator does who has set the deprecated archive. */
export const archiveAdvice =
  'LANDFALL_WAL_ARCHIVE is deprecated: the next minor version refuses it. Keep a PostgreSQL server with pgBackRest or WAL-G, and give its address in DATABASE_URL.'

export const backupSettings = {
  passphrase: secret(
    'LANDFALL_BACKUP_PASSPHRASE',
    12,
    'none; the file of --passphrase-file',
    'The passphrase that encrypts a backup, and opens it. Only `landfall backup` and `landfall restore` use it.',
  ),
  walArchive: optionalText(
    'LANDFALL_WAL_ARCHIVE',
    'none',
    'Deprecated: the next minor version refuses it (docs/backup.md says what to use). Folder to which the private database copies its log, once a minute, for restores to a point in time. Use another disk than that of the data folder, so that the folder survives the loss of that disk.',
  ),
} as const satisfies Record<string, Setting<unknown>>
