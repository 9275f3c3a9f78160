/** The passphrase of a backup: from the environment, or from a file whose first line it is. */

import { readFileSync } from 'node:fs'
import type { Config } from '../../platform/config.ts'
import { UsageError } from '../framework/command.ts'

export const passphraseOption = {
  type: 'string',
  value: '<file>',
  about: 'file whose first line is the passphrase; if it is missing, LANDFALL_BACKUP_PASSPHRASE',
} as const

const charactersMin = 12

/** Null when there is none. */
export function readPassphrase({ backup }: Config, file: string | null): string | null {
  if (file === null) return backup.passphrase
  const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/)
  if (line.length >= charactersMin) return line
  throw new UsageError(
    `The first line of ${file} is too short for a passphrase: it needs ${charactersMin} or more characters.`,
  )
}
