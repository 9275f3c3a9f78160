import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Context } from '../../../src/modules/access/context.ts'
import { recoverNotifications } from '../../../src/modules/webhooks/recover-notifications.ts'
import { redeliverNotification } from '../../../src/modules/webhooks/redeliver-notification.ts'
import { rotateSecret } from '../../../src/modules/webhooks/rotate-secret.ts'
import { updateWebhook } from '../../../src/modules/webhooks/update-webhook.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { numberEvents } from '../../../src/pipeline/event-sequence/number-events.ts'
import type { TestService } from '../../support/service.ts'
import {
  announce,
  arrived,
  attemptRows,
  notificationRows,
  openBench,
  openReceiver,
  renderPlain,
  subscribe,
  uuid,
  writeEvents,
} from '../../support/webhooks-harness.ts'

let bench: TestService
let context: Context
before(async () => {
  bench = await openBench()
  context = await bench.newAccount()
})
after(() => bench.close())

const deliver = () => deliverDue(bench.service, { render: renderPlain, random: () => 0.5 })
const always = { since: '2020-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' }

test('each event arrives once under its own id while recovery, numbering and delivery run concurrently', async () => {
  const receiver = await openReceiver()
  const shipments = Array.from({ length: 5 }, () => uuid())
  const write = async () =>
    (
      await Promise.all(
        shipments.map((shipmentId) =>
          writeEvents(bench.service, context, { shipmentId, names: [arrived, arrived, arrived] }),
        ),
      )
    ).flat()
  const missed = [...(await write()), ...(await write())]
  await numberEvents(bench.service)
  const { id } = await subscribe(bench.service, context, { url: receiver.url })
  try {
    const written: string[] = []
    for (let round = 0; round < 6; round += 1) {
      written.push(...(await write()))
      const [, first, second] = await Promise.all([
        numberEvents(bench.service),
        recoverNotifications(bench.service, context, { id, ...always, mode: 'all' }),
        recoverNotifications(bench.service, context, { id, ...always, mode: 'all' }),
        deliver(),
        deliver(),
      ])
      if (round > 0) assert.deepEqual([first?.recovered, second?.recovered].filter(Boolean), [])
    }
    await deliver()
    const rows = await notificationRows(bench.service)
    assert.deepEqual(rows.map(({ event_id }) => event_id).toSorted(), [...missed, ...written].toSorted())
    assert.deepEqual(receiver.received.map((each) => each.id).toSorted(), rows.map((row) => row.id).toSorted())
    assert.ok(rows.every((row) => row.delivery_status === 'succeeded'))
  } finally {
    await receiver.close()
  }
})

test('a retry requested during a delivery attempt does not change that attempt', async () => {
  await bench.service.pool.query('delete from webhooks')
  const answering = Promise.withResolvers<void>()
  const arrivedThere = Promise.withResolvers<void>()
  const receiver = await openReceiver(async (_, response) => {
    arrivedThere.resolve()
    await answering.promise
    response.end()
  })
  try {
    await subscribe(bench.service, context, { url: receiver.url })
    await announce(bench.service, context, [arrived])
    const delivering = deliver()
    await arrivedThere.promise
    const [row] = await notificationRows(bench.service)
    await redeliverNotification(bench.service, context, { id: row?.id ?? '' })
    assert.deepEqual(await notificationRows(bench.service), [row])
    answering.resolve()
    await delivering
    assert.equal((await attemptRows(bench.service, row?.id ?? '')).length, 1)
    assert.equal(receiver.received.length, 1)
  } finally {
    await receiver.close()
  }
})

test('does not retry for a webhook that is disabled while an attempt is in progress', async () => {
  await bench.service.pool.query('delete from webhooks')
  const answering = Promise.withResolvers<void>()
  const arrivedThere = Promise.withResolvers<void>()
  const receiver = await openReceiver(async (_, response) => {
    arrivedThere.resolve()
    await answering.promise
    response.writeHead(500).end()
  })
  try {
    const { id } = await subscribe(bench.service, context, { url: receiver.url })
    await announce(bench.service, context, [arrived, arrived])
    const delivering = deliver()
    await arrivedThere.promise
    await updateWebhook(bench.service, context, { id, isActive: false })
    answering.resolve()
    await delivering
    bench.clock.advance(86_400_000)
    await deliver()
    assert.equal(receiver.received.length, 1)
    assert.deepEqual(
      (await notificationRows(bench.service)).map(({ delivery_status }) => delivery_status),
      ['failed', 'failed'],
    )
  } finally {
    bench.clock.set(Date.now())
    await receiver.close()
  }
})

test('after a secret rotation, the old secret remains valid for one day', async () => {
  await bench.service.pool.query('delete from webhooks')
  const receiver = await openReceiver()
  try {
    const made = await subscribe(bench.service, context, { url: receiver.url })
    bench.clock.advance(1_000)
    const rotated = await rotateSecret(bench.service, context, { id: made.id })
    const signaturesOf = async () => {
      await announce(bench.service, context, [arrived])
      await deliver()
      const got = receiver.received.at(-1)
      assert.ok(got)
      const signedAt = new Date(Number(got.headers['webhook-timestamp']) * 1_000)
      const of = (secret: string) => new Webhook(secret).sign(got.id, signedAt, got.body.toString())
      const given = String(got.headers['webhook-signature']).split(' ')
      return { old: given.includes(of(made.secret)), fresh: given.includes(of(rotated.secret)), got }
    }
    const during = await signaturesOf()
    assert.deepEqual([during.old, during.fresh], [true, true])
    assert.notEqual(during.got.headers['x-landfall-signature-next'], undefined)
    bench.clock.advance(86_400_000)
    const later = await signaturesOf()
    assert.deepEqual([later.old, later.fresh], [false, true])
    assert.equal(later.got.headers['x-landfall-signature-next'], undefined)
  } finally {
    await receiver.close()
  }
})
