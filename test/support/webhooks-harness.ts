// What the tests of events and deliveries share: a service with its own database, a clock that the test moves, and
// receivers on loopback that remember their deliveries.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach } from 'node:test'
import { type Db, inTransaction } from '../../src/db/database.ts'
import type { EventName } from '../../src/domain/changes/event-table.ts'
import type { Context } from '../../src/modules/access/context.ts'
import type { Service } from '../../src/modules/service.ts'
import { createWebhook } from '../../src/modules/webhooks/create-webhook.ts'
import type { RenderNotification } from '../../src/pipeline/delivery/payloads.ts'
import { numberEvents } from '../../src/pipeline/event-sequence/number-events.ts'
import { insertEvents } from '../../src/pipeline/projection/domain-events-sql.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import { openTestService, type TestService } from './service.ts'

/** The clock starts now, because receivers compare the time of a signature with their own clock. */
export async function openBench(env: Readonly<Record<string, string>> = {}): Promise<TestService> {
  return openTestService({ startAt: new Date().toISOString(), env })
}

/** For all tests of a file: one bench, an account for each test, and receivers that end with their test. */
export function useBench(env: Readonly<Record<string, string>> = {}) {
  let bench: TestService
  let context: Context
  const receivers: Receiver[] = []
  before(async () => {
    bench = await openBench(env)
  })
  after(() => bench.close())
  beforeEach(async () => {
    context = await bench.newAccount()
  })
  afterEach(async () => {
    await bench.service.pool.query('delete from webhooks; delete from webhook_payloads')
    for (const receiver of receivers.splice(0)) await receiver.close()
  })
  return {
    bench: () => bench,
    context: () => context,
    receive: async (...answer: Parameters<typeof openReceiver>): Promise<Receiver> => {
      const receiver = await openReceiver(...answer)
      receivers.push(receiver)
      return receiver
    },
  }
}

export function uuid(): string {
  return uuidV7(Date.now())
}

/** Writes events of one shipment, in this order, as one transaction. */
export async function writeEvents(
  service: Service,
  context: Context,
  events: { readonly shipmentId: string; readonly names: readonly EventName[] },
): Promise<readonly string[]> {
  return inTransaction(service.pool, (db) => writeEventsIn(db, context, events))
}

export async function writeEventsIn(
  db: Db,
  context: Context,
  events: { readonly shipmentId: string; readonly names: readonly EventName[] },
): Promise<readonly string[]> {
  const ids = events.names.map(() => uuid())
  await insertEvents(db, {
    accountId: context.account.id,
    at: new Date().toISOString(),
    events: events.names.map((name, index) => ({
      id: ids[index] ?? '',
      name,
      referenceId: uuid(),
      trackingRequestId: null,
      shipmentId: events.shipmentId,
      containerId: null,
      payload: {},
    })),
  })
  return ids
}

export async function subscribe(
  service: Service,
  context: Context,
  webhook: {
    readonly url: string
    readonly events?: readonly string[]
    readonly headers?: readonly { readonly name: string; readonly value: string }[]
  },
) {
  return createWebhook(service, context, {
    url: webhook.url,
    isActive: true,
    events: webhook.events ?? [arrived],
    headers: webhook.headers ?? null,
  })
}

export const arrived = 'container.transport.vessel_arrived'
export const discharged = 'container.transport.vessel_discharged'

/** Events of one shipment, written and numbered: as many notifications as there are webhooks for each. */
export async function announce(service: Service, context: Context, names: readonly EventName[], shipmentId = uuid()) {
  const ids = await writeEvents(service, context, { shipmentId, names })
  await numberEvents(service)
  return ids
}

export const renderPlain: RenderNotification = async ({ id, event, sequence }) =>
  Buffer.from(JSON.stringify({ data: { id, type: 'webhook_notification', attributes: { event, sequence } } }))

export interface Received {
  readonly id: string
  readonly sequence: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly connection: number
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  readonly close: () => Promise<void>
}

/** Answers 200 if the test sets no other answer. `answer` gets each delivery after it was remembered. */
export async function openReceiver(
  answer: (received: Received, response: ServerResponse, count: number) => void = (_, response) => response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const document = JSON.parse(body.toString()) as {
        readonly data: { readonly id: string; readonly attributes: { readonly sequence: number } }
      }
      const one: Received = {
        id: document.data.id,
        sequence: document.data.attributes.sequence,
        headers: request.headers,
        body,
        connection: request.socket.remotePort ?? 0,
      }
      received.push(one)
      answer(one, response, received.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export async function notificationRows(service: Service) {
  const { rows } = await service.pool.query<{
    readonly id: string
    readonly webhook_id: string
    readonly event_id: string
    readonly event: string
    readonly sequence: number
    readonly delivery_status: string
    readonly attempts: number
    readonly next_attempt_at: string | null
  }>(
    `select id, webhook_id, event_id, event, sequence, delivery_status, attempts, next_attempt_at
       from webhook_notifications order by webhook_id, sequence`,
  )
  return rows
}

/** The log of a notification, in the order of the attempts. */
export async function attemptRows(service: Service, notificationId: string) {
  const { rows } = await service.pool.query<{
    readonly attempt: number
    readonly status_code: number | null
    readonly error: string | null
    readonly address: string | null
    readonly duration_ms: number
    readonly response_body: string | null
    readonly next_attempt_at: string | null
  }>('select * from webhook_notification_logs where notification_id = $1 order by attempt, id', [notificationId])
  return rows
}
