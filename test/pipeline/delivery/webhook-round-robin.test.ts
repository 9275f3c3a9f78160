import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  CheckedWebhooks,
  LeasedNotification,
  WebhookKey,
} from '../../../src/pipeline/delivery/due-notifications-sql.ts'
import { openRoundRobin, type WebhookBatch } from '../../../src/pipeline/delivery/webhook-round-robin.ts'

const limits = { perWebhookMax: 8, perFailingWebhookMax: 2 }

function open(underWay = new Map<string, number>()) {
  const turns = openRoundRobin({ ...limits, underWay })
  return { turns, underWay }
}

const webhook = (name: string): WebhookKey => ({ accountId: `account of ${name}`, webhookId: name })

/** This many leased notifications of this webhook. */
function taken(count: number, webhookId: string, failingSince: string | null = null) {
  return Array.from({ length: count }, () => ({ webhookId, failingSince }) as LeasedNotification)
}

function names(turns: readonly WebhookBatch[]): readonly string[] {
  return turns.flatMap(({ webhooks }) => webhooks.map(({ webhookId }) => webhookId))
}

test('serves webhooks in the order in which they were found, as far as capacity allows', () => {
  const { turns } = open()
  for (const name of ['c', 'a', 'b']) turns.add(webhook(name))
  assert.deepEqual(names(turns.next(16)), ['a', 'c'])
  assert.deepEqual(names(turns.next(1)), ['b'])
  assert.deepEqual(turns.next(16), [])
})

test('a batch of notifications contains webhooks of one account only', () => {
  const { turns } = open()
  for (const [accountId, webhookId] of [
    ['one', 'a'],
    ['two', 'b'],
    ['one', 'c'],
  ] as const)
    turns.add({ accountId, webhookId })
  assert.deepEqual(
    turns.next(24).map(({ accountId, webhooks }) => [accountId, webhooks.map(({ webhookId }) => webhookId)]),
    [
      ['one', ['a', 'c']],
      ['two', ['b']],
    ],
  )
})

test('serves a webhook at its limit of concurrent attempts again as soon as one attempt ends', () => {
  const { turns, underWay } = open()
  turns.add(webhook('a'))
  const [turn] = turns.next(100)
  assert.ok(turn)
  turns.recordBatchEnd(turn, taken(8, 'a'), 100)
  underWay.set('a', 8)
  assert.deepEqual(turns.next(100), [])
  underWay.set('a', 7)
  turns.releaseCapacity(webhook('a'))
  assert.deepEqual(turns.next(100), [{ accountId: 'account of a', webhooks: [{ webhookId: 'a', underWay: 7 }] }])
})

test('does not serve a webhook again if its last batch contained all its due notifications', () => {
  const { turns, underWay } = open()
  turns.add(webhook('a'))
  const [turn] = turns.next(100)
  assert.ok(turn)
  turns.recordBatchEnd(turn, taken(3, 'a'), 100)
  underWay.set('a', 2)
  turns.releaseCapacity(webhook('a'))
  assert.deepEqual(turns.next(100), [])
})

test('limits a failing webhook to two attempts and serves it again when one has ended', () => {
  const { turns, underWay } = open()
  turns.add(webhook('a'))
  const [turn] = turns.next(100)
  assert.ok(turn)
  turns.recordBatchEnd(turn, taken(2, 'a', '2026-01-01T00:00:00.000Z'), 100)
  underWay.set('a', 2)
  turns.add(webhook('a'), true)
  assert.deepEqual(turns.next(100), [])
  turns.add(webhook('a'))
  const [again] = turns.next(100)
  assert.ok(again)
  turns.recordBatchEnd(again, [], 100)
  assert.deepEqual(turns.next(100), [])
  underWay.set('a', 1)
  turns.releaseCapacity(webhook('a'))
  assert.deepEqual(names(turns.next(100)), ['a'])
})

test('serves a webhook again at once if an attempt ended while its batch was leased', () => {
  const { turns, underWay } = open(new Map([['a', 6]]))
  turns.add(webhook('a'))
  const [turn] = turns.next(100)
  assert.ok(turn)
  underWay.set('a', 5)
  turns.releaseCapacity(webhook('a'))
  turns.recordBatchEnd(turn, taken(2, 'a'), 100)
  underWay.set('a', 7)
  assert.deepEqual(names(turns.next(100)), ['a'])
})

test('a webhook whose batch is cut short for lack of capacity goes to the end of the queue', () => {
  const { turns } = open()
  turns.add({ accountId: 'one', webhookId: 'a' })
  turns.add({ accountId: 'one', webhookId: 'b' })
  const [turn] = turns.next(9)
  assert.ok(turn)
  turns.add({ accountId: 'two', webhookId: 'c' })
  turns.recordBatchEnd(turn, [...taken(8, 'a'), ...taken(1, 'b')], 9)
  assert.deepEqual(names(turns.next(8)), ['c'])
  assert.deepEqual(names(turns.next(8)), ['b'])
})

test('the search for due webhooks goes through all webhooks page by page', async () => {
  const { turns } = open()
  const looks: string[] = []
  const look = async ({ webhookId }: WebhookKey): Promise<CheckedWebhooks> => {
    looks.push(webhookId)
    return { due: [], last: looks.length < 3 ? webhook(`after ${looks.length}`) : null }
  }
  await turns.search(look)
  turns.searchAll()
  for (let each = 0; each < 5; each += 1) await turns.search(look)
  assert.deepEqual(looks, ['00000000-0000-0000-0000-000000000000', 'after 1', 'after 2'])
})

test('a failed search for due webhooks continues at the page where it failed', async () => {
  const { turns } = open()
  turns.searchAll()
  await assert.rejects(turns.search(() => Promise.reject(new Error('gone'))))
  assert.ok(turns.isSearching())
  await turns.search(async () => ({ due: [{ ...webhook('a'), isFailing: false }], last: null }))
  assert.ok(!turns.isSearching())
  assert.deepEqual(names(turns.next(8)), ['a'])
})
