/** Events lie in parts by the month in which they were written. Who reads, replays or delivers them does not notice. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../src/core/values/time.ts'
import type { Context } from '../../src/service/context.ts'
import { ServiceError } from '../../src/service/errors.ts'
import type { Service } from '../../src/service/service.ts'
import { listChanges } from '../../src/service/telling/events/list-changes.ts'
import { checkPosition, listEvents } from '../../src/service/telling/events/list-events.ts'
import { numberEvents } from '../../src/service/telling/events/number-events.ts'
import { tidyEvents } from '../../src/service/telling/events/tidy-events.ts'
import { deliverDue } from '../../src/service/telling/webhooks/deliver.ts'
import { listNotifications } from '../../src/service/telling/webhooks/list-notifications.ts'
import { recover } from '../../src/service/telling/webhooks/recover.ts'
import { redeliver } from '../../src/service/telling/webhooks/redeliver.ts'
import { inTransaction } from '../../src/store/database.ts'
import { openEventPart } from '../../src/store/ground/time-parts.ts'
import { insertEvents } from '../../src/store/journeys/domain-events.ts'
import { anyTime } from '../../src/store/lists/page.ts'
import { readEventsOfAccounts } from '../../src/store/read/domain-events.ts'
import { beginEventParts } from '../support/event-months.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { arrived, openReceiver, type Receiver, renderPlain, subscribe, uuid } from './webhooks-harness.ts'

const startAt = '2026-03-15T12:00:00.000Z'
const dayMs = 86_400_000

let bench: TestService
let context: Context
let receiver: Receiver
let status = 200

before(async () => {
  bench = await openTestService({ startAt, isServing: true })
  await beginEventParts(bench.service.pool, startAt)
  context = await bench.newAccount()
  receiver = await openReceiver((_, response) => response.writeHead(status).end())
})
after(async () => {
  await receiver.close()
  await bench.close()
})

const now = () => new Date(bench.clock.now()).toISOString()
const everything = { names: null, shipmentId: null, containerId: null, trackingRequestId: null }

function made(of: { readonly at?: string; readonly shipmentId?: string | null } = {}) {
  const event = {
    id: uuid(),
    name: arrived,
    referenceType: 'transport_event' as const,
    referenceId: uuid(),
    trackingRequestId: null,
    shipmentId: of.shipmentId ?? null,
    containerId: null,
    payload: {},
  }
  return { event, at: of.at ?? now() }
}

async function write(
  account: Context,
  of: { readonly at?: string; readonly shipmentId?: string | null } = {},
): Promise<string> {
  const { event, at } = made(of)
  await insertEvents(bench.service.pool, { accountId: account.account.id, events: [event], at })
  return event.id
}

async function writeNumbered(
  account: Context,
  count: number,
  shipmentId?: string,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let each = 0; each < count; each += 1)
    ids.push(await write(account, { shipmentId: shipmentId ?? null }))
  await numberEvents(bench.service)
  return ids
}

/** A month passes, a day at a time, as worker processes see it. */
async function passMonth(): Promise<void> {
  const month = now().slice(0, 7)
  while (now().slice(0, 7) === month) bench.clock.advance(dayMs)
  bench.clock.advance(dayMs)
  await Promise.all([tidyEvents(bench.service), tidyEvents(bench.service)])
  await tidyEvents(bench.service)
}

async function readAll(account: Context, after = 0, limit = 7) {
  const read: { readonly sequence: number; readonly id: string }[] = []
  for (let from = after; ; ) {
    const found = await listEvents(bench.service, account, { after: from, limit, filter: everything })
    read.push(...found.events)
    if (found.examined >= found.lastSequence) return read
    from = found.examined
  }
}

async function placesOf(account: Context): Promise<Readonly<Record<string, number>>> {
  const { rows } = await bench.service.pool.query<{ place: string; count: number }>(
    `select tableoid::regclass::text as place, count(*)::int from events where account_id = $1 group by 1 order by 1`,
    [account.account.id],
  )
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]))
}

function keeping(days: number): Service {
  const { service } = bench
  return {
    ...service,
    config: { ...service.config, network: { ...service.config.network, eventsKeptDays: days } },
  }
}

test('one part is made ahead, and opened when its month begins; nobody who writes waits for it', async () => {
  assert.equal(await tidyEvents(bench.service), 1)
  assert.equal(await tidyEvents(bench.service), 0, 'nothing is left to do')
  await writeNumbered(context, 3)
  assert.deepEqual(await placesOf(context), { events_before: 3 })
  await passMonth()
  assert.equal(await tidyEvents(bench.service), 0)
  await writeNumbered(context, 2)
  assert.deepEqual(await placesOf(context), { events_before: 3, events_0001: 2 })
})

