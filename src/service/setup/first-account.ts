/** The account that a new installation starts with, and its first API key, kept where only the owner can read it. */

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { uuidV7 } from '../../platform/ids.ts'
import { insertAccount, keepSetting } from '../../store/accounts.ts'
import { inTransaction } from '../../store/database.ts'
import { authenticate } from '../access/authenticate.ts'
import { createApiKey } from '../access/create-api-key.ts'
import { journeyNow, type Service } from '../service.ts'

interface FirstAccount {
  readonly id: string
}

/**
 * Makes the account once per installation and kind (fiction or real), and a key for it when the data folder has none.
 * Two processes that start at the same moment agree on one account.
 */
export async function ensureFirstAccount(
  service: Service,
  options: { readonly isFiction: boolean; readonly dataFolder: string },
): Promise<{ readonly accountId: string; readonly key: string; readonly keyFile: string }> {
  const name = options.isFiction ? 'first_account_fiction' : 'first_account'
  const accountId = await inTransaction(service.pool, async (db) => {
    const mine: FirstAccount = { id: uuidV7(service.clock.now()) }
    const kept = await keepSetting(db, name, mine)
    if (kept.id === mine.id) {
      await insertAccount(db, {
        id: mine.id,
        companyName: options.isFiction ? 'Sandbox' : 'My company',
        isFiction: options.isFiction,
        createdAt: journeyNow(service, options.isFiction),
      })
    }
    return kept.id
  })
  const keyFile = join(options.dataFolder, 'first-api-key')
  const known = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : ''
  // A key of another database, or of the sandbox's account when there is none any more, opens nothing here.
  const owner = known === '' ? null : await authenticate(service, `Token ${known}`)
  if (owner?.account.id === accountId) return { accountId, key: known, keyFile }
  const { key } = await createApiKey(service, { accountId, name: 'First key', scopes: ['read', 'write'] })
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 })
  chmodSync(keyFile, 0o600)
  return { accountId, key, keyFile }
}
