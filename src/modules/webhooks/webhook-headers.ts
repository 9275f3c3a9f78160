/**
 * The values of a webhook's own headers in the database. They are encrypted, because most of them give access to their
 * receiver. Names are not encrypted. Values that were stored before encryption was added can be read as they are, and
 * are encrypted when a process starts.
 */

import type { Service } from '../service.ts'
import {
  listUnencryptedHeaders,
  type StoredHeader,
  saveEncryptedHeaders as updateStoredHeaders,
} from './webhook-headers-sql.ts'
import type { WebhookHeader } from './webhooks-sql.ts'

type Needs = Pick<Service, 'encryption' | 'log'>

const batchMax = 500

export function encryptHeaders(
  { encryption }: Pick<Service, 'encryption'>,
  headers: readonly WebhookHeader[] | null,
): readonly StoredHeader[] | null {
  return headers?.map(({ name, value }) => ({ name, sealed: encryption.encrypt(value).toString('base64') })) ?? null
}

/**
 * Null, and logged, when one of them cannot be decrypted. Without it the receiver would refuse us, or think that we are
 * somebody else.
 */
export function decryptHeaders(
  { encryption, log }: Needs,
  of: { readonly webhookId: string; readonly headers: readonly StoredHeader[] | null },
): readonly WebhookHeader[] | null {
  try {
    return (of.headers ?? []).map(({ name, ...stored }) => ({
      name,
      value: 'value' in stored ? stored.value : encryption.decrypt(Buffer.from(stored.sealed, 'base64')),
    }))
  } catch (error) {
    log.error('credential.unusable', { webhookId: of.webhookId, error })
    return null
  }
}

/**
 * Any number of processes may do it at once. A webhook that was changed meanwhile keeps the change. Returns how many
 * were encrypted.
 */
export async function encryptStoredHeaders(service: Service): Promise<number> {
  let encryptedCount = 0
  for (let before = -1; before < encryptedCount; ) {
    before = encryptedCount
    const found = await listUnencryptedHeaders(service.pool, batchMax)
    for (const { accountId, id, headers } of found) {
      const after = headers.flatMap((header) =>
        'value' in header ? (encryptHeaders(service, [header]) ?? []) : [header],
      )
      if (await updateStoredHeaders(service.pool, { accountId, id, before: headers, after })) encryptedCount += 1
    }
  }
  if (encryptedCount > 0) service.log.info('webhook.headers_sealed', { count: encryptedCount })
  return encryptedCount
}