test('who follows the feed hears every event once and in order while months begin, also what committed late', async () => {
  const account = await bench.newAccount()
  const { pool } = bench.service
  const written = new Set<string>()
  let isOver = false
  const writing = [1, 2, 3].map(async () => {
    while (!isOver) written.add(await write(account))
  })
  const numbering = (async () => {
    while (!isOver) await numberEvents(bench.service)
  })()
  const heard: { readonly sequence: number; readonly id: string }[] = []
  const following = (async () => {
    for (let from = 0; ; ) {
      const isLast = isOver
      const found = await listEvents(bench.service, account, { after: from, limit: 50, filter: everything })
      heard.push(...found.events)
      from = found.examined
      if (isLast && from >= found.lastSequence) return
    }
  })()
  for (let month = 0; month < 3; month += 1) {
    // One transaction begins before the month and commits in it.
    const late = await pool.connect()
    const { event, at } = made()
    await late.query('begin')
    await insertEvents(late, { accountId: account.account.id, events: [event], at })
    await passMonth()
    await new Promise((resolve) => setTimeout(resolve, 150))
    await late.query('commit')
    late.release()
    written.add(event.id)
  }
  isOver = true
  await Promise.all([...writing, numbering])
  await numberEvents(bench.service)
  await following
  const rest = await readAll(account, heard.at(-1)?.sequence ?? 0)
  const all = [...heard, ...rest]
  assert.ok(all.length > 100)
  assert.deepEqual(
    all.map(({ sequence }) => sequence),
    all.map((_, place) => place + 1),
  )
  assert.deepEqual(new Set(all.map(({ id }) => id)), written)
  assert.ok(Object.keys(await placesOf(account)).length >= 3)
  // The late ones lie in the part before, and have a number of the new one.
  const { rows } = await pool.query(
    `select from events e join event_part_marks m on m.account_id = e.account_id and e.ordinal < m.starts and e.sequence > m.sequence
      where e.account_id = $1`,
    [account.account.id],
  )
  assert.ok(rows.length >= 3)
})

test('what was heard in other months is read again: all, of a shipment, of a name, since a time, and by its id', async () => {
  const account = await bench.newAccount()
  const shipmentId = uuid()
  await bench.service.pool.query(
    `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, projection, created_at, updated_at)
     values ($1, $2, 'TEST', 'X', 'X', '{}', $3, $3)`,
    [account.account.id, shipmentId, now()],
  )
  const ids: string[] = []
  const times: string[] = []
  for (let month = 0; month < 4; month += 1) {
    times.push(now())
    ids.push(...(await writeNumbered(account, 5, shipmentId)))
    // A quiet month of this account.
    if (month === 1) await passMonth()
    await passMonth()
  }
  const inOrder = (await readAll(account)).map(({ id }) => id)
  assert.deepEqual(inOrder, ids)
  assert.deepEqual(
    (await readAll(account, 9)).map(({ sequence }) => sequence),
    Array.from({ length: 11 }, (_, place) => place + 10),
  )
  const page = { after: 3, limit: 100 }
  for (const filter of [
    { ...everything, shipmentId },
    { ...everything, shipmentId, names: [arrived] },
  ])
    assert.deepEqual(
      (await listEvents(bench.service, account, { ...page, filter })).events.map(({ id }) => id),
      ids.slice(3),
    )
  const { changes } = await listChanges(bench.service, account, {
    since: { at: times[2] ?? '' },
    limit: 100,
    filter: everything,
  })
  assert.equal(changes[0]?.sequence, 11)
  const keys = ids.map((id, place) => ({ accountId: account.account.id, id, sequence: place + 1 }))
  for (const some of [keys, keys.slice(0, 2), keys.slice(-2)])
    assert.equal((await readEventsOfAccounts(bench.service.pool, some)).length, some.length)
})

test('events that tell of a time long ago or far ahead are written, numbered and read as others', async () => {
  const account = await bench.newAccount()
  const ids = [
    await write(account, { at: '1999-01-01T00:00:00.000Z' }),
    await write(account, { at: '2999-01-01T00:00:00.000Z' }),
  ]
  await numberEvents(bench.service)
  assert.deepEqual(
    (await readAll(account)).map(({ id }) => id),
    ids,
  )
})

