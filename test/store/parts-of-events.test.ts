/** Sixty months of events: each statement about events of the newest months looks into few of their parts. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { addDays } from '../../src/core/values/time.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import type { Context } from '../../src/service/context.ts'
import { numberEvents } from '../../src/service/telling/events/number-events.ts'
import { findDueWork } from '../../src/store/ground/due-work.ts'
import { insertEvents } from '../../src/store/journeys/domain-events.ts'
import { readStood } from '../../src/store/ledger/stood.ts'
import { countUsage } from '../../src/store/people/usage.ts'
import { readAttentionShipments } from '../../src/store/read/attention-shipments.ts'
import { readEventsOfAccounts } from '../../src/store/read/domain-events.ts'
import { readEventsAfter } from '../../src/store/read/events.ts'
import { sequencesOf } from '../../src/store/read/history.ts'
import { readNotifications } from '../../src/store/read/webhook-notifications.ts'
import { readPayloadsBefore, readSequenceAt } from '../../src/store/telling/event-changes.ts'
import { isPartAwaited } from '../../src/store/telling/event-parts.ts'
import { readMovesOfEvents } from '../../src/store/telling/moves.ts'
import { listNeverSent } from '../../src/store/telling/webhook-queue.ts'
import { monthsUntil, passEventMonths } from '../support/event-months.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { findStatements } from '../support/statements.ts'
import { touchedParts } from '../support/touched-parts.ts'

const startAt = '2026-06-20T12:00:00.000Z'
const ofMonth = 40
/** The month that is asked about, and the one before. */
const partsMax = 2

/** These are not tried, or look into more, and why they may. */
const exceptions: Readonly<Record<string, string>> = {
  history_events: 'reads the tables of a past state, which have no parts',
  put_back_events: 'of a rebuild, which reads all there is',
  put_back_nothing: 'deletes from the tables of a rebuild',
  state_save: 'writes new events and reads none',
  events_insert: 'writes new events and reads none',
  usage_count: 'halves all numbers of an account; each step looks into the part of one number',
}

interface Sent {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

let bench: TestService
let context: Context
let client: pg.Client
const sent = new Map<string, Sent>()
const { query } = pg.Client.prototype
const shipmentId = uuidV7(Date.parse(startAt))
const name = 'shipment.estimated.arrival'

before(async () => {
  bench = await openTestService({ startAt })
  context = await bench.newAccount()
  const { pool } = bench.service
  const accountId = context.account.id
  await passEventMonths(pool, monthsUntil(startAt, 60), async (month) => {
    await pool.query(
      `insert into events (account_id, id, name, reference_type, reference_id, shipment_id, payload, created_at)
       select $1, gen_random_uuid(), $2, 'transport_event', gen_random_uuid(), gen_random_uuid(), '{}',
              $3::timestamptz + n * interval '10 hours' from generate_series(1, $4::int) n order by n`,
      [accountId, name, `${month}T01:00:00Z`, ofMonth],
    )
    await numberEvents(bench.service)
  })
  const at = addDays(startAt, -5)
  await pool.query(
    `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, projection, created_at, updated_at)
     values ($1, $2, 'TEST', 'X', 'X', '{}', $3, $3)`,
    [accountId, shipmentId, at],
  )
  await pool.query(
    `insert into told_moves (account_id, shipment_id, locode, moved_at) values ($1, $2, '', $3)`,
    [accountId, shipmentId, at],
  )
  await pool.query('vacuum analyze')
  client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [{ name?: string; text?: string; values?: unknown[] } | string]
    if (
      typeof asked === 'object' &&
      /\bevents e\b|\b(from|into|update|join) events\b/.test(asked.text ?? '')
    ) {
      const { name: named = 'attention', text = '', values = [] } = asked
      // The first one: what it reads is there when it is tried.
      if (!sent.has(named)) sent.set(named, { name: named, text, values })
    }
    return query.apply(this, args as never)
  } as typeof query
})
after(async () => {
  pg.Client.prototype.query = query
  await client.end()
  await bench.close()
})

