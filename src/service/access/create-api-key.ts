/** Makes an API key for an account. The key is returned here and never again: only its HMAC is kept. */

import { uuidV7 } from '../../platform/ids.ts'
import { insertApiKey } from '../../store/api-keys.ts'
import type { Scope } from '../context.ts'
import { realNow, type Service } from '../service.ts'
import { makeApiKey, maskedParts } from './api-key.ts'

export async function createApiKey(
  service: Service,
  input: { readonly accountId: string; readonly name: string; readonly scopes: readonly Scope[] },
): Promise<{ readonly key: string; readonly id: string }> {
  const key = makeApiKey()
  const id = uuidV7(service.clock.now())
  await insertApiKey(service.pool, {
    ...maskedParts(key),
    accountId: input.accountId,
    id,
    name: input.name,
    hmac: service.vault.hmac(key),
    scopes: input.scopes,
    createdAt: realNow(service),
  })
  return { key, id }
}
