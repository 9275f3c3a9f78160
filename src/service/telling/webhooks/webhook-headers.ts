/**
 * The values of a webhook's own headers in the database. They are encrypted, because most of them give access to their
 * receiver. Names are not encrypted. Values that were stored before encryption was added can be read as they are, and
 * are encrypted when a process starts.
 */

import {
  listUnsealedHeaders,
  type StoredHeader,
  sealHeaders as sealRow,
} from '../../../store/telling/webhook-headers.ts'
import type { WebhookHeader } from '../../../store/telling/webhooks.ts'
import type { Service } from '../../service.ts'

type Needs = Pick<Service, 'vault' | 'log'>

const batchMax = 500

export function sealHeaders(
  { vault }: Pick<Service, 'vault'>,
  headers: readonly WebhookHeader[] | null,
): readonly StoredHeader[] | null {
  return headers?.map(({ name, value }) => ({ name, sealed: vault.seal(value).toString('base64') })) ?? null
}

/**
 * Null, and logged, when one of them cannot be decrypted. Without it the receiver would refuse us, or think that we are
 * somebody else.
 */
export function openHeaders(
  { vault, log }: Needs,
  of: { readonly webhookId: string; readonly headers: readonly StoredHeader[] | null },
): readonly WebhookHeader[] | null {
  try {
    return (of.headers ?? []).map(({ name, ...stored }) => ({
      name,
      value: 'value' in stored ? stored.value : vault.open(Buffer.from(stored.sealed, 'base64')),
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
export async function sealStoredHeaders(service: Service): Promise<number> {
  let sealed = 0
  for (let before = -1; before < sealed; ) {
    before = sealed
    const found = await listUnsealedHeaders(service.pool, batchMax)
    for (const { accountId, id, headers } of found) {
      const after = headers.flatMap((header) =>
        'value' in header ? (sealHeaders(service, [header]) ?? []) : [header],
      )
      if (await sealRow(service.pool, { accountId, id, before: headers, after })) sealed += 1
    }
  }
  if (sealed > 0) service.log.info('webhook.headers_sealed', { count: sealed })
  return sealed
}
