/**
 * The account that an installation starts with, one for the sandbox's fiction and one for real carriers, and the first API
 * key of each. Account and key are made in one transaction, so the key is made once in the installation's life: who
 * deletes it gets no other by starting again.
 */

import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { uuidV7 } from '../../../platform/ids.ts'
import { insertAccount, keepSetting, readSetting } from '../../../store/accounts.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { isSandboxOn } from '../../ground/choices.ts'
import { journeyNow, type Service } from '../../service.ts'
import { authenticate } from './authenticate.ts'
import { createApiKey } from './create-api-key.ts'

interface AccountSetting {
  readonly id: string
}

export interface FirstAccount {
  readonly accountId: string
  /** Where the first key is kept; null when it opens this account no more, or is kept elsewhere. */
  readonly keyFile: string | null
  /** At the installation's first start alone: it is shown then, and never again. */
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
    // Whoever comes second waits above: no file of this start is taken for one of before.
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
 * `first-api-key` is the key of the account that is in use. With a switch from the sandbox to carriers, or back, the key of
 * the one is put aside, and the other's takes its place if it was put aside before. A key of another database is kept too.
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

/** The account that the kept key opens; null when there is no file, or its key opens nothing (any more). */
async function ownerOf(service: Service, keyFile: string): Promise<string | null> {
  const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : ''
  return key === '' ? null : ((await authenticate(service, `Token ${key}`))?.account.id ?? null)
}

/** The first account of the world in use, fiction or real; null before the first start with it. */
export async function findFirstAccount({ pool, config }: Service): Promise<string | null> {
  const isFiction = isSandboxOn(config, join(config.data.folder, 'carriers.json'))
  return (await readSetting<AccountSetting>(pool, settingOf(isFiction)))?.id ?? null
}

async function getSetting(db: Db, isFiction: boolean): Promise<AccountSetting> {
  const kept = await readSetting<AccountSetting>(db, settingOf(isFiction))
  if (kept === null) throw new Error('the first account is not there')
  return kept
}
