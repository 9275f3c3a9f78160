/** Sixty months of notifications and a month of attempts: each statement about them reads few of their partitions. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { findDueWork } from '../../../src/db/due-work.ts'
import { anyTime } from '../../../src/db/listing/page.ts'
import { addDays, addMs } from '../../../src/domain/values/time.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { listAuditRows } from '../../../src/modules/audit/list-audit-events-sql.ts'
import { countUsage } from '../../../src/modules/usage/usage-sql.ts'
import { getNotifications, listAttempts, listNotifications } from '../../../src/modules/webhooks/list-notifications.ts'
import { recoverNotifications } from '../../../src/modules/webhooks/recover-notifications.ts'
import { redeliverNotification } from '../../../src/modules/webhooks/redeliver-notification.ts'
import { updateWebhook } from '../../../src/modules/webhooks/update-webhook.ts'
import { pruneDeliveries } from '../../../src/pipeline/delivery/prune-deliveries.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { numberEvents } from '../../../src/pipeline/event-sequence/number-events.ts'
import { readQueues } from '../../../src/pipeline/jobs/list-jobs-sql.ts'
import { namedUuidV7, uuidV7 } from '../../../src/platform/ids.ts'
import type { TestService } from '../../support/service.ts'
import { findStatements } from '../../support/statements.ts'
import { touchedParts } from '../../support/touched-parts.ts'
import {
  announce,
  arrived,
  openBench,
  openReceiver,
  type Receiver,
  renderPlain,
  subscribe,
  uuid,
  writeEvents,
} from '../../support/webhooks-harness.ts'

const months = 60
/** The requested month or day, the one after or before, and the default partition. */
const partsMax = 4

/** These show attempts, which may have been made on any day since their notification: no more days than are stored. */
const daysSince: Readonly<Record<string, true>> = {
  list: true,
  read_notifications: true,
  read_attempts: true,
}

interface Sent {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** These read many partitions, and why they may. */
const exceptions: Readonly<Record<string, string>> = {
  attempts_aged: 'what is in no day; only those that are older than the oldest day',
  attempts_delete: 'those that `attempts_aged` found',
  delivery_floor_set: 'each ten minutes, one probe of an index of pending ones for each month',
  events_never_sent: 'by hand; whether an event was ever sent, at any time',
  notification_give_up: 'as `notifications_finish`, by the id and the time',
  leases_release: 'at the start of the only process',
  payloads_aged: 'from the floor on, a probe for each event',
  notification_bodies_aged: 'each ten minutes, one probe of an index of kept bodies for each month',
  notification_bodies_drop: 'those that `notification_bodies_aged` found',
  webhook_delete_attempts: 'by hand; all that a webhook ever had',
  webhook_delete_lock: 'by hand; all that a webhook ever had',
}

let bench: TestService
let context: Context
let receiver: Receiver
let status = 200
let webhookId: string
let client: pg.Client
const ids: string[] = []
const sent = new Map<string, Sent>()
const { query } = pg.Client.prototype

before(async () => {
  bench = await openBench()
  context = await bench.newAccount()
  receiver = await openReceiver((_, response) => response.writeHead(status).end())
  webhookId = (await subscribe(bench.service, context, { url: receiver.url })).id
  const { pool } = bench.service
  const now = new Date(bench.clock.now()).toISOString()
  const [year = 0, month = 0] = now.slice(0, 7).split('-').map(Number)
  for (let ago = months; ago >= 0; ago -= 1)
    await make('webhook_notifications', new Date(Date.UTC(year, month - 1 - ago)).toISOString().slice(0, 10))
  for (let ago = 31; ago >= 0; ago -= 1) await make('webhook_notification_logs', addDays(now, -ago).slice(0, 10))
  const times = Array.from({ length: months * 60 }, (_, place) => addMs(now, -(place + 1) * 43_000_000))
  const events = times.map((at) => uuidV7(Date.parse(at)))
  ids.push(...times.map((at, place) => namedUuidV7(Date.parse(at), `${place}`)))
  await pool.query(
    `insert into events (account_id, id, sequence, name, reference_type, reference_id, payload, created_at)
     select $1, id, 4000 - n, $4, 'shipment', id, '{}', at from unnest($2::uuid[], $3::timestamptz[]) with ordinality as t (id, at, n)`,
    [context.account.id, events, times, arrived],
  )
  await pool.query(
    `insert into event_counters (account_id, last_sequence) values ($1, 4000)
     on conflict (account_id) do update set last_sequence = 4000`,
    [context.account.id],
  )
  await pool.query(
    `insert into webhook_notifications
       (account_id, id, webhook_id, event_id, event, sequence, lane_id, delivery_status, attempts, created_at)
     select $1, id, $2, event, $6, 4000 - n, event, case when n % 10 = 0 then 'failed' else 'succeeded' end, 1, at
       from unnest($3::uuid[], $4::uuid[], $5::timestamptz[]) with ordinality as t (id, event, at, n)`,
    [context.account.id, webhookId, ids, events, times, arrived],
  )
  const recent = times.filter((at) => at > addDays(now, -30))
  await pool.query(
    `insert into webhook_notification_logs (account_id, notification_id, id, attempt, duration_ms, created_at)
     select $1, id, gen_random_uuid(), 1, 5, at from unnest($2::uuid[], $3::timestamptz[]) as t (id, at)`,
    [context.account.id, ids.slice(0, recent.length), recent],
  )
  await pruneDeliveries(bench.service)
  await pool.query('analyze webhook_notifications; analyze webhook_notification_logs; analyze events')
  client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [{ name?: string; text?: string; values?: unknown[] } | string]
    if (typeof asked === 'object' && /\bwebhook_notification/.test(asked.text ?? ''))
      sent.set(asked.name ?? asked.text ?? '', {
        name: asked.name ?? 'list',
        text: asked.text ?? '',
        values: asked.values ?? [],
      })
    return query.apply(this, args as never)
  } as typeof query
})
after(async () => {
  pg.Client.prototype.query = query
  await client.end()
  await receiver.close()
  await bench.close()
})

