import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openRenderer } from '../../src/doors/webhooks/notification-document.ts'
import { drainWorkers } from '../../src/service/workers.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type ForeignReceiver, openExpressApp, openStrictProxy } from '../support/foreign-receivers.ts'
import { giveAccess } from '../support/service.ts'

const header = 'X-Landfall-Signature'

let api: TestApi
let key: string
let receiver: ForeignReceiver
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  await giveAccess(api, { scac: 'TEST', source: 'test', profile: {} })
})
after(() => api.close())
beforeEach(async () => {
  key = await api.newKey(await api.newAccount(), ['read', 'write'])
  receiver = await openExpressApp(header)
})
afterEach(async () => {
  await api.service.pool.query('delete from webhooks')
  await receiver.close()
})

const post = (url: string, body: unknown) => api.call({ method: 'POST', url, body, key })

async function subscribe(attributes: Readonly<Record<string, unknown>>) {
  const made = await post('/v2/webhooks', { data: { type: 'webhook', attributes } })
  assert.equal(made.status, 201, made.text)
  const webhook = made.one()
  receiver.trust(String(webhook.attributes['secret']))
  return webhook
}

/** A request that always succeeds, worked off: the events of a whole import go out. */
async function track(): Promise<void> {
  const attributes = { request_type: 'bill_of_lading', request_number: 'TEST-TR-SUCCEEDED', scac: 'TEST' }
  const made = await post('/v2/tracking_requests', { data: { type: 'tracking_request', attributes } })
  assert.equal(made.status, 201, made.text)
  await drainWorkers(api.service, { render: openRenderer(api.service) })
}

const events = ['tracking_request.succeeded', 'container.created']

test('an Express app with express.json() reads every delivery and finds the plain signature right', async () => {
  const { attributes } = await subscribe({ url: receiver.url, active: true, events })
  assert.equal(attributes['content_type'], null)
  await track()
  assert.deepEqual(receiver.refused, [])
  assert.equal(receiver.taken.length, 3)
  for (const { headers, raw, document } of receiver.taken) {
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(document.data?.id, headers['webhook-id'])
    new Webhook(String(attributes['secret'])).verify(raw, headers as Record<string, string>)
  }
})

test('deliveries and trials pass a proxy that lets nothing but application/json through', async () => {
  const proxy = await openStrictProxy(receiver.url)
  try {
    const { attributes } = await subscribe({ url: proxy.url, active: true, events })
    await track()
    assert.equal(receiver.taken.length, 3)
    const trial = { url: proxy.url, event: 'container.updated', secret: attributes['secret'] }
    const { body } = await post('/v2/webhooks/trigger', trial)
    assert.deepEqual([body['succeeded'], body['status_code']], [true, 200])
    assert.equal(receiver.taken.length, 4)
  } finally {
    await proxy.close()
  }
})

test('the type of the content is what the webhook says, else what the installation says', async () => {
  const standard = 'application/vnd.api+json'
  const proxy = await openStrictProxy(receiver.url)
  try {
    const webhook = await subscribe({ url: proxy.url, active: true, events, content_type: standard })
    assert.equal(webhook.attributes['content_type'], standard)
    const statuses = async () => {
      const logs = await api.service.pool.query<{ status_code: number }>(
        'select status_code from webhook_notification_logs order by attempt, id',
      )
      return logs.rows.map(({ status_code }) => status_code)
    }
    await track()
    assert.deepEqual(await statuses(), [415, 415, 415])
    const { config } = api.service
    const network = { ...config.network, webhookContentType: standard } as const
    const other = { ...api.service, config: { ...config, network } }
    const url = `/v2/webhooks/${webhook.id}`
    const patched = await api.call({
      method: 'PATCH',
      url,
      key,
      body: { data: { attributes: { content_type: null } } },
    })
    assert.equal(patched.one().attributes['content_type'], null)
    api.clock.advance(6_001)
    await drainWorkers(other, { render: openRenderer(other) })
    assert.deepEqual((await statuses()).slice(3), [415, 415, 415])
    api.clock.advance(72_001)
    await drainWorkers(api.service, { render: openRenderer(api.service) })
    assert.deepEqual((await statuses()).slice(6), [200, 200, 200])
    const trial = { url: proxy.url, event: 'container.updated', content_type: standard }
    assert.equal((await post('/v2/webhooks/trigger', trial)).body['status_code'], 415)
  } finally {
    await proxy.close()
  }
})

test('a type that is none of the two is refused, the field named, nothing written', async () => {
  const attributes = { url: receiver.url, active: true, events, content_type: 'text/plain' }
  const refused = await post('/v2/webhooks', { data: { type: 'webhook', attributes } })
  assert.equal(refused.status, 422)
  assert.equal(refused.error().source?.pointer, '/data/attributes/content_type')
  const trial = { url: receiver.url, event: 'container.updated', content_type: 'text/plain' }
  assert.equal((await post('/v2/webhooks/trigger', trial)).error().source?.pointer, '/content_type')
  assert.equal((await api.call({ url: '/v2/webhooks', key })).many().length, 0)
  assert.deepEqual([receiver.taken, receiver.refused], [[], []])
})
