/** The keys of an account as its people see them: masked, with their last use, and how one is deleted. */

import { inTransaction } from '../../db/database.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { type ApiKey, listApiKeys as listRows, revokeApiKey } from './api-keys-sql.ts'
import { forgetKey } from './authenticate.ts'

/** Newest first; never a complete key. */
export async function listApiKeys(service: Service, context: Context): Promise<readonly ApiKey[]> {
  requirePermission(context, 'keys')
  return listRows(service.pool, { accountId: context.account.id })
}

export async function getApiKey(service: Service, context: Context, { id }: { readonly id: string }): Promise<ApiKey> {
  const key = (await listApiKeys(service, context)).find((each) => each.id === id)
  if (key === undefined) throw notFound('API key')
  return key
}

/** The key stops working: in this process at once, in other processes within five seconds. */
export async function deleteApiKey(service: Service, context: Context, { id }: { readonly id: string }): Promise<void> {
  requirePermission(context, 'keys')
  await inTransaction(service.pool, async (db) => {
    const revoked = await revokeApiKey(db, { accountId: context.account.id, id, now: realNow(service) })
    if (revoked === null) throw notFound('API key')
    await recordChange(db, service, context, {
      action: 'api_key.deleted',
      target: { type: 'api_key', id },
      diff: { name: [revoked.name, null] },
    })
  })
  forgetKey(service, id)
}
