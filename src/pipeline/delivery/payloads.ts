/**
 * The bytes of deliveries. They are stored before they are sent: whatever happens then, every later attempt sends the
 * same. Webhooks that get the same document except for two ids share one payload.
 */

import { randomUUID } from 'node:crypto'
import { inTransaction } from '../../db/database.ts'
import { inOrderOfAccounts, ofEachAccount } from '../../db/distributed/acquire-per-account.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { batchCalls, rememberBriefly } from '../../platform/batch-calls.ts'
import type { LeasedNotification } from './due-notifications-sql.ts'
import { type Payload, type PayloadKey, readPayloads, storePayloads } from './payloads-sql.ts'

/** What the document of a notification is written from. */
export type NotificationToRender = Pick<
  LeasedNotification,
  'accountId' | 'id' | 'webhookId' | 'eventId' | 'event' | 'sequence' | 'createdAt' | 'format' | 'ediIds'
>

/** Writes the document. `server/run-server.ts` provides it, because the API makes documents. */
export type RenderNotification = (notification: NotificationToRender) => Promise<Buffer>

/** Returns what is to be sent, which is stored then. */
export type FindPayload = (notification: LeasedNotification) => Promise<Buffer>

export function openPayloads(service: Service, render: RenderNotification): FindPayload {
  const store = batchCalls((payloads: readonly Payload[]) => storeAll(service, payloads))
  const read = batchCalls((keys: readonly PayloadKey[]) =>
    ofEachAccount(keys, (accountId, ofAccount) => readPayloads(service.pool, accountId, ofAccount)),
  )
  const find = rememberBriefly(
    async (notification: LeasedNotification) => {
      const key = payloadKey(notification)
      const stored = notification.attempts > 0 ? await read(key) : null
      if (stored !== null) return stored
      if (!isShared(notification)) return store({ ...key, body: await render(notification) })
      const body = await render({ ...notification, ...placeholders })
      return store({ ...key, body: replaceIds(body, placeholders, standIns) })
    },
    (notification) => Object.values(payloadKey(notification)).join(' '),
  )
  return async (notification) => {
    if (notification.body !== null) return notification.body
    // In one reading. Where one cannot be written, its own attempt shows it.
    for (const next of notification.upcoming ?? []) find({ ...notification, ...next }).catch(() => {})
    const payload = await find(notification)
    return isShared(notification) ? fillIn(payload, notification) : payload
  }
}

/** Messages of standards are written for their receiver. */
const isShared = ({ format }: NotificationToRender): boolean => format === null

function payloadKey(notification: NotificationToRender): PayloadKey {
  const { accountId, id, eventId, event, createdAt } = notification
  return { accountId, eventId, variant: isShared(notification) ? `${event} ${createdAt}` : id }
}

type Ids = Pick<NotificationToRender, 'id' | 'webhookId'>

/** With which a shared payload is written. Nobody can know them, so no text in it has them. */
const placeholders: Ids = { id: randomUUID(), webhookId: randomUUID() }
/** By which they are stored. JSON has them nowhere else: it escapes control characters. */
const standIns: Ids = { id: '\u0001', webhookId: '\u0002' }

/** A shared payload as one webhook gets it. */
export const fillIn = (payload: Buffer, ids: Ids): Buffer => replaceIds(payload, standIns, ids)

function replaceIds(payload: Buffer, from: Ids, to: Ids): Buffer {
  return Buffer.from(payload.toString().replaceAll(from.id, to.id).replaceAll(from.webhookId, to.webhookId))
}

/** One statement stores the bytes of one account; the bytes of several accounts are flushed to disk together. */
async function storeAll(service: Service, payloads: readonly Payload[]): Promise<readonly Buffer[]> {
  const now = realNow(service)
  const [only, ...others] = inOrderOfAccounts(payloads)
  if (only !== undefined && others.length === 0) return storePayloads(service.pool, ...only, now)
  return inTransaction(
    service.pool,
    (db) => ofEachAccount(payloads, (accountId, ofAccount) => storePayloads(db, accountId, ofAccount, now)),
    'once',
  )
}
