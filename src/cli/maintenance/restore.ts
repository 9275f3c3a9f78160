/** `landfall restore`: makes an installation of a backup, or only checks the backup. */

import { type CheckedBackup, checkBackup } from '../../modules/installation/check-backup.ts'
import { startSerially } from '../../modules/installation/open-installation.ts'
import { restoreBackup } from '../../modules/installation/restore-backup.ts'
import { restoreBase } from '../../modules/installation/restore-base.ts'
import { archiveAdvice } from '../../platform/backup-settings.ts'
import { callIt, startIt } from '../../platform/call-it.ts'
import { type Config, readConfig } from '../../platform/config.ts'
import { defineCommand, type Shell, UsageError } from '../framework/command.ts'
import { createCopyReporter, formatBytes } from '../framework/progress-reporter.ts'
import { passphraseOption, readPassphrase } from './passphrase.ts'

export const restore = defineCommand({
  about:
    'Goes into the private database of LANDFALL_DATA, or into DATABASE_URL. The whole file is checked before anything is written, and the rows come in one transaction. The restored installation serves its API, but polls, sends and delivers nothing until `resume`. See docs/backup.md.',
  operands: [{ name: 'file', about: 'the backup; with --at the folder of LANDFALL_WAL_ARCHIVE' }],
  options: {
    'passphrase-file': passphraseOption,
    at: {
      type: 'string',
      value: '<time>',
      about: 'restore the private database to this moment (ISO 8601), or to the `latest`',
    },
    check: { type: 'boolean', about: 'read the whole backup, say what is in it, and write nothing' },
    force: {
      type: 'boolean',
      about: 'replace a database that is not empty, its secret and its carriers.json',
    },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: [
    'restore /backups/2026-11-26.landfall --passphrase-file /etc/landfall/passphrase',
    'restore /backups/2026-11-26.landfall --check',
    'restore /archive/landfall --at 2026-11-26T14:05:00Z',
  ],
  run: async ({ operands: [file = ''], options, shell }) => {
    const config = readConfig(shell.env)
    if (options.at !== null) {
      shell.log(archiveAdvice)
      await restoreToMoment(config, {
        archive: file,
        at: readMoment(options.at),
        replaces: options.force,
        asJson: options.json,
        shell,
      })
      shell.log(nowPaused)
      return 0
    }
    const passphrase = readPassphrase(config, options['passphrase-file'])
    const checking = createCopyReporter(shell, 'Check')
    if (options.check) {
      printBackup(shell, await checkBackup(file, { passphrase, progress: checking }), options.json)
      return 0
    }
    const checked = await restoreFromFile(config, {
      file,
      passphrase,
      replaces: options.force,
      checking,
      shell,
    })
    printBackup(shell, checked, options.json)
    shell.log(nowPaused)
    const missing = checked.contents.settings.filter(
      (name) => (shell.env[name] ?? '') === '' && !machineSettings.has(name),
    )
    if (missing.length > 0) shell.log(`The original also had these settings: ${missing.join(', ')}.`)
    return 0
  },
})

const nowPaused = `Restored. It is paused: after ${startIt} the API answers, and nothing is polled, sent or delivered until \`${callIt} resume\`.`

function readMoment(text: string): Date | null {
  if (text === 'latest') return null
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new UsageError('--at is a time with its zone, such as 2026-11-26T14:05:00Z, or latest.')
  return at
}

async function restoreToMoment(
  config: Config,
  to: {
    readonly archive: string
    readonly at: Date | null
    readonly replaces: boolean
    readonly asJson: boolean
    readonly shell: Shell
  },
): Promise<void> {
  const { shell, asJson, ...rest } = to
  const base = await startSerially(config, () =>
    restoreBase(config, {
      ...rest,
      now: new Date(),
      print: shell.log,
      progress: createCopyReporter(shell, 'Restore'),
    }),
  )
  const at = to.at?.toISOString() ?? null
  if (asJson) shell.print(JSON.stringify({ at, base }, null, 2))
  else shell.print(`Restored to ${at ?? 'the end of the log'} from the base of ${base.endedAt}.`)
}

/** Their values belong to a machine, or to one command. */
const machineSettings: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'LANDFALL_BACKUP_PASSPHRASE',
  'LANDFALL_DATA',
  'LANDFALL_SECRET',
])

function restoreFromFile(
  config: Config,
  to: {
    readonly file: string
    readonly passphrase: string | null
    readonly replaces: boolean
    readonly checking: ReturnType<typeof createCopyReporter>
    readonly shell: Shell
  },
): Promise<CheckedBackup> {
  const { shell, checking, ...rest } = to
  const restoring = createCopyReporter(shell, 'Restore')
  return startSerially(config, () =>
    restoreBackup(config, {
      ...rest,
      now: new Date(),
      print: shell.log,
      progress: (step, progress) => (step === 'check' ? checking : restoring)(progress),
      onClose: shell.onClose,
    }),
  )
}

function printBackup(shell: Shell, { head, contents, manifest, bytes }: CheckedBackup, asJson: boolean): void {
  const rows = manifest.tables.reduce((sum, table) => sum + (table.rows ?? 0), 0)
  if (asJson)
    shell.print(
      JSON.stringify(
        {
          version: head.version,
          schema: head.schema,
          taken_at: contents.takenAt,
          is_encrypted: head.encryption !== null,
          has_secrets: contents.hasSecrets,
          bytes,
          rows,
          tables: manifest.tables,
          files: manifest.files,
        },
        null,
        2,
      ),
    )
  else
    shell.print(
      `${rows} rows of ${manifest.tables.length} tables and ${manifest.files.length} files as of ${contents.takenAt}, ${formatBytes(bytes)} when unpacked, written by ${head.version}, schema ${head.schema}. Every checksum is right.`,
    )
}
