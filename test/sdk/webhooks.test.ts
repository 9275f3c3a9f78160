// The SDK reads webhooks: real deliveries of the service, and those that others signed or changed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Distrusted, type Notification, readNotification, type Trust } from '../../sdk/typescript/src/webhooks.ts'
import { openRenderer } from '../../src/api/notifications/notification-document.ts'
import { drainWorkers } from '../../src/server/workers.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openExpressApp } from '../support/foreign-receivers.ts'
import { giveAccess } from '../support/service.ts'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const other = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`
let api: TestApi

before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  await giveAccess(api, { scac: 'TEST', source: 'test', profile: {} })
})
after(() => api.close())

test('real deliveries are accepted, and included resources are nested under their relationship names', async (t) => {
  const receiver = await openExpressApp('X-Plain-Signature')
  t.after(() => receiver.close())
  const post = (url: string, type: string, attributes: Readonly<Record<string, unknown>>) =>
    api.call({ method: 'POST', url, body: { data: { type, attributes } } })
  const signature_header = 'X-Plain-Signature'
  const made = await post('/v2/webhooks', 'webhook', {
    url: receiver.url,
    active: true,
    events: ['*'],
    signature_header,
  })
  const own = String(made.one().attributes['secret'])
  receiver.trust(own)
  await post('/v2/tracking_requests', 'tracking_request', {
    request_type: 'bill_of_lading',
    request_number: 'TEST-TR-SUCCEEDED',
    scac: 'TEST',
  })
  await drainWorkers(api.service, { render: openRenderer(api.service) })
  const notifications: Notification[] = []
  for (const { headers, raw } of receiver.taken)
    notifications.push(await readNotification({ headers, body: raw }, { secret: own }))
  const created = notifications.find(({ event }) => event === 'container.created')
  assert.ok(created?.reference_object?.type === 'container_created_event')
  assert.match(created.reference_object.container?.number ?? '', /^[A-Z]{4}\d{7}$/)
  const moved = notifications.find(({ reference_object }) => reference_object?.type === 'transport_event')
  assert.ok(moved?.reference_object?.type === 'transport_event')
  assert.equal(moved.reference_object.event, moved.event)
  assert.doesNotThrow(() => JSON.stringify(notifications))
})

async function example(event = 'container.transport.vessel_arrived'): Promise<string> {
  return (await api.call({ url: `/v2/webhook_notifications/examples?event=${event}` })).text
}

/** Signed by a third-party library. */
function sign(body: string, { by = secret, at = new Date() } = {}): Record<string, string> {
  return {
    'Webhook-Id': 'msg',
    'Webhook-Timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'Webhook-Signature': `v1a,unknown v1,AAAA ${new Webhook(by).sign('msg', at, body)}`,
  }
}

test('bytes, text, Headers and plain objects are read alike, with any of several secrets', async () => {
  const body = await example()
  const headers = sign(body)
  for (const given of [body, new TextEncoder().encode(body)])
    for (const form of [headers, new Headers(headers)]) {
      const { event, sentAt } = await readNotification({ headers: form, body: given }, { secret: [other, secret] })
      assert.equal(event, 'container.transport.vessel_arrived')
      assert.ok(Math.abs(sentAt.getTime() - Date.now()) < 60_000)
    }
})

test('a changed byte, another secret, an old or future delivery, missing headers and other bodies are refused', async () => {
  const body = await example()
  const refuse = (headers: Record<string, string>, text: string, trust: Trust = { secret }) =>
    readNotification({ headers, body: text }, trust).then(
      () => 'trusted',
      (error: unknown) => (error instanceof Distrusted ? error.reason : error),
    )
  const hourAgo = new Date(Date.now() - 3_600_000)
  assert.equal(await refuse(sign(body), body.replace('v', 'w')), 'signature_wrong')
  assert.equal(await refuse(sign(body), body, { secret: other }), 'signature_wrong')
  assert.equal(await refuse({ ...sign(body), 'Webhook-Signature': 'v1,%%% v1' }, body), 'signature_wrong')
  assert.equal(await refuse(sign(body, { at: hourAgo }), body), 'too_old')
  assert.equal(await refuse(sign(body), body, { secret, now: hourAgo }), 'too_new')
  assert.equal(await refuse({ ...sign(body), 'Webhook-Timestamp': 'soon' }, body), 'too_old')
  assert.equal(await refuse({ 'Webhook-Id': 'msg' }, body), 'headers_missing')
  assert.equal(await refuse(sign('{"data":null}'), '{"data":null}'), 'not_a_notification')
  assert.equal(await refuse(sign('hello'), 'hello'), 'not_a_notification')
  await assert.rejects(readNotification({ headers: sign(body), body }, { secret: '' }), TypeError)
})
