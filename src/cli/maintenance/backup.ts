/** `landfall backup`: writes everything that an installation needs to go on elsewhere into one file. */

import { statSync } from 'node:fs'
import { openDatabaseAccess } from '../../modules/installation/database-place.ts'
import { writeBackup } from '../../modules/installation/write-backup.ts'
import { readConfig } from '../../platform/config.ts'
import { settings } from '../../platform/settings.ts'
import { defineCommand } from '../framework/command.ts'
import { createCopyReporter, formatBytes } from '../framework/progress-reporter.ts'
import { passphraseOption, readPassphrase } from './passphrase.ts'

export const backup = defineCommand({
  about:
    'The file has all rows as of one moment, the secret, carriers.json, the first API key and the files of documents on this machine. It is compressed, every part has a checksum, and it is encrypted with the passphrase. A file is never replaced; a backup that fails leaves none. See docs/backup.md.',
  operands: [{ name: 'file', about: 'where the backup is written' }],
  options: {
    'passphrase-file': passphraseOption,
    'without-secrets': {
      type: 'boolean',
      about: 'leave out the secret, carriers.json and the first API key; the file may then be plain',
    },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: [
    'backup /backups/2026-11-26.landfall --passphrase-file /etc/landfall/passphrase',
    'backup copy.landfall --without-secrets',
  ],
  run: async ({ operands: [file = ''], options, shell }) => {
    const config = readConfig(shell.env)
    const passphrase = readPassphrase(config, options['passphrase-file'])
    const place = await openDatabaseAccess(config, { makes: false, print: shell.log })
    if (place === null) {
      shell.log(`There is no installation in ${config.data.folder}. Set LANDFALL_DATA or DATABASE_URL.`)
      return 1
    }
    shell.onClose(place.close)
    const stopping = new AbortController()
    let ended: () => void = () => {}
    const isEnded = new Promise<void>((resolve) => {
      ended = resolve
    })
    // Waits until the unfinished file is removed.
    shell.onClose(async () => {
      stopping.abort()
      await isEnded
    })
    const startedMs = performance.now()
    const written = await writeBackup(config, {
      database: place.url,
      file,
      passphrase,
      withSecrets: !options['without-secrets'],
      now: new Date(),
      settings: namesOfSettings(shell.env),
      progress: createCopyReporter(shell, 'Backup'),
      signal: stopping.signal,
    }).finally(ended)
    const { size } = statSync(file)
    const rows = written.tables.reduce((sum, table) => sum + (table.rows ?? 0), 0)
    const seconds = (performance.now() - startedMs) / 1_000
    if (options.json) {
      const { takenAt, schema, isEncrypted, hasSecrets, tables, files } = written
      shell.print(
        JSON.stringify(
          {
            file,
            bytes: size,
            taken_at: takenAt,
            schema,
            is_encrypted: isEncrypted,
            has_secrets: hasSecrets,
            seconds: Math.round(seconds * 10) / 10,
            rows,
            tables,
            files,
          },
          null,
          2,
        ),
      )
      return 0
    }
    shell.print(
      `${file}: ${rows} rows of ${written.tables.length} tables and ${written.files.length} files as of ${written.takenAt}, ${formatBytes(size)}, ${written.isEncrypted ? 'encrypted' : 'not encrypted'}, in ${seconds.toFixed(1)} s.`,
    )
    if (!written.hasSecrets) shell.log('The secret of the installation is not in it. Keep that in another place.')
    if (written.storage === 's3')
      shell.log('The files of documents are in the bucket and not in this backup; copy the bucket too.')
    return 0
  },
})

function namesOfSettings(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const all = Object.values(settings).flatMap((group) => Object.values(group).map(({ variable }) => variable))
  return all.filter((name) => (env[name] ?? '').trim() !== '').sort()
}
