// Storing a message, matching it, using it and joining shipments are one transaction each: a process may end after any
// of them, and two processes may work on it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { createChannel, getChannel } from '../../../src/modules/channels/channels.ts'
import type { Service } from '../../../src/modules/service.ts'
import { requestTracking } from '../../../src/modules/tracking-requests/request-tracking.ts'
import { ingestDelivery } from '../../../src/pipeline/ingestion/ingest-delivery.ts'
import { matchMentions, matchWaitingMentions } from '../../../src/pipeline/ingestion/match-mentions.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { leaseTaskSet, workTasks } from '../../../src/pipeline/polling/work-tasks.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'
import { giveAccess, openTestService, type TestService, testSecret } from '../../support/service.ts'
import { journey, unknown } from '../../support/tracking-harness.ts'

const startMs = Date.parse('2026-02-01T00:00:00Z')

interface Lives {
  readonly account: Context
  readonly carrier: Carrier
  readonly database: TestDatabase
  /** A process that starts, does this and ends; by default a minute after the last one. */
  readonly live: <Value>(work: (life: TestService) => Promise<Value>, afterMs?: number) => Promise<Value>
  readonly begin: () => Promise<TestService>
}

async function openLives(t: TestContext): Promise<Lives> {
  const database = await openTestDatabase()
  const carrier = await openCarrier()
  carrier.answers(unknown)
  t.after(async () => {
    await carrier.close()
    await database.close()
  })
  let nowMs = startMs
  const begin = () =>
    openTestService({
      startAt: new Date(nowMs).toISOString(),
      on: { database: { ...database, close: async () => {} }, secret: testSecret },
    })
  const live: Lives['live'] = async (work, afterMs = 60_000) => {
    nowMs += afterMs
    const life = await begin()
    try {
      return await work(life)
    } finally {
      await life.close()
    }
  }
  const account = await live(async (life) => {
    await giveAccess(life, { scac: 'HLCU', profile: carrier.profile('HLCU') })
    const context = await life.newAccount()
    await createChannel(life.service, {
      name: 'line',
      account: { id: context.account.id, isSandbox: false },
      speaker: { kind: 'shipping_line', code: 'HLCU' },
      source: 'dcsa',
      profile: { scac: 'HLCU' },
      isFirstHand: true,
      keyKind: 'bearer',
    })
    return context
  })
  return { account, carrier, database, live, begin }
}

const billOf = (index: number) => `HLCUSHA2602${String(index).padStart(5, '0')}`
const boxOf = (index: number) => {
  const number = `LDFU${200_000 + index}`
  return `${number}${containerCheckDigit(number)}`
}

/** Each bill's events have ids of their own. */
function message(index: number): Buffer {
  const events = journey(billOf(index), 'discharged', [boxOf(index)]).map((event) => ({
    ...event,
    eventID: String(event['eventID']).replace('0000-4000', `${String(index).padStart(4, '0')}-4000`),
  }))
  return Buffer.from(JSON.stringify(events))
}

async function send(service: Service, index: number): Promise<number> {
  const body = message(index)
  const channel = await getChannel(service, 'line')
  return (await ingestDelivery(service, channel, { body, contentType: null, idempotencyKey: null })).items.length
}

async function track(service: Service, account: Context, index: number): Promise<number> {
  const number = billOf(index)
  const input = { requestType: 'bill_of_lading', requestNumber: number, scac: 'HLCU' } as const
  await requestTracking(service, account, { ...input, refNumbers: [], shipmentTags: [] })
  return 1
}

const steps = {
  match: matchMentions,
  join: matchWaitingMentions,
  hear: async (service: Service) => {
    const works = await workTasks(service, foldBy(readRules(service.config)), 1)
    await Promise.all(works)
    return works.length
  },
} as const
type Step = keyof typeof steps