test('a process that dies between opening a part and entering it: events go on, and the next process enters it', async () => {
  const account = await bench.newAccount()
  await passMonth()
  await writeNumbered(account, 2)
  const month = now().slice(0, 7)
  while (now().slice(0, 7) === month) bench.clock.advance(dayMs)
  assert.equal(await inTransaction(bench.service.pool, (db) => openEventPart(db, now())), true)
  const between = await writeNumbered(account, 2)
  assert.equal(Object.keys(await placesOf(account)).length, 1, 'it was not entered')
  assert.deepEqual(
    (await readAll(account, 2)).map(({ id }) => id),
    between,
  )
  await tidyEvents(bench.service)
  await writeNumbered(account, 2)
  assert.equal(Object.keys(await placesOf(account)).length, 2)
  assert.deepEqual(
    (await readAll(account)).map(({ sequence }) => sequence),
    [1, 2, 3, 4, 5, 6],
  )
})

test('no part is opened while an event of the part before the last has no number', async () => {
  const account = await bench.newAccount()
  await write(account)
  await passMonth()
  const places = async () =>
    (await bench.service.pool.query('select starts from event_parts where opened_at is not null')).rowCount
  const before = await places()
  await passMonth()
  assert.equal(await places(), before)
  await numberEvents(bench.service)
  await tidyEvents(bench.service)
  assert.equal(await places(), (before ?? 0) + 1)
  assert.equal((await readAll(account)).length, 1)
})

test('retention drops months for all; who stands behind is told, who begins begins with what is kept, others notice nothing', async () => {
  const [old, young] = [await bench.newAccount(), await bench.newAccount()]
  await writeNumbered(old, 5)
  await passMonth()
  const kept = await writeNumbered(old, 4)
  const ofYoung = await writeNumbered(young, 3)
  bench.clock.advance(20 * dayMs)
  const service = keeping(20)
  assert.equal(await tidyEvents(bench.service), 0, 'for ever without a setting')
  assert.ok((await tidyEvents(service)) > 0)
  assert.deepEqual(
    (await readAll(old)).map(({ id }) => id),
    kept,
  )
  assert.deepEqual(
    (await readAll(old, 5)).map(({ sequence }) => sequence),
    [6, 7, 8, 9],
  )
  const isTold = (error: unknown) => {
    assert.ok(error instanceof ServiceError)
    assert.equal(error.code, 'invalid')
    assert.match(error.detail, /up to number 5 are no longer kept/)
    assert.deepEqual(error.meta, { last_sequence: 9, gone_sequence: 5 })
    return true
  }
  await assert.rejects(readAll(old, 4), isTold)
  await assert.rejects(checkPosition(bench.service, old, 1), isTold)
  await checkPosition(bench.service, old, 5)
  const { changes } = await listChanges(bench.service, old, {
    since: { at: addDays(now(), -300) },
    limit: 100,
    filter: everything,
  })
  assert.equal(changes[0]?.sequence, 6)
  for (const from of [0, 1])
    assert.deepEqual(
      (await readAll(young, from)).map(({ id }) => id),
      ofYoung.slice(from),
    )
  assert.deepEqual((await readAll(context)).length, 0)
  assert.equal((await writeNumbered(context, 1)).length, 1)
  assert.equal((await readAll(context))[0]?.sequence, 6, 'numbers go on')
})

test('a part with an event that is still to be delivered stays; a notification of a dropped one is not sent again', async () => {
  const account = await bench.newAccount()
  const { id: webhookId } = await subscribe(bench.service, account, { url: receiver.url })
  const deliver = () => deliverDue(bench.service, { render: renderPlain, random: () => 0.5 })
  status = 500
  await writeNumbered(account, 1)
  await deliver()
  const listed = () =>
    listNotifications(bench.service, account, {
      filter: { deliveryStatus: null, event: null, webhookId: null, createdAt: anyTime },
      order: '-created_at',
      page: { number: 1, size: 20 },
    })
  const [pending] = (await listed()).rows
  assert.equal(pending?.deliveryStatus, 'pending')
  const since = now()
  await passMonth()
  bench.clock.advance(21 * dayMs)
  const service = keeping(20)
  await tidyEvents(service)
  assert.equal((await readAll(account)).length, 1, 'it is awaited')
  status = 200
  assert.equal(await deliver(), 1)
  await tidyEvents(service)
  assert.equal((await readAll(account)).length, 0)
  assert.deepEqual((await listed()).rows, [])
  await assert.rejects(redeliver(bench.service, account, { id: pending?.id ?? '' }), /No such notification/)
  for (const mode of ['all', 'failed_only'] as const)
    await assert.rejects(
      recover(bench.service, account, { id: webhookId, since, until: null, mode }),
      /are no longer kept/,
    )
  assert.equal(await deliver(), 0)
})
