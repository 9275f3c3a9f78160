// The settings about backups; a group of the table in `settings.ts`.
import { type Setting, secret } from './setting.ts'

export const backupSettings = {
  passphrase: secret(
    'LANDFALL_BACKUP_PASSPHRASE',
    12,
    'none; the file of --passphrase-file',
    'The passphrase that encrypts a backup, and opens it. Only `landfall backup` and `landfall restore` use it.',
  ),
} as const satisfies Record<string, Setting<unknown>>