/** Each step first, second and last. */
const orders: readonly (readonly Step[])[] = [
  ['match', 'join', 'hear'],
  ['join', 'hear', 'match'],
  ['hear', 'match', 'join'],
]

/** Everything that was sent was used once, and nothing waits. */
async function assertIngested({ database, account }: Lives, count: number): Promise<void> {
  const rows = async (text: string) => (await database.pool.query<Record<string, unknown>>(text)).rows
  assert.deepEqual(await rows('select 1 from mentions where matched_at is null'), [])
  assert.deepEqual(await rows('select 1 from joins'), [])
  assert.deepEqual(await rows('select 1 from tasks'), [])
  const [{ mentions, hearings, entries, shipments } = {}] = await rows(
    `select (select count(*)::int from mentions) as mentions, (select count(*)::int from hearings) as hearings,
            (select count(*)::int from ledger where kind = 'heard') as entries, (select count(*)::int from shipments) as shipments`,
  )
  assert.deepEqual({ hearings, entries, shipments }, { hearings: mentions, entries: mentions, shipments: count })
  const counts = await database.pool.query<{ name: string; times: number }>(
    `select name, count(*)::int as times from events where account_id = $1 and name like 'container.transport.%' group by name`,
    [account.account.id],
  )
  const names = ['empty_out', 'full_in', 'vessel_loaded', 'vessel_departed', 'vessel_arrived', 'vessel_discharged']
  assert.deepEqual(
    counts.rows.map(({ name, times }) => `${name} ${times}`).toSorted(),
    names.map((name) => `container.transport.${name} ${count}`).toSorted(),
  )
}

test('a message and its request are used exactly once although the process ends after any step', async (t) => {
  const lives = await openLives(t)
  let index = 0
  for (const order of orders)
    for (const isSentFirst of [true, false]) {
      index += 1
      const begins = [
        (life: TestService) => send(life.service, index),
        (life: TestService) => track(life.service, lives.account, index),
      ]
      // One step of the work is between the two, so that each is reached at a different moment.
      for (const [place, begun] of (isSentFirst ? begins : begins.toReversed()).entries()) {
        await lives.live(begun)
        if (place === 0) await lives.live(({ service }) => steps[order[0] ?? 'match'](service))
      }
      for (let worked = 1; worked > 0; ) {
        worked = 0
        for (const step of order) worked += await lives.live(({ service }) => steps[step](service))
      }
    }
  await assertIngested(lives, index)
  await lives.live(({ drain }) => drain())
  await assertIngested(lives, index)
})

test('takes over the work of a process that ended, and uses the message once', async (t) => {
  const lives = await openLives(t)
  await lives.live(({ service }) => track(service, lives.account, 1))
  await lives.live(({ service }) => send(service, 1))
  await lives.live(({ service }) => matchMentions(service))
  const taken = await lives.live(({ service }) => leaseTaskSet(service))
  assert.ok((taken?.tasks.length ?? 0) > 0)
  assert.equal(await lives.live(({ service }) => steps.hear(service), 1_000), 0, 'it is held')
  for (let worked = 1; worked > 0; ) {
    worked = 0
    for (const step of orders[0] ?? []) worked += await lives.live(({ service }) => steps[step](service), 600_000)
  }
  await assertIngested(lives, 1)
})

test('two concurrent processes over twenty messages and their requests use each message once', async (t) => {
  const lives = await openLives(t)
  const workers = [await lives.begin(), await lives.begin()]
  try {
    const [one, other] = workers as [TestService, TestService]
    await Promise.all([
      ...Array.from({ length: 20 }, (_, index) => [
        send(index % 2 === 0 ? one.service : other.service, index),
        track(index % 3 === 0 ? one.service : other.service, lives.account, index),
      ]).flat(),
      one.drain(),
      other.drain(),
    ])
    await Promise.all(workers.map(({ drain }) => drain()))
    await one.drain()
    await assertIngested(lives, 20)
  } finally {
    for (const worker of workers) await worker.close()
  }
})
