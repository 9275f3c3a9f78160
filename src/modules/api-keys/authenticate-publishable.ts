/**
 * Keys in a web page, where everybody can read them. They show the journeys that are embedded there, only to that page.
 * One table lists what they allow. `authenticate` does not know them, so no other interface and no other operation
 * accepts them.
 */

import type { Context } from '../access/context.ts'
import { realNow, type Service } from '../service.ts'
import { isApiKey } from './api-key.ts'
import { findApiKey, touchApiKey } from './api-keys-sql.ts'

/**
 * The only operations, with the relationships that may be included in their answers: one shipment or container whose id
 * the page knows, its events, its way and its map. No lists, no search, no parties, no custom fields, no raw events.
 */
export const publishableOperations: Readonly<Record<string, readonly string[]>> = {
  getShipment: [
    'containers',
    'port_of_lading',
    'port_of_discharge',
    'pod_terminal',
    'destination',
    'destination_terminal',
  ],
  getContainer: ['shipment', 'pod_terminal', 'pickup_facility', 'transport_events', 'transport_events.location'],
  getContainerMap: [],
  getContainerRoute: [],
  listTransportEvents: ['location', 'terminal', 'vessel'],
}

export type PublishableAnswer =
  | { readonly kind: 'identity'; readonly identity: Omit<Context, 'requestId'> }
  /** It is no key, or the key is not valid any more. */
  | { readonly kind: 'unknown' }
  /** The key is valid, but was used from a page that it does not name. */
  | { readonly kind: 'elsewhere' }

/** Null when the header has no key of this kind at all. */
export function findPublishableKey(header: string | undefined): string | null {
  return /^Token +(lf_pub_\S+)$/i.exec(header ?? '')?.[1] ?? null
}

/** Reads the database each time, so a deleted key stops working at once. */
export async function authenticatePublishable(
  service: Service,
  { key, origin }: { readonly key: string; readonly origin: string | undefined },
): Promise<PublishableAnswer> {
  if (!isApiKey(key, 'publishable')) return { kind: 'unknown' }
  const now = realNow(service)
  const found = await findApiKey(service.pool, { hmac: service.encryption.hmac(key), now })
  if (found === null || found.kind !== 'publishable') return { kind: 'unknown' }
  if (origin === undefined || !found.allowedOrigins.includes(origin)) return { kind: 'elsewhere' }
  await touchApiKey(service.pool, { accountId: found.accountId, id: found.id, now })
  return {
    kind: 'identity',
    identity: {
      account: { id: found.accountId, companyName: found.companyName, isSandbox: found.isSandbox },
      actor: { kind: 'api_key', id: found.id },
      scopes: ['read'],
      isEmbedded: true,
    },
  }
}