async function make(table: string, day: string): Promise<void> {
  await bench.service.pool.query('select make_time_part($1, $2)', [table, day])
}

async function beAtWork(): Promise<void> {
  const { service } = bench
  const deliver = () => deliverDue(service, { render: renderPlain, random: () => 0.5 })
  const shipmentId = uuid()
  await announce(service, context, [arrived, arrived], shipmentId)
  status = 500
  await deliver()
  const listed = await listNotifications(service, context, {
    filter: { deliveryStatus: null, event: null, webhookId: null, createdAt: anyTime },
    order: '-created_at',
    page: { number: 1, size: 20 },
  })
  const shown = listed.rows.map(({ id }) => id)
  assert.equal(listed.rows.length, 20)
  assert.equal((await getNotifications(service, context, { ids: shown })).length, 20)
  await listAttempts(service, context, { notificationIds: shown })
  await redeliverNotification(service, context, { id: ids[50] ?? '' })
  status = 200
  await deliver()
  const since = addDays(new Date(bench.clock.now()).toISOString(), -20)
  await recoverNotifications(service, context, { id: webhookId, since, until: null, mode: 'failed_only' })
  await deliver()
  await announce(service, context, [arrived, arrived], shipmentId)
  await updateWebhook(service, context, { id: webhookId, isActive: false })
  await writeEvents(service, context, { shipmentId, names: [arrived] })
  await numberEvents(service)
  await updateWebhook(service, context, { id: webhookId, isActive: true })
  await recoverNotifications(service, context, { id: webhookId, since, until: null, mode: 'all' })
  await deliver()
  await pruneDeliveries(service)
  const { pool } = service
  const accountId = context.account.id
  await readQueues(pool, accountId)
  const any = { action: null, actorId: null, actorType: null, targetId: null, targetType: null, at: anyTime }
  const page = { number: 1, size: 50 }
  await listAuditRows(pool, { accountId, filter: any, order: '-created_at', page, isCounted: true })
  const now = new Date(bench.clock.now()).toISOString()
  await countUsage(pool, { accountId, from: addDays(now, -1), to: now })
  await findDueWork(pool, { now, journeyNow: now, sandboxNow: now })
}

test('each statement about notifications or attempts reads few of sixty monthly partitions', async () => {
  await beAtWork()
  const wide: string[] = []
  // What was written can then be written once more.
  const first = `delete from webhook_notification_logs where created_at > now() - interval '1 hour';
                 delete from webhook_notifications where created_at > now() - interval '1 hour'`
  // These months are so small that the planner would rather read them all; those of an installation are not.
  await client.query('set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off')
  for (const statement of sent.values())
    for (const mode of ['custom', 'generic'] as const) {
      const { name, text } = statement
      if (name in exceptions || /^explain|as counted$/.test(text)) continue
      // Without a name, a statement is planned for its values each time.
      if (name === 'list' && mode === 'generic') continue
      const isWritten = /insert into/.test(text)
      const { parts } = await touchedParts(client, statement, { mode, ...(isWritten ? { first } : {}) })
      const count = (table: string) =>
        [...parts].filter((part) => new RegExp(`^${table}_(\\d|default|before)`).test(part)).length
      const [notifications, attempts] = [count('webhook_notifications'), count('webhook_notification_logs')]
      if (notifications > partsMax || (attempts > partsMax && !(name in daysSince)))
        wide.push(`${name} (${mode}): ${notifications} months, ${attempts} days`)
    }
  assert.deepEqual(wide, [])
})

test('every statement in src about notifications is tested or listed as an exception', async () => {
  const all = await findStatements()
  const about = all.filter(({ text }) => /\bwebhook_notification/.test(text)).map(({ name }) => name)
  const tried = new Set([...sent.values()].map(({ name }) => name))
  assert.ok(about.length > 15)
  assert.deepEqual(
    about.filter((name) => !tried.has(name) && !(name in exceptions)),
    [],
  )
})

test('a list with the newest first reads months one after the other and stops early', async () => {
  const [list] = [...sent.values()].filter(({ name, text }) => name === 'list' && / limit /.test(text))
  assert.ok(list)
  const { plan } = await touchedParts(client, list, { mode: 'custom' })
  const text = JSON.stringify(plan)
  assert.match(text, /"Node Type":"Append"/)
  assert.ok(!text.includes('"Merge Append"'))
})