async function beAtWork(): Promise<void> {
  const { service } = bench
  const { pool } = service
  const accountId = context.account.id
  const event = {
    id: uuidV7(Date.parse(startAt)),
    name,
    referenceType: 'transport_event' as const,
    referenceId: uuidV7(Date.parse(startAt)),
    trackingRequestId: null,
    shipmentId,
    containerId: null,
    payload: {},
  }
  await insertEvents(pool, { accountId, events: [event], at: startAt })
  await findDueWork(pool, { now: startAt, journeyNow: startAt, fictionNow: startAt })
  await numberEvents(service)
  const sequence = 60 * ofMonth + 1
  const everything = { names: null, shipmentId: null, containerId: null, trackingRequestId: null }
  const feed = { accountId, after: sequence - 5, limit: 10 }
  await readEventsAfter(pool, { ...feed, filter: everything })
  await readEventsAfter(pool, { ...feed, after: 0, filter: { ...everything, shipmentId } })
  await readEventsAfter(pool, { ...feed, filter: { ...everything, trackingRequestId: shipmentId } })
  await readEventsOfAccounts(pool, [{ accountId, id: event.id, sequence }])
  await readMovesOfEvents(pool, [{ accountId, eventId: event.id, sequence }])
  const notificationId = uuidV7(Date.parse(startAt))
  await pool.query(
    `insert into webhooks (account_id, id, url, events, is_active, created_at, updated_at)
     values ($1, $2, 'http://127.0.0.1/', '{}', true, $3, $3)`,
    [accountId, notificationId, startAt],
  )
  await pool.query(
    `insert into webhook_notifications (account_id, id, webhook_id, event_id, event, sequence, lane_id, created_at)
     values ($1, $2, $2, $3, 'x', $4, $3, $5)`,
    [accountId, notificationId, event.id, sequence, startAt],
  )
  assert.equal((await readNotifications(pool, { accountId, ids: [notificationId] })).length, 1)
  await sequencesOf(pool, { accountId, shipmentId, ids: [event.id] })
  await readPayloadsBefore(pool, { accountId, events: [{ sequence, shipmentId, name }] })
  await readSequenceAt(pool, { accountId, since: addDays(startAt, -3) })
  await isPartAwaited(pool, 'events_0060')
  await listNeverSent(pool, {
    accountId,
    webhookId: notificationId,
    since: addDays(startAt, -3),
    until: startAt,
    limit: 10,
    events: [name],
    after: 0,
  })
  await readStood(pool, { accountId, shipmentId })
  await countUsage(pool, { accountId, from: addDays(startAt, -3), to: startAt })
  await readAttentionShipments(pool, 'eta_moved', {
    accountId,
    now: startAt,
    realNow: startAt,
    limit: 10,
  } as Parameters<typeof readAttentionShipments>[2])
}

test('a statement about events looks into few parts of sixty months, for its values and as planned for any', async () => {
  await beAtWork()
  const wide: string[] = []
  // These months are so small that the planner would rather read them all; those of an installation are not.
  await client.query('set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off')
  for (const statement of sent.values())
    for (const mode of ['custom', 'generic'] as const) {
      const { name: named } = statement
      if (named in exceptions || (named === 'attention' && mode === 'generic')) continue
      const { parts } = await touchedParts(client, statement, { mode })
      const count = [...parts].filter((part) => /^events_(before|\d+)$/.test(part)).length
      if (count > partsMax) wide.push(`${named} (${mode}): ${count}`)
    }
  assert.deepEqual(wide, [])
})

test('every statement of the store about events was tried, or is named with a reason', async () => {
  const all = await findStatements(fileURLToPath(new URL('../../src/store/', import.meta.url)))
  const about = all
    .filter(({ text }) => /\b(from|join|into|update)\s+(public\.)?events\b/.test(text))
    .map((statement) => statement.name)
  assert.ok(about.length > 15)
  assert.deepEqual(
    about.filter((each) => !sent.has(each) && !(each in exceptions)),
    [],
  )
  assert.ok(sent.has('attention'))
})
