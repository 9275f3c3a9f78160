/** `landfall backup base`: makes a base in the archive of the private database, for restores to a moment. */

import { openDatabaseAccess } from '../../modules/installation/database-place.ts'
import { writeBase } from '../../modules/installation/write-base.ts'
import { archiveAdvice } from '../../platform/backup-settings.ts'
import { readConfig } from '../../platform/config.ts'
import { dropOldBases } from '../../platform/wal-archive.ts'
import { defineCommand, UsageError } from '../framework/command.ts'
import { createCopyReporter } from '../framework/progress-reporter.ts'

export const backupBase = defineCommand({
  about:
    'Deprecated, as LANDFALL_WAL_ARCHIVE is. Needs LANDFALL_WAL_ARCHIVE, to which the private database copies its log. `restore <archive> --at <time>` then restores any moment after a base. The secret and the files of documents are not in the archive: make a `backup` too. See docs/backup.md.',
  options: {
    keep: {
      type: 'string',
      value: '<bases>',
      about: 'then keep only this number of bases, the newest, and the log that they need',
    },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: ['backup base --keep 7'],
  run: async ({ options, shell }) => {
    const retention = readRetention(options.keep)
    shell.log(archiveAdvice)
    const config = readConfig(shell.env)
    const place = await openDatabaseAccess(config, { makes: false, print: shell.log })
    if (place === null) {
      shell.log(`There is no installation in ${config.data.folder}. Set LANDFALL_DATA.`)
      return 1
    }
    shell.onClose(place.close)
    const stopping = new AbortController()
    const { promise: isEnded, resolve: ended } = Promise.withResolvers<void>()
    shell.onClose(async () => {
      stopping.abort()
      await isEnded
    })
    const base = await writeBase(config, {
      database: place.url,
      progress: createCopyReporter(shell, 'Base'),
      signal: stopping.signal,
    }).finally(ended)
    const dropped =
      retention === null || config.backup.walArchive === null
        ? { bases: 0, segments: 0 }
        : dropOldBases(config.backup.walArchive, retention)
    if (options.json) shell.print(JSON.stringify({ ...base, dropped }, null, 2))
    else {
      shell.print(`${base.file}: you can restore any moment after ${base.endedAt} from it.`)
      if (dropped.bases > 0) shell.log(`Removed ${dropped.bases} older bases and ${dropped.segments} files of the log.`)
    }
    return 0
  },
})

function readRetention(text: string | null): number | null {
  if (text === null) return null
  const retention = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (retention < 1) throw new UsageError('--keep needs a number of bases from 1 to 9999.')
  return retention
}
