import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openRenderer } from '../../../src/api/notifications/notification-document.ts'
import { drainWorkers } from '../../../src/server/workers.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type ForeignReceiver, openExpressApp, openStrictProxy } from '../../support/foreign-receivers.ts'
import { giveAccess } from '../../support/service.ts'

const foreign = 'X-Another-Service-Signature'

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
  receiver = await openExpressApp(foreign)
})
afterEach(async () => {
  await api.service.pool.query('delete from webhooks')
  await api.service.pool.query('delete from webhook_notification_logs')
  await receiver.close()
})

const post = (url: string, body: unknown) => api.call({ method: 'POST', url, body, key })

/** For a receiver that expects its own header, if the test gives no other headers. */
async function subscribe(given: Readonly<Record<string, unknown>>) {
  const attributes = { signature_header: foreign, ...given }
  const made = await post('/v2/webhooks', { data: { type: 'webhook', attributes } })
  assert.equal(made.status, 201, made.text)
  const webhook = made.one()
  receiver.trust(String(webhook.attributes['secret']))
  return webhook
}

/** A request that always succeeds, with all its work done: the events of a whole import are sent. */
async function track(): Promise<void> {
  const attributes = { request_type: 'bill_of_lading', request_number: 'TEST-TR-SUCCEEDED', scac: 'TEST' }
  const made = await post('/v2/tracking_requests', { data: { type: 'tracking_request', attributes } })
  assert.equal(made.status, 201, made.text)
  await drainWorkers(api.service, { render: openRenderer(api.service) })
}

const events = ['tracking_request.succeeded', 'container.created']

test('an Express app with express.json() can verify the plain signature of every delivery', async () => {
  const { attributes } = await subscribe({ url: receiver.url, active: true, events })
  assert.deepEqual([attributes['content_type'], attributes['signature_header']], [null, foreign])
  await track()
  assert.deepEqual(receiver.refused, [])
  assert.equal(receiver.taken.length, 3)
  for (const { headers, raw, document } of receiver.taken) {
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(document.data?.id, headers['webhook-id'])
    new Webhook(String(attributes['secret'])).verify(raw, headers as Record<string, string>)
  }
})

test('deliveries and tests pass a proxy that accepts only application/json', async () => {
  const proxy = await openStrictProxy(receiver.url)
  try {
    const { attributes } = await subscribe({ url: proxy.url, active: true, events })
    await track()
    assert.equal(receiver.taken.length, 3)
    const trial = {
      url: proxy.url,
      event: 'container.updated',
      secret: attributes['secret'],
      signature_header: foreign,
    }
    const { body } = await post('/v2/webhooks/trigger', trial)
    assert.deepEqual([body['succeeded'], body['status_code']], [true, 200])
    assert.equal(receiver.taken.length, 4)
  } finally {
    await proxy.close()
  }
})

