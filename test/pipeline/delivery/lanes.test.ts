import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventName } from '../../../src/domain/changes/event-table.ts'
import { leaseNotifications } from '../../../src/pipeline/delivery/due-notifications-sql.ts'
import { type LeasedDelivery, newLease } from '../../../src/pipeline/delivery/leases.ts'
import { openRecorder } from '../../../src/pipeline/delivery/record-attempt.ts'
import { deliverDue, startDeliveries } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { eventually } from '../../support/eventually.ts'
import {
  announce,
  arrived,
  notificationRows,
  renderPlain,
  subscribe,
  useBench,
} from '../../support/webhooks-harness.ts'

const { bench, context, receive } = useBench()

const deliver = () => deliverDue(bench().service, { render: renderPlain, random: () => 0.5 })
const events = (count: number): EventName[] => Array.from({ length: count }, () => arrived)

test('forty events of a shipment are sent one after the other, each once', async () => {
  let underWay = 0
  let most = 0
  const receiver = await receive((_, response) => {
    underWay += 1
    most = Math.max(most, underWay)
    setTimeout(() => {
      underWay -= 1
      response.end()
    }, 2)
  })
  await subscribe(bench().service, context(), { url: receiver.url })
  await announce(bench().service, context(), events(40))
  assert.equal(await deliver(), 40)
  assert.equal(most, 1)
  assert.deepEqual(
    receiver.received.map(({ sequence }) => sequence),
    Array.from({ length: 40 }, (_, place) => place + 1),
  )
})

test('after a failed attempt the next of the lane is sent, and the retry does not begin it a second time', async () => {
  const receiver = await receive((_, response, count) => void response.writeHead(count === 1 ? 500 : 200).end())
  await subscribe(bench().service, context(), { url: receiver.url })
  await announce(bench().service, context(), events(3))
  await deliver()
  bench().clock.advance(600_000)
  await deliver()
  assert.deepEqual(
    receiver.received.map(({ sequence }) => sequence),
    [1, 2, 3, 1],
  )
})

test('stopped deliveries leave the rest of a lane due, so that another process sends it at once', async () => {
  const release = Promise.withResolvers<void>()
  const receiver = await receive(async (_, response, count) => {
    if (count === 1) await release.promise
    response.end()
  })
  await subscribe(bench().service, context(), { url: receiver.url })
  await announce(bench().service, context(), events(3))
  const deliveries = startDeliveries(bench().service, { render: renderPlain })
  await eventually(() => receiver.received.length === 1)
  const stopped = deliveries.stop()
  release.resolve()
  await stopped
  assert.equal(receiver.received.length, 1)
  assert.equal(await deliver(), 2)
})

test('the next of a lane is begun once when two attempts of the lane are recorded together, or one is recorded twice', async () => {
  const { service } = bench()
  const { id: webhookId } = await subscribe(service, context(), { url: 'https://example.com' })
  await announce(service, context(), events(3))
  const lease = newLease(service)
  const [notification] = await leaseNotifications(service.pool, {
    ...lease,
    accountId: context().account.id,
    limit: 8,
    webhooks: [{ webhookId, underWay: 0 }],
    perWebhookMax: 8,
    perFailingWebhookMax: 2,
    floor: '2000-01-01T00:00:00.000Z',
  })
  assert.ok(notification)
  const begun: LeasedDelivery[] = []
  const record = openRecorder(service, {
    released: () => {},
    leased: (next) => {
      begun.push(next)
    },
  })
  const ended = () => ({
    notification,
    token: lease.token,
    outcome: {
      kind: 'succeeded' as const,
      statusCode: 200,
      error: null,
      address: null,
      durationMs: 1,
      responseBody: null,
      retryAfterMs: null,
    },
    startedAt: lease.now,
    isOurs: false,
    random: 0.5,
    followed: 0,
    next: newLease(service),
  })
  const first = ended()
  await Promise.all([record(first), record(ended())])
  assert.deepEqual(
    begun.map(({ notification: next }) => next.sequence),
    [2],
  )
  await record({ ...first, next: { ...lease, token: begun[0]?.token ?? '' } })
  assert.deepEqual(
    begun.map(({ notification: next, token }) => [next.sequence, token]),
    [
      [2, begun[0]?.token],
      [2, begun[0]?.token],
    ],
    'the confirmation of the first record was lost',
  )
  const rows = await notificationRows(service)
  assert.deepEqual(
    rows.map(({ attempts, next_attempt_at: due }) => [attempts, due !== null]),
    [
      [1, false],
      [0, true],
      [0, false],
    ],
  )
})
