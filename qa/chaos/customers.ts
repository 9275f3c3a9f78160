/**
 * Three accounts, each with a key and four webhooks: what they subscribe to, what they request, and what they do when
 * deliveries are left over.
 */

import type { Pool } from '../../src/db/database.ts'
import { eventNames } from '../../src/domain/changes/event-table.ts'
import { insertAccount } from '../../src/modules/accounts/accounts-sql.ts'
import { makeApiKey, maskKey } from '../../src/modules/api-keys/api-key.ts'
import { insertApiKey } from '../../src/modules/api-keys/api-keys-sql.ts'
import { createEncryption } from '../../src/platform/encryption.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Customer, post, subscribe } from '../kill/client.ts'
import type { Receiver } from './receivers.ts'

export interface Account extends Customer {
  readonly id: string
  readonly name: string
  readonly webhooks: readonly Webhook[]
}

export interface Webhook {
  readonly id: string
  readonly receiver: Receiver
}

export const accountsCount = 3

/** The first webhook of an account subscribes to all events, the others to these. */
const someEvents = [
  'tracking_request.succeeded',
  'container.created',
  'container.transport.vessel_loaded',
  'container.transport.vessel_departed',
  'container.transport.vessel_arrived',
  'container.transport.corrected',
  'container.transport.retracted',
] as const

export async function openAccounts(
  pool: Pool,
  by: { readonly apiUrl: string; readonly secret: string; readonly receivers: readonly Receiver[] },
): Promise<readonly Account[]> {
  const each = by.receivers.length / accountsCount
  const accounts: Account[] = []
  for (let n = 0; n < accountsCount; n += 1) {
    const name = `Customer ${'ABC'.charAt(n)}`
    const customer = await insertCustomer(pool, { ...by, name })
    const webhooks: Webhook[] = []
    for (const [place, receiver] of by.receivers.slice(n * each, (n + 1) * each).entries()) {
      const { id, secret } = await subscribe(customer, receiver.url, place === 0 ? eventNames : someEvents)
      receiver.trust(secret)
      webhooks.push({ id, receiver })
    }
    accounts.push({ ...customer, name, webhooks })
  }
  return accounts
}

async function insertCustomer(
  pool: Pool,
  by: { readonly apiUrl: string; readonly secret: string; readonly name: string },
): Promise<Customer & { readonly id: string }> {
  const nowMs = Date.now()
  const id = uuidV7(nowMs)
  const createdAt = new Date(nowMs).toISOString()
  await insertAccount(pool, { id, companyName: by.name, isSandbox: false, createdAt })
  const key = makeApiKey()
  await insertApiKey(pool, {
    ...maskKey(key),
    accountId: id,
    id: uuidV7(nowMs),
    name: 'Chaos',
    hmac: createEncryption(by.secret).hmac(key),
    scopes: ['read', 'write'],
    createdAt,
    kind: 'secret',
    allowedOrigins: [],
    createdBy: null,
    expiresAt: null,
  })
  return { id, key, apiUrl: by.apiUrl }
}

/** Sends, through the API, notifications whose next attempt is minutes away. Returns how many. */
export async function redeliverLeftovers(
  pool: Pool,
  accounts: readonly Account[],
  redelivered: Map<string, number>,
): Promise<number> {
  const { rows } = await pool.query<{ readonly id: string; readonly account_id: string }>(
    `select id, account_id from webhook_notifications
      where delivery_status = 'pending' and attempts > 0 and lease_token is null
        and next_attempt_at > now() + interval '8 seconds'`,
  )
  for (const { id, account_id: accountId } of rows) {
    const account = accounts.find((each) => each.id === accountId)
    if (account === undefined) continue
    redelivered.set(id, (redelivered.get(id) ?? 0) + 1)
    await insist(account, `/v2/webhook_notifications/${id}/redeliver`, {})
  }
  return rows.length
}

/**
 * Switches the webhook that had answered 410 on again, and requests the notifications that it missed. Returns how many.
 */
export async function bringBack(account: Account, webhook: Webhook, since: string): Promise<number> {
  const on = { data: { type: 'webhook', id: webhook.id, attributes: { active: true } } }
  await insist(account, `/v2/webhooks/${webhook.id}`, on, 'PATCH')
  const body = await insist(account, `/v2/webhooks/${webhook.id}/recover`, { since, mode: 'all' })
  return (body as { readonly meta: { readonly recovered: number } }).meta.recovered
}

/** Repeats the request until it is accepted: the API may be down or answer 429. */
async function insist(
  account: Account,
  path: string,
  sent: unknown,
  method: 'POST' | 'PATCH' = 'POST',
): Promise<unknown> {
  return eventually(
    async () => {
      const answer = await post(account, path, sent, method).catch(() => null)
      if (answer === null || answer.status === 429 || answer.status >= 500) return null
      if (answer.status >= 400) throw new Error(`${path} was refused: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    { withinMs: 30_000, late: () => `${path} was not answered within 30 s.` },
  )
}

/** The webhooks with a receiver that answers 410. */
export function goneOf(accounts: readonly Account[]) {
  return accounts.flatMap((account) =>
    account.webhooks.flatMap((webhook) => (webhook.receiver.mode === 'gone_410' ? [{ account, webhook }] : [])),
  )
}

/** Waits until the answer 410 has switched off the webhook. In a short run this may happen only after the last kill. */
export async function untilOff(pool: Pool, webhookId: string): Promise<void> {
  const off = async () => {
    const { rows } = await pool.query<{ readonly is_active: boolean }>('select is_active from webhooks where id = $1', [
      webhookId,
    ])
    return rows[0]?.is_active === false ? true : null
  }
  await eventually(off, {
    withinMs: 60_000,
    late: () => 'The webhook that answered 410 was not switched off.',
  })
}