test('uses the content type of the webhook, or else the default of the installation', async () => {
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

test('refuses another content type naming the field, and writes nothing', async () => {
  const attributes = { url: receiver.url, active: true, events, content_type: 'text/plain' }
  const refused = await post('/v2/webhooks', { data: { type: 'webhook', attributes } })
  assert.equal(refused.status, 422)
  assert.equal(refused.error().source?.pointer, '/data/attributes/content_type')
  const trial = { url: receiver.url, event: 'container.updated', content_type: 'text/plain' }
  assert.equal((await post('/v2/webhooks/trigger', trial)).error().source?.pointer, '/content_type')
  assert.equal((await api.call({ url: '/v2/webhooks', key })).many().length, 0)
  assert.deepEqual([receiver.taken, receiver.refused], [[], []])
})

test('a receiver with its own signature header accepts deliveries once the webhook or the installation uses it', async () => {
  const webhook = await subscribe({ url: receiver.url, active: true, events, signature_header: null })
  await track()
  assert.deepEqual(receiver.refused, [401, 401, 401])
  const url = `/v2/webhooks/${webhook.id}`
  const body = { data: { attributes: { signature_header: `X-First,${foreign}` } } }
  const patched = await api.call({ method: 'PATCH', url, body, key })
  assert.equal(patched.one().attributes['signature_header'], `X-First, ${foreign}`)
  api.clock.advance(6_001)
  await drainWorkers(api.service, { render: openRenderer(api.service) })
  assert.equal(receiver.taken.length, 3)
  const headers = receiver.taken[0]?.headers ?? {}
  assert.equal(headers['x-first'], headers[foreign.toLowerCase()])
  assert.equal(headers['x-landfall-signature'], undefined)

  await api.service.pool.query('update webhooks set signature_headers = null')
  await api.service.pool.query(`update webhook_notifications set delivery_status = 'pending', next_attempt_at = $1`, [
    new Date(api.clock.now()).toISOString(),
  ])
  const { config } = api.service
  const network = { ...config.network, signatureHeaders: [foreign] }
  const other = { ...api.service, config: { ...config, network } }
  await drainWorkers(other, { render: openRenderer(other) })
  assert.deepEqual([receiver.taken.length, receiver.refused.length], [6, 3])
})

test('while two secrets are active, every signature header has a -next header, and either secret verifies', async () => {
  const webhook = await subscribe({
    url: receiver.url,
    active: true,
    events,
    signature_header: `${foreign}, X-Second`,
  })
  api.clock.advance(1_000)
  const rotated = (await post(`/v2/webhooks/${webhook.id}/rotate_secret`, undefined)).one()
  await track()
  assert.equal(receiver.taken.length, 3, 'the oldest secret is what the receiver has')
  const newest = String(rotated.attributes['secret'])
  for (const { headers, raw } of receiver.taken) {
    const hex = createHmac('sha256', newest).update(raw).digest('hex')
    assert.equal(headers[`${foreign.toLowerCase()}-next`], hex)
    assert.equal(headers['x-second-next'], hex)
    for (const secret of [String(webhook.attributes['secret']), newest])
      new Webhook(secret).verify(raw, headers as Record<string, string>)
  }
})

test('refuses an invalid signature header naming the field, writes nothing, and sends nothing in a trial', async () => {
  const bad = [
    '',
    'X Sig',
    'X-Ä',
    'X-A:',
    'X-A,,X-B',
    'Connection',
    'TE',
    'Proxy-Signature',
    'Host',
    'Content-Type',
    'content-digest',
    'Webhook-Signature',
    'webhook-anything',
    'User-Agent',
    'X-A, x-a',
    'X-A, X-A-Next',
    'X-1,X-2,X-3,X-4,X-5,X-6',
    'X'.repeat(65),
    7,
    ['X-A'],
  ]
  const good = { url: receiver.url, active: true, events }
  for (const signature_header of bad) {
    const made = await post('/v2/webhooks', {
      data: { type: 'webhook', attributes: { ...good, signature_header } },
    })
    assert.equal(made.status, 422, String(signature_header))
    assert.equal(made.error().source?.pointer, '/data/attributes/signature_header')
    const trial = { url: receiver.url, event: 'container.updated', secret: 'mine', signature_header }
    assert.equal((await post('/v2/webhooks/trigger', trial)).error().source?.pointer, '/signature_header')
  }
  assert.deepEqual(receiver.refused, [])
  const own = { headers: [{ name: 'x-another-service-signature-next', value: 'x' }] }
  const collides = await post('/v2/webhooks', {
    data: { type: 'webhook', attributes: { ...good, ...own, signature_header: foreign } },
  })
  assert.equal(collides.error().source?.pointer, '/data/attributes/headers/0/name')
  assert.equal((await api.call({ url: '/v2/webhooks', key })).many().length, 0)
})

test('a custom header and the signature header cannot have the same name', async () => {
  const team = [{ name: 'X-Team', value: 'imports' }]
  const webhook = await subscribe({ url: receiver.url, active: true, events, headers: team })
  const url = `/v2/webhooks/${webhook.id}`
  const patch = (attributes: object) => api.call({ method: 'PATCH', url, key, body: { data: { attributes } } })
  const pointerOf = async (attributes: object) => (await patch(attributes)).error().source?.pointer
  assert.equal(await pointerOf({ signature_header: 'x-team' }), '/data/attributes/signature_header')
  assert.equal(
    await pointerOf({ headers: [...team, { name: foreign, value: 'x' }] }),
    '/data/attributes/headers/1/name',
  )
  assert.deepEqual((await api.call({ url, key })).one(), webhook)
  const both = { signature_header: 'X-Team', headers: null }
  assert.equal((await patch(both)).one().attributes['signature_header'], 'X-Team')
})

test('a webhook shows its content type and signature headers, also if the installation sets them', async () => {
  const meta = async (given: object) =>
    ((await subscribe({ url: receiver.url, active: true, events, ...given })) as { meta?: object }).meta
  const none = { disabled_reason: null, failing_since: null, event_patterns: [] }
  assert.deepEqual(await meta({ signature_header: null }), {
    ...none,
    content_type: 'application/json',
    signature_header: 'X-Landfall-Signature',
  })
  assert.deepEqual(await meta({ content_type: 'application/vnd.api+json', signature_header: 'X-A,X-B' }), {
    ...none,
    content_type: 'application/vnd.api+json',
    signature_header: 'X-A, X-B',
  })
})
