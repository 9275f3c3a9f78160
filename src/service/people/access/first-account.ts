/**
 * The account that an installation starts with, one for the sandbox's fiction and one for real carriers, and the first
 * API key of each. Account and key are made in one transaction, so the key is made once in the installation's life:
 * after it is deleted, a new start makes no other.
 */

import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { uuidV7 } from '../../../platform/ids.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { insertAccount, keepSetting, readSetting } from '../../../store/people/accounts.ts'
import { isSandboxOn } from '../../ground/choices.ts'
import { journeyNow, type Service } from '../../service.ts'
import { authenticate } from './authenticate.ts'
import { createApiKey } from './create-api-key.ts'

interface AccountSetting {
  readonly id: string
}

export interface FirstAccount {
  readonly accountId: string
  /** The file with the first key; null when there is no file here, or its key does not open this account. */
  readonly keyFile: string | null
  /** Only at the installation's first start: the key is shown then, and never again. */
  readonly newKey: string | null
}

const settingOf = (isFiction: boolean): string => (isFiction ? 'first_account_fiction' : 'first_account')

/** Two processes that start at the same moment agree on one account, and one of them makes its key. */
export async function ensureFirstAccount(
  service: Service,
  options: { readonly isFiction: boolean; readonly dataFolder: string },
): Promise<FirstAccount> {
  const { isFiction, dataFolder } = options
  const keyFile = join(dataFolder, 'first-api-key')
  const made = await inTransaction(service.pool, async (db) => {
    const mine: AccountSetting = { id: uuidV7(service.clock.now()) }
    const kept = await keepSetting(db, settingOf(isFiction), mine)
    if (kept.id !== mine.id) return null
    // The process that comes second waits above, so no file of this start is mistaken for an earlier one.
    await bringForward(service, keyFile, isFiction)
    const companyName = isFiction ? 'Sandbox' : 'My company'
    await insertAccount(db, { ...mine, companyName, isFiction, createdAt: journeyNow(service, isFiction) })
    const first = { accountId: mine.id, name: 'First key', scopes: ['read', 'write'] } as const
    const { key } = await createApiKey(service, first, db)
    // Before the commit: a key that is in no file could never be used, a file without its key is written again.
    writeFileSync(keyFile, `${key}\n`, { mode: 0o600 })
    chmodSync(keyFile, 0o600)
    return { accountId: mine.id, keyFile, newKey: key }
  })
  if (made !== null) return made
  await bringForward(service, keyFile, isFiction)
  const { id: accountId } = await getSetting(service.pool, isFiction)
  const isGood = (await ownerOf(service, keyFile)) === accountId
  return { accountId, keyFile: isGood ? keyFile : null, newKey: null }
}

/**
 * `first-api-key` contains the key of the account that is in use. At a switch from the sandbox to carriers, or back,
 * the file of the one is renamed, and the file of the other takes its place if there is one. A key of another database
 * is kept too.
 */
async function bringForward(service: Service, keyFile: string, isFiction: boolean): Promise<void> {
  const asideOf = (fiction: boolean): string => `${keyFile}-of-${fiction ? 'sandbox' : 'carriers'}`
  const wanted = await readSetting<AccountSetting>(service.pool, settingOf(isFiction))
  const other = await readSetting<AccountSetting>(service.pool, settingOf(!isFiction))
  const owner = await ownerOf(service, keyFile)
  if (owner !== null && owner === wanted?.id) return
  if (existsSync(keyFile)) {
    if (owner !== null && owner === other?.id) renameSync(keyFile, asideOf(!isFiction))
    else if (wanted === null || existsSync(asideOf(isFiction))) renameSync(keyFile, `${keyFile}-before`)
  }
  if (existsSync(asideOf(isFiction))) renameSync(asideOf(isFiction), keyFile)
}

/** The account that the key in the file opens; null when there is no file, or its key opens no account (any more). */
async function ownerOf(service: Service, keyFile: string): Promise<string | null> {
  const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : ''
  return key === '' ? null : ((await authenticate(service, `Token ${key}`))?.account.id ?? null)
}

/** The first account of the world in use, fiction or real; null before its first start. */
export async function findFirstAccount({ pool, config }: Service): Promise<string | null> {
  const isFiction = isSandboxOn(config, join(config.data.folder, 'carriers.json'))
  return (await readSetting<AccountSetting>(pool, settingOf(isFiction)))?.id ?? null
}

async function getSetting(db: Db, isFiction: boolean): Promise<AccountSetting> {
  const kept = await readSetting<AccountSetting>(db, settingOf(isFiction))
  if (kept === null) throw new Error('the first account is not there')
  return kept
}
