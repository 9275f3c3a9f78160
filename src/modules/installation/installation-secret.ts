/**
 * The secret that encrypts this installation's secrets: given by the environment, or made once and stored in a file for
 * its owner. It belongs to one database, which stores a fingerprint of it. Another secret could decrypt none of its
 * values and would match none of its keys, so a start with another is refused.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from '../../db/database.ts'
import { sampleEncryptedValues } from '../../db/sample-encrypted-values.ts'
import { ensureSetting, readSetting } from '../../db/settings.ts'
import { createEncryption, type Encryption } from '../../platform/encryption.ts'
import { findPostgresData } from '../../platform/postgres-home.ts'
import { listAccounts } from '../accounts/accounts-sql.ts'

interface Place {
  /** `LANDFALL_SECRET`. */
  readonly provided: string | null
  readonly dataFolder: string
}

/** The setting under which the database stores the fingerprint of its secret. */
export const fingerprintSetting = 'secret_fingerprint'

/**
 * Called before the private database is opened. When there is a file with the secret of a database, the database must
 * be there too.
 */
export function refuseMissingDatabase(dataFolder: string): void {
  const file = join(dataFolder, 'secret')
  if (!existsSync(file) || findPostgresData(dataFolder) !== null) return
  throw new Error(
    `The database is missing: there is none in ${join(dataFolder, 'postgres')}, but ${file} is the secret of one. ` +
      'Restore that folder from a copy, or set DATABASE_URL if the database is on a server. ' +
      `To begin anew with an empty database, move ${file} away.`,
  )
}

/**
 * Throws an error that states which secret is missing or wrong. Makes a secret when the database contains nothing yet.
 */
export async function openInstallationEncryption(pool: Pool, place: Place): Promise<Encryption> {
  const fingerprint = await readSetting<string>(pool, fingerprintSetting)
  const known = findSecret(place)
  if (known === null && (fingerprint !== null || (await listAccounts(pool)).length > 0))
    throw new Error(describeMissingSecret(place.dataFolder))
  const encryption = createEncryption(known ?? makeSecret(place.dataFolder))
  const fits = (candidate: Encryption, stored: string): boolean => stored === fingerprintOf(candidate)
  const isRight = fingerprint === null ? await decryptsAnySample(pool, encryption) : fits(encryption, fingerprint)
  // When two processes open an empty database at the same moment, the secret of the first one is used.
  if (isRight && fits(encryption, await ensureSetting(pool, fingerprintSetting, fingerprintOf(encryption))))
    return encryption
  throw new Error(await describeWrongSecret(pool, place))
}

/** The secret in use: the one that was given, else the one in the folder; null when there is none. */
export function findSecret({ provided, dataFolder }: Place): string | null {
  return provided ?? readSecret(dataFolder)
}

export function fingerprintOfSecret(secret: string): string {
  return fingerprintOf(createEncryption(secret))
}

function fingerprintOf(encryption: Encryption): string {
  return encryption.hmac('fingerprint of the installation secret').toString('hex')
}

/** Data from before there were fingerprints: the newest value of each kind is tried, and one that opens is enough. */
async function decryptsAnySample(pool: Pool, encryption: Encryption): Promise<boolean> {
  const samples = await sampleEncryptedValues(pool)
  return samples.length === 0 || samples.some((value) => canDecrypt(encryption, value))
}

function canDecrypt(encryption: Encryption, encrypted: Buffer): boolean {
  try {
    encryption.decrypt(encrypted)
    return true
  } catch {
    return false
  }
}

/** Null when there is no file. Throws when it is there but holds no secret: a new one would lock everybody out. */
function readSecret(dataFolder: string): string | null {
  const file = join(dataFolder, 'secret')
  if (!existsSync(file)) return null
  const stored = readFileSync(file, 'utf8').trim()
  if (stored.length < 32) throw new Error(`${file} holds no secret. Restore it from a copy, or set LANDFALL_SECRET.`)
  return stored
}

function makeSecret(dataFolder: string): string {
  const file = join(dataFolder, 'secret')
  const made = randomBytes(48).toString('base64url')
  try {
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx' })
    return made
  } catch (error) {
    // Another process made it in the same moment.
    const stored = readSecret(dataFolder)
    if (stored !== null) return stored
    throw error
  }
}

function describeMissingSecret(dataFolder: string): string {
  return (
    `The secret is missing: there is no ${join(dataFolder, 'secret')}, and LANDFALL_SECRET is not set. ` +
    'The keys, webhooks and secrets in the database can be used with that secret only. ' +
    `Restore the file from a copy, or set LANDFALL_SECRET to what it held.`
  )
}

/** The text also states when the secret in the data folder is the right one. */
async function describeWrongSecret(pool: Pool, { provided, dataFolder }: Place): Promise<string> {
  const file = join(dataFolder, 'secret')
  const why = 'it cannot decrypt the data in the database'
  if (provided === null)
    return `${file} is not the secret of this database: ${why}. Restore the right file from a copy, or set LANDFALL_SECRET to what it held.`
  const inFile = readSecret(dataFolder)
  const stored = await readSetting<string>(pool, fingerprintSetting)
  const isInFile = inFile !== null && stored === fingerprintOf(createEncryption(inFile))
  const way = isInFile
    ? `The secret in ${file} does: leave LANDFALL_SECRET out.`
    : `Set it to what it was, or leave it out and restore ${file} if the secret was kept there.`
  return `LANDFALL_SECRET is not the secret of this database: ${why}. ${way}`
}
