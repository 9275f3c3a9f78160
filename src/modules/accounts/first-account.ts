/**
 * The account that an installation starts with, one for the sandbox and one for real carriers, and the first API key of
 * each. Account and key are made in one transaction, so the key is made only once for an installation: after it is
 * deleted, a new start makes no other.
 */

import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, inTransaction } from '../../db/database.ts'
import { ensureSetting, readSetting } from '../../db/settings.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { authenticate } from '../api-keys/authenticate.ts'
import { createApiKey } from '../api-keys/create-api-key.ts'
import { isSandboxOn } from '../derived-settings.ts'
import { journeyNow, type Service } from '../service.ts'
import { insertAccount } from './accounts-sql.ts'

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

/** The file of the first key of the sandbox's account or of the other one, while the other kind is in use. */
const inactivePathOf = (keyFile: string, isOfSandbox: boolean): string =>
  `${keyFile}-of-${isOfSandbox ? 'sandbox' : 'carriers'}`

const settingName = (isSandbox: boolean): string => (isSandbox ? 'first_account_fiction' : 'first_account')

/** Two processes that start at the same moment agree on one account, and one of them makes its key. */
export async function ensureFirstAccount(
  service: Service,
  options: {
    readonly isSandbox: boolean
    readonly dataFolder: string
    /** False while the account of the other kind is in use: its key file then keeps its name. */
    readonly isInUse?: boolean
  },
): Promise<FirstAccount> {
  const { isSandbox, dataFolder, isInUse = true } = options
  const inUse = join(dataFolder, 'first-api-key')
  const keyFile = isInUse ? inUse : inactivePathOf(inUse, isSandbox)
  const activate = async () => isInUse && activateKeyFile(service, inUse, isSandbox)
  const made = await inTransaction(service.pool, async (db) => {
    const mine: AccountSetting = { id: uuidV7(service.clock.now()) }
    const stored = await ensureSetting(db, settingName(isSandbox), mine)
    if (stored.id !== mine.id) return null
    // The process that comes second waits above, so no file of this start is mistaken for an earlier one.
    await activate()
    const companyName = isSandbox ? 'Sandbox' : 'My company'
    await insertAccount(db, { ...mine, companyName, isSandbox, createdAt: journeyNow(service, isSandbox) })
    const first = { accountId: mine.id, name: 'First key', scopes: ['read', 'write'] } as const
    const { key } = await createApiKey(service, first, db)
    // Before the commit: a key that is in no file could never be used, a file without its key is written again.
    writeFileSync(keyFile, `${key}\n`, { mode: 0o600 })
    chmodSync(keyFile, 0o600)
    return { accountId: mine.id, keyFile, newKey: key }
  })
  if (made !== null) return made
  await activate()
  const { id: accountId } = await getSetting(service.pool, isSandbox)
  const isGood = (await ownerOf(service, keyFile)) === accountId
  return { accountId, keyFile: isGood ? keyFile : null, newKey: null }
}

/**
 * `first-api-key` contains the key of the account that is in use. At a switch from the sandbox to carriers, or back,
 * the file of the one is renamed, and the file of the other replaces it if there is one. A key of another database is
 * preserved too.
 */
async function activateKeyFile(service: Service, keyFile: string, isSandbox: boolean): Promise<void> {
  const wanted = await readSetting<AccountSetting>(service.pool, settingName(isSandbox))
  const other = await readSetting<AccountSetting>(service.pool, settingName(!isSandbox))
  const owner = await ownerOf(service, keyFile)
  if (owner !== null && owner === wanted?.id) return
  if (existsSync(keyFile)) {
    if (owner !== null && owner === other?.id) renameSync(keyFile, inactivePathOf(keyFile, !isSandbox))
    else if (wanted === null || existsSync(inactivePathOf(keyFile, isSandbox))) renameSync(keyFile, `${keyFile}-before`)
  }
  if (existsSync(inactivePathOf(keyFile, isSandbox))) renameSync(inactivePathOf(keyFile, isSandbox), keyFile)
}

/** The account that the key in the file opens; null when there is no file, or its key opens no account (any more). */
async function ownerOf(service: Service, keyFile: string): Promise<string | null> {
  const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : ''
  return key === '' ? null : ((await authenticate(service, `Token ${key}`))?.account.id ?? null)
}

/** The first account of the kind in use, sandbox or real; null before its first start. */
export async function findFirstAccount({ pool, config }: Service): Promise<string | null> {
  const isSandbox = isSandboxOn(config, join(config.data.folder, 'carriers.json'))
  return (await readSetting<AccountSetting>(pool, settingName(isSandbox)))?.id ?? null
}

async function getSetting(db: Db, isSandbox: boolean): Promise<AccountSetting> {
  const stored = await readSetting<AccountSetting>(db, settingName(isSandbox))
  if (stored === null) throw new Error('the setting of the first account is missing')
  return stored
}
