import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const arrived = 'container.transport.vessel_arrived'
const attributes = { url: 'https://example.com/hook', active: true, events: [arrived] }
const post = (given: Readonly<Record<string, unknown>>) =>
  api.call({
    method: 'POST',
    url: '/v2/webhooks',
    body: { data: { type: 'webhook', attributes: { ...attributes, ...given } } },
  })
const countWebhooks = async () => (await api.service.pool.query('select id from webhooks')).rowCount

test('creates, lists, shows and deletes a webhook', async () => {
  const made = await post({ headers: [{ name: 'X-Team', value: 'imports' }] })
  assert.equal(made.status, 201)
  const webhook = made.one()
  assert.match(String(webhook.attributes['secret']), /^whsec_/)
  const { rows } = await api.service.pool.query('select account_id, url, events from webhooks where id = $1', [
    webhook.id,
  ])
  assert.deepEqual(rows, [{ account_id: api.context.account.id, url: attributes.url, events: [arrived] }])
  assert.deepEqual((await api.call({ url: `/v2/webhooks/${webhook.id}` })).one(), webhook)
  assert.deepEqual((await api.call({ url: '/v2/webhooks' })).many(), [webhook])
  const ended = await api.call({ method: 'DELETE', url: `/v2/webhooks/${webhook.id}` })
  assert.equal(ended.status, 200)
  assert.equal(await countWebhooks(), 0)
  assert.equal((await api.call({ url: `/v2/webhooks/${webhook.id}` })).status, 404)
})

test('creates a webhook as inactive on request', async () => {
  const webhook = (await post({ active: false })).one()
  assert.equal(webhook.attributes['active'], false)
  await api.call({ method: 'DELETE', url: `/v2/webhooks/${webhook.id}` })
})

test("answers for another account's webhook as for an unknown one", async () => {
  const webhook = (await post({})).one()
  const key = await api.newKey(await api.newAccount(), ['read', 'write'])
  for (const method of ['GET', 'DELETE'] as const) {
    const theirs = await api.call({ method, url: `/v2/webhooks/${webhook.id}`, key })
    const none = await api.call({ method, url: '/v2/webhooks/0190f5f0-0000-7000-8000-000000000000', key })
    assert.equal(theirs.status, 404)
    assert.deepEqual(theirs.body, none.body)
  }
  assert.equal((await api.call({ url: '/v2/webhooks/no-id' })).status, 404)
  await api.call({ method: 'DELETE', url: `/v2/webhooks/${webhook.id}` })
})

test('refuses invalid input naming its field, and stores nothing', async () => {
  const at = (name: string) => `/data/attributes/${name}`
  const header = { name: 'X-A', value: 'x' }
  const bad: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ url: 'no url' }, at('url')],
    [{ url: 'https://10.0.0.1/' }, at('url')],
    [{ url: 'http://example.com/' }, at('url')],
    [{ url: 7 }, at('url')],
    [{ events: [] }, at('events')],
    [{ events: [arrived, 'container.sank'] }, at('events/1')],
    [{ headers: Array.from({ length: 200 }, () => header) }, at('headers')],
    [{ headers: [{ name: 'X-A', value: 'a\nX-B: b' }] }, at('headers/0/value')],
    [{ headers: [{ name: 'webhook-id', value: 'x' }] }, at('headers/0/name')],
    [{ secret: 'whsec_mine' }, at('secret')],
  ]
  for (const [given, pointer] of bad) {
    const refused = await post(given)
    assert.equal(refused.status, 422, JSON.stringify(given).slice(0, 100))
    assert.equal(refused.error().source?.pointer, pointer)
  }
  assert.equal(await countWebhooks(), 0)
})
