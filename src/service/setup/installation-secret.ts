/** The secret that seals this installation's secrets: given by the environment, or made once and kept for its owner. */

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Throws when the file is there but holds no secret: a new one would lock everybody out. */
export function openInstallationSecret(options: {
  readonly given: string | null
  readonly dataFolder: string
}): string {
  if (options.given !== null) return options.given
  const file = join(options.dataFolder, 'secret')
  if (existsSync(file)) {
    const kept = readFileSync(file, 'utf8').trim()
    if (kept.length < 32)
      throw new Error(`${file} holds no secret. Restore it from a copy, or set LANDFALL_SECRET.`)
    return kept
  }
  try {
    const made = randomBytes(48).toString('base64url')
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx' })
    return made
  } catch (error) {
    // Another process made it in the same moment.
    if (existsSync(file)) return openInstallationSecret(options)
    throw error
  }
}
