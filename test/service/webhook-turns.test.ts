import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurns, type Turn } from '../../src/service/telling/webhooks/webhook-turns.ts'
import type {
  LeasedNotification,
  WebhookKey,
  WebhooksSeen,
} from '../../src/store/telling/due-notifications.ts'

const limits = { perWebhookMax: 8, perFailingWebhookMax: 2 }

function open(underWay = new Map<string, number>()) {
  const turns = openTurns({ ...limits, underWay })
  return { turns, underWay }
}

const webhook = (name: string): WebhookKey => ({ accountId: `account of ${name}`, webhookId: name })

/** As many as were taken of this webhook. */
function taken(count: number, webhookId: string, failingSince: string | null = null) {
  return Array.from({ length: count }, () => ({ webhookId, failingSince }) as LeasedNotification)
}

function names(turns: readonly Turn[]): readonly string[] {
  return turns.flatMap(({ webhooks }) => webhooks.map(({ webhookId }) => webhookId))
}

test('webhooks have their turns in the order in which they were found, as far as there is room', () => {
  const { turns } = open()
  for (const name of ['c', 'a', 'b']) turns.add(webhook(name))
  assert.deepEqual(names(turns.next(16)), ['a', 'c'])
  assert.deepEqual(names(turns.next(1)), ['b'])
  assert.deepEqual(turns.next(16), [])
})

test('webhooks of one account are taken together, and never with those of another', () => {
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

test('a webhook without room has its next turn when an attempt has ended', () => {
  const { turns, underWay } = open()
  turns.add(webhook('a'))
  const [turn] = turns.next(100)
  assert.ok(turn)
  turns.ended(turn, taken(8, 'a'), 100)
  underWay.set('a', 8)
  assert.deepEqual(turns.next(100), [])
  underWay.set('a', 7)
  turns.hasRoom(webhook('a'))
  assert.deepEqual(turns.next(100), [
    { accountId: 'account of a', webhooks: [{ webhookId: 'a', underWay: 7 }] },
  ])
})

test('a webhook at which less was due than it had room for has no other turn', () => {
  const { turns, underWay } = open()
  turns.add(webhook('a'))
  const [turn] = turns.next(100)
  assert.ok(turn)
  turns.ended(turn, taken(3, 'a'), 100)
  underWay.set('a', 2)
  turns.hasRoom(webhook('a'))
  assert.deepEqual(turns.next(100), [])
})

test('a failing webhook is full with two attempts, and has a turn when one of them has ended', () => {
  const { turns, underWay } = open()
  turns.add(webhook('a'))
  const [turn] = turns.next(100)
  assert.ok(turn)
  turns.ended(turn, taken(2, 'a', '2026-01-01T00:00:00.000Z'), 100)
  underWay.set('a', 2)
  turns.add(webhook('a'), true)
  assert.deepEqual(turns.next(100), [])
  turns.add(webhook('a'))
  const [again] = turns.next(100)
  assert.ok(again)
  turns.ended(again, [], 100)
  assert.deepEqual(turns.next(100), [])
  underWay.set('a', 1)
  turns.hasRoom(webhook('a'))
  assert.deepEqual(names(turns.next(100)), ['a'])
})

test('where an attempt ended while its webhook was asked, the webhook has another turn at once', () => {
  const { turns, underWay } = open(new Map([['a', 6]]))
  turns.add(webhook('a'))
  const [turn] = turns.next(100)
  assert.ok(turn)
  underWay.set('a', 5)
  turns.hasRoom(webhook('a'))
  turns.ended(turn, taken(2, 'a'), 100)
  underWay.set('a', 7)
  assert.deepEqual(names(turns.next(100)), ['a'])
})

test('those that were cut off because there was no more room have their turns after the others', () => {
  const { turns } = open()
  turns.add({ accountId: 'one', webhookId: 'a' })
  turns.add({ accountId: 'one', webhookId: 'b' })
  const [turn] = turns.next(9)
  assert.ok(turn)
  turns.add({ accountId: 'two', webhookId: 'c' })
  turns.ended(turn, [...taken(8, 'a'), ...taken(1, 'b')], 9)
  assert.deepEqual(names(turns.next(8)), ['c'])
  assert.deepEqual(names(turns.next(8)), ['b'])
})

test('a search goes through all webhooks, some at a time', async () => {
  const { turns } = open()
  const looks: string[] = []
  const look = async ({ webhookId }: WebhookKey): Promise<WebhooksSeen> => {
    looks.push(webhookId)
    return { due: [], last: looks.length < 3 ? webhook(`after ${looks.length}`) : null }
  }
  await turns.search(look)
  turns.searchAll()
  for (let each = 0; each < 5; each += 1) await turns.search(look)
  assert.deepEqual(looks, ['00000000-0000-0000-0000-000000000000', 'after 1', 'after 2'])
})

test('a search that fails goes on where it failed', async () => {
  const { turns } = open()
  turns.searchAll()
  await assert.rejects(turns.search(() => Promise.reject(new Error('gone'))))
  assert.ok(turns.isSearching())
  await turns.search(async () => ({ due: [{ ...webhook('a'), isFailing: false }], last: null }))
  assert.ok(!turns.isSearching())
  assert.deepEqual(names(turns.next(8)), ['a'])
})
