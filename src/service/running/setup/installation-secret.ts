/**
 * The secret that encrypts this installation's secrets: given by the environment, or made once and stored in a file for
 * its owner. It belongs to one database, which stores a fingerprint of it. Another secret could decrypt none of its
 * values and would match none of its keys, so a start with another is refused.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgresData } from '../../../platform/postgres-home.ts'
import type { Pool } from '../../../store/database.ts'
import { sampleSealed } from '../../../store/ground/sealed.ts'
import { keepSetting, listAccounts, readSetting } from '../../../store/people/accounts.ts'
import { openVault, type Vault } from '../../vault.ts'

interface Place {
  /** `LANDFALL_SECRET`. */
  readonly given: string | null
  readonly dataFolder: string
}

/** The setting under which the database keeps the fingerprint of its secret. */
export const fingerprintSetting = 'secret_fingerprint'

/**
 * Called before the private database is opened. When there is a file with the secret of a database, the database must
 * be there too.
 */
export function refuseLostDatabase(dataFolder: string): void {
  const file = join(dataFolder, 'secret')
  if (!existsSync(file) || findPostgresData(dataFolder) !== null) return
  throw new Error(
    `The database is missing: there is none in ${join(dataFolder, 'postgres')}, but ${file} is the secret of one. ` +
      'Restore that folder from a copy, or set DATABASE_URL if the database is on a server. ' +
      `To begin anew with an empty database, move ${file} away.`,
  )
}

/**
 * Throws an error that says which secret is missing or wrong. Makes a secret when the database contains nothing yet.
 */
export async function openInstallationVault(pool: Pool, place: Place): Promise<Vault> {
  const fingerprint = await readSetting<string>(pool, fingerprintSetting)
  const known = findSecret(place)
  if (known === null && (fingerprint !== null || (await listAccounts(pool)).length > 0))
    throw new Error(missing(place.dataFolder))
  const vault = openVault(known ?? makeSecret(place.dataFolder))
  const fits = (candidate: Vault, kept: string): boolean => kept === fingerprintOf(candidate)
  const isRight = fingerprint === null ? await opensOne(pool, vault) : fits(vault, fingerprint)
  // When two processes open an empty database at the same moment, the secret of the first one is used.
  if (isRight && fits(vault, await keepSetting(pool, fingerprintSetting, fingerprintOf(vault)))) return vault
  throw new Error(await wrong(pool, place))
}

/** The secret in use: the one that was given, else the one in the folder; null when there is none. */
export function findSecret({ given, dataFolder }: Place): string | null {
  return given ?? readSecret(dataFolder)
}

export function fingerprintOfSecret(secret: string): string {
  return fingerprintOf(openVault(secret))
}

function fingerprintOf(vault: Vault): string {
  return vault.hmac('fingerprint of the installation secret').toString('hex')
}

/** Data from before there were fingerprints: the newest value of each kind is tried, and one that opens is enough. */
async function opensOne(pool: Pool, vault: Vault): Promise<boolean> {
  const sealed = await sampleSealed(pool)
  return sealed.length === 0 || sealed.some((value) => opens(vault, value))
}

function opens(vault: Vault, sealed: Buffer): boolean {
  try {
    vault.open(sealed)
    return true
  } catch {
    return false
  }
}

/** Null when there is no file. Throws when it is there but holds no secret: a new one would lock everybody out. */
function readSecret(dataFolder: string): string | null {
  const file = join(dataFolder, 'secret')
  if (!existsSync(file)) return null
  const kept = readFileSync(file, 'utf8').trim()
  if (kept.length < 32)
    throw new Error(`${file} holds no secret. Restore it from a copy, or set LANDFALL_SECRET.`)
  return kept
}

function makeSecret(dataFolder: string): string {
  const file = join(dataFolder, 'secret')
  const made = randomBytes(48).toString('base64url')
  try {
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx' })
    return made
  } catch (error) {
    // Another process made it in the same moment.
    const kept = readSecret(dataFolder)
    if (kept !== null) return kept
    throw error
  }
}

function missing(dataFolder: string): string {
  return (
    `The secret is missing: there is no ${join(dataFolder, 'secret')}, and LANDFALL_SECRET is not set. ` +
    'The keys, webhooks and secrets in the database can be used with that secret only. ' +
    `Restore the file from a copy, or set LANDFALL_SECRET to what it held.`
  )
}

/** The text also says when the secret in the data folder is the right one. */
async function wrong(pool: Pool, { given, dataFolder }: Place): Promise<string> {
  const file = join(dataFolder, 'secret')
  const why = 'it does not open what is in the database'
  if (given === null)
    return `${file} is not the secret of this database: ${why}. Restore the right file from a copy, or set LANDFALL_SECRET to what it held.`
  const inFile = readSecret(dataFolder)
  const kept = await readSetting<string>(pool, fingerprintSetting)
  const isInFile = inFile !== null && kept === fingerprintOf(openVault(inFile))
  const way = isInFile
    ? `The secret in ${file} does: leave LANDFALL_SECRET out.`
    : `Set it to what it was, or leave it out and restore ${file} if the secret was kept there.`
  return `LANDFALL_SECRET is not the secret of this database: ${why}. ${way}`
}
