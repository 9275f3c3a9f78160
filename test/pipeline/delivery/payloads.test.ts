import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NotificationToRender, RenderNotification } from '../../../src/pipeline/delivery/payloads.ts'
import { cleanUp } from '../../../src/pipeline/delivery/prune-deliveries.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import {
  announce,
  arrived,
  notificationRows,
  type Receiver,
  subscribe,
  useBench,
  uuid,
} from '../../support/webhooks-harness.ts'

const { bench, context, receive } = useBench()

/** A document that names both ids, with a text. */
const render =
  (text = ''): RenderNotification =>
  async ({ id, webhookId, sequence }) =>
    Buffer.from(JSON.stringify({ data: { id, webhookId, text, attributes: { sequence } } }))

const deliver = (by: RenderNotification = render()) => deliverDue(bench().service, { render: by, random: () => 0.5 })

async function readStored(): Promise<readonly { readonly variant: string; readonly body: Buffer }[]> {
  const { rows } = await bench().service.pool.query<{ variant: string; body: Buffer }>(
    'select variant, body from webhook_payloads order by variant',
  )
  return rows
}

interface Document {
  readonly data: { readonly id: string; readonly webhookId: string; readonly text: string }
}

const documentsOf = ({ received }: Receiver): readonly Document['data'][] =>
  received.map(({ body }) => (JSON.parse(body.toString()) as Document).data)

test('webhooks of an event share one payload, and each receives it with its own ids', async () => {
  const receiver = await receive()
  const webhooks = [1, 2, 3].map(() => subscribe(bench().service, context(), { url: receiver.url }))
  await Promise.all(webhooks)
  await announce(bench().service, context(), [arrived])
  const rendered: NotificationToRender[] = []
  await deliver((notification) => {
    rendered.push(notification)
    return render()(notification)
  })
  assert.equal(rendered.length, 1)
  assert.equal((await readStored()).length, 1)
  const rows = await notificationRows(bench().service)
  assert.deepEqual(
    documentsOf(receiver)
      .map(({ id, webhookId }) => [id, webhookId])
      .toSorted(),
    rows.map(({ id, webhook_id }) => [id, webhook_id]).toSorted(),
  )
})

test('a text with control characters and the ids of another webhook is sent as it is', async () => {
  const receiver = await receive()
  const { id } = await subscribe(bench().service, context(), { url: receiver.url })
  await subscribe(bench().service, context(), { url: receiver.url })
  await announce(bench().service, context(), [arrived])
  const text = `\u0001 \u0002 \\u0001 ${id}`
  await deliver(render(text))
  assert.deepEqual(
    documentsOf(receiver).map((each) => each.text),
    [text, text],
  )
})

test('a retry sends the bytes of the first attempt, though a new document would differ', async () => {
  const receiver = await receive((_, response, count) => void response.writeHead(count > 1 ? 200 : 500).end())
  await subscribe(bench().service, context(), { url: receiver.url })
  await announce(bench().service, context(), [arrived])
  await deliver(render('first'))
  bench().clock.advance(600_000)
  await deliver(render('second'))
  const [first, again] = receiver.received
  assert.equal(receiver.received.length, 2)
  assert.deepEqual(again?.body, first?.body)
})

test('of two processes that write a payload at the same time, both send what the first has stored', async () => {
  const receiver = await receive()
  for (const _ of [1, 2]) await subscribe(bench().service, context(), { url: receiver.url })
  await announce(bench().service, context(), [arrived])
  const { promise: isStored, resolve } = Promise.withResolvers<void>()
  // Each of two processes has one of the notifications: the second is leased when the first process has leased one.
  const slow = deliverDue(bench().service, {
    attemptsAtOnceMax: 1,
    render: async (notification) => {
      if (receiver.received.length === 0) await isStored
      return render('late')(notification)
    },
  })
  await bench().service.pool.query('select pg_sleep(0.1)')
  await deliver(render('early'))
  resolve()
  await slow
  assert.deepEqual(
    documentsOf(receiver).map(({ text }) => text),
    ['early', 'early'],
  )
})

test('bytes that a process of an earlier version has stored with the notification are sent', async () => {
  const receiver = await receive()
  await subscribe(bench().service, context(), { url: receiver.url })
  await announce(bench().service, context(), [arrived])
  const earlier = '{"data":{"id":"x","attributes":{"sequence":1}}}'
  await bench().service.pool.query('update webhook_notifications set body = $1', [Buffer.from(earlier)])
  await deliver()
  assert.equal(receiver.received[0]?.body.toString(), earlier)
  assert.deepEqual(await readStored(), [])
})

test('nothing is sent when the lease would end during the attempt', async () => {
  const receiver = await receive()
  await subscribe(bench().service, context(), { url: receiver.url })
  await announce(bench().service, context(), [arrived])
  const sent = await deliver((notification) => {
    bench().clock.advance(46_000)
    return render()(notification)
  })
  assert.equal(sent, 0)
  assert.equal(receiver.received.length, 0)
  const [row] = await notificationRows(bench().service)
  assert.deepEqual([row?.delivery_status, row?.attempts], ['pending', 0])
  bench().clock.advance(120_000)
  assert.equal(await deliver(render('second')), 1)
  assert.deepEqual(
    documentsOf(receiver).map(({ text }) => text),
    [''],
    'what was stored is sent',
  )
})

test('payloads are deleted after thirty days, except of an event that is still to be delivered', async () => {
  const receiver = await receive((_, response, count) => void response.writeHead(count > 1 ? 500 : 200).end())
  await subscribe(bench().service, context(), { url: receiver.url })
  await announce(bench().service, context(), [arrived])
  await deliver()
  await announce(bench().service, context(), [arrived], uuid())
  await deliver()
  assert.equal((await readStored()).length, 2)
  await bench().service.pool.query(`update webhook_payloads set stored_at = stored_at - interval '31 days'`)
  assert.equal(await cleanUp(bench().service), 1)
  const [pending, ...others] = (await notificationRows(bench().service)).filter(
    ({ delivery_status }) => delivery_status === 'pending',
  )
  assert.equal(others.length, 0)
  const { rows } = await bench().service.pool.query('select event_id from webhook_payloads')
  assert.deepEqual(rows, [{ event_id: pending?.event_id }])
})
