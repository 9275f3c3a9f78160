import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventCategories, webhookEventNames } from '../../../src/domain/changes/event-table.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { ServiceError } from '../../../src/modules/errors.ts'
import type { Service } from '../../../src/modules/service.ts'
import { createWebhook, type NewWebhook } from '../../../src/modules/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../../src/modules/webhooks/delete-webhook.ts'
import { getWebhook } from '../../../src/modules/webhooks/get-webhook.ts'
import { listWebhooks } from '../../../src/modules/webhooks/list-webhooks.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import type { TestService } from '../../support/service.ts'
import { announce, arrived, notificationRows, openBench } from '../../support/webhooks-harness.ts'

let bench: TestService
let context: Context
before(async () => {
  bench = await openBench()
  context = await bench.newAccount()
})
after(() => bench.close())

const good: NewWebhook = {
  url: 'https://example.com/hook',
  isActive: true,
  events: [arrived],
  headers: null,
}
const events = '/data/attributes/events'
const headers = '/data/attributes/headers'
const url = '/data/attributes/url'

async function assertRefused(service: Service, input: NewWebhook, pointer: string): Promise<void> {
  await assert.rejects(createWebhook(service, context, input), (error: unknown) => {
    assert.ok(error instanceof ServiceError)
    assert.deepEqual([error.code, error.source], ['invalid', { pointer }], JSON.stringify(input).slice(0, 200))
    return true
  })
}

test('creating, reading and listing webhooks returns each webhook with its own secret', async () => {
  const owner = await bench.newAccount()
  const made = await createWebhook(bench.service, owner, {
    ...good,
    events: [arrived, arrived, 'container.updated'],
  })
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(made.events, [arrived, 'container.updated'])
  assert.deepEqual(await getWebhook(bench.service, owner, { id: made.id }), made)
  const other = await createWebhook(bench.service, owner, {
    ...good,
    headers: [{ name: 'X-Team', value: 'imports' }],
  })
  assert.notEqual(other.secret, made.secret)
  const { webhooks, total } = await listWebhooks(bench.service, owner, { number: 1, size: 1 })
  assert.deepEqual([webhooks.length, total], [1, 2])
})

test('does not find, list or delete a webhook of another account', async () => {
  const made = await createWebhook(bench.service, context, good)
  const stranger = await bench.newAccount()
  await assert.rejects(getWebhook(bench.service, stranger, { id: made.id }), { code: 'not_found' })
  await assert.rejects(deleteWebhook(bench.service, stranger, { id: made.id }), { code: 'not_found' })
  assert.equal((await listWebhooks(bench.service, stranger, { number: 1, size: 30 })).total, 0)
})

test('deleting a webhook also deletes its queued notifications', async () => {
  const owner = await bench.newAccount()
  const made = await createWebhook(bench.service, owner, good)
  await announce(bench.service, owner, [arrived, arrived])
  await deleteWebhook(bench.service, owner, { id: made.id })
  assert.equal((await notificationRows(bench.service)).filter(({ webhook_id }) => webhook_id === made.id).length, 0)
  await assert.rejects(getWebhook(bench.service, owner, { id: made.id }), { code: 'not_found' })
})

test('a read-only key creates no webhook', async () => {
  await assert.rejects(createWebhook(bench.service, { ...context, scopes: ['read'] }, good), {
    code: 'forbidden',
  })
})

test('refuses invalid input naming the field, and stores nothing', async () => {
  const { rows: before } = await bench.service.pool.query('select count(*) from webhooks')
  const many = Array.from({ length: 21 }, (_, index) => ({ name: `X-${index}`, value: 'x' }))
  const bad: readonly (readonly [Partial<NewWebhook>, string])[] = [
    [{ url: 'no url' }, url],
    [{ url: '' }, url],
    [{ url: 'http://example.com/hook' }, url],
    [{ url: 'ftp://example.com/hook' }, url],
    [{ url: 'https://user:pass@example.com/' }, url],
    [{ url: 'https://10.1.2.3/' }, url],
    [{ url: 'https://169.254.169.254/latest' }, url],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, url],
    [{ events: [] }, events],
    [{ events: [arrived, 'container.transport.sank'] }, `${events}/1`],
    [{ headers: many }, headers],
    [{ headers: [{ name: 'X-A', value: 'one\r\nX-B: two' }] }, `${headers}/0/value`],
    [{ headers: [{ name: 'X-A', value: 'ü' }] }, `${headers}/0/value`],
    [{ headers: [{ name: 'X A', value: 'x' }] }, `${headers}/0/name`],
    [{ headers: [{ name: '', value: 'x' }] }, `${headers}/0/name`],
    [
      {
        headers: [
          { name: 'X-A', value: '1' },
          { name: 'x-a', value: '2' },
        ],
      },
      `${headers}/1/name`,
    ],
    ...[
      'Host',
      'content-length',
      'Connection',
      'Proxy-Anything',
      'Transfer-Encoding',
      'webhook-id',
      'Webhook-Signature',
      'x-landfall-signature',
      'X-Landfall-Signature-Next',
    ].map((name) => [{ headers: [{ name, value: 'x' }] }, `${headers}/0/name`] as const),
  ]
  for (const [fault, pointer] of bad) await assertRefused(bench.service, { ...good, ...fault }, pointer)
  const { rows: after } = await bench.service.pool.query('select count(*) from webhooks')
  assert.deepEqual(after, before)
})

test('refuses loopback in any spelling unless the operator allows it', async () => {
  const egress = createEgress({ allowedNetworks: [], allowLoopback: false })
  const closed = { ...bench.service, egress }
  for (const host of [
    '127.0.0.1',
    '127.9.9.9',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '１２７.0.0.1',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '%31%32%37.0.0.1',
  ]) {
    for (const scheme of ['http', 'https'])
      await assertRefused(closed, { ...good, url: `${scheme}://${host}/hook` }, url)
  }
  egress.close()
  for (const host of ['127.0.0.1:9000', '[::1]:9000', 'localhost:9000']) {
    const made = await createWebhook(bench.service, context, { ...good, url: `http://${host}/hook` })
    assert.equal(made.url, `http://${host}/hook`)
  }
})

test('every name of an event has one category and a description', () => {
  assert.equal(webhookEventNames.length, 53)
  assert.equal(new Set(webhookEventNames).size, 53)
  const described = eventCategories.flatMap((category) => category.events)
  assert.deepEqual(
    described.map(({ name }) => name),
    webhookEventNames,
  )
  assert.ok(described.every(({ description }) => description.endsWith('.')))
})
