import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const post = (attributes: object) =>
  api.call({ method: 'POST', url: '/v2/webhooks', body: { data: { type: 'webhook', attributes } } })
const count = async () => (await api.service.pool.query<{ n: number }>('select count(*) as n from webhooks')).rows[0]?.n

test('creates a webhook with its own secret, stored encrypted, and lists webhooks newest first', async () => {
  const events = ['container.transport.vessel_arrived', 'tracking_request.succeeded']
  const headers = [{ name: 'X-Team', value: 'ocean' }]
  const created = await post({ url: 'https://example.com/hook', active: true, events, headers })
  assert.equal(created.status, 201)
  const { id, attributes } = created.one()
  assert.match(String(attributes['secret']), /^whsec_/)
  assert.deepEqual(attributes, {
    url: 'https://example.com/hook',
    active: true,
    events,
    headers,
    secret: attributes['secret'],
    format: null,
    edi_ids: null,
    content_type: null,
    signature_header: null,
  })
  const { rows } = await api.service.pool.query(
    'select url, is_active, events, account_id from webhooks where id = $1',
    [id],
  )
  assert.deepEqual(rows, [
    { url: 'https://example.com/hook', is_active: true, events, account_id: api.context.account.id },
  ])
  api.clock.advance(1_000)
  const second = (await post({ url: 'https://example.com/second', events })).one()
  const listed = await api.call({ url: '/v2/webhooks?page[size]=1' })
  assert.deepEqual(
    listed.many().map((each) => each.id),
    [second.id],
  )
  assert.equal(listed.body.meta?.['total'], 2)
})

const events = ['container.created']
const refused: readonly (readonly [string, object, string])[] = [
  ['no url', { events }, '/data/attributes/url'],
  ['an invalid url', { url: 'nowhere', events }, '/data/attributes/url'],
  ['http to a public host', { url: 'http://example.com/', events }, '/data/attributes/url'],
  ['an unknown event', { url: 'https://example.com/', events: ['container.exploded'] }, '/data/attributes/events/0'],
  ['no events', { url: 'https://example.com/', events: [] }, '/data/attributes/events'],
  ['a secret of its own', { url: 'https://example.com/', events, secret: 'x' }, '/data/attributes/secret'],
  [
    'an active that is not a boolean',
    { url: 'https://example.com/', events, active: 'yes' },
    '/data/attributes/active',
  ],
  [
    'a reserved signature header',
    { url: 'https://example.com/', events, headers: [{ name: 'webhook-id', value: 'x' }] },
    '/data/attributes/headers/0/name',
  ],
]
for (const [what, attributes, pointer] of refused) {
  test(`refuses a webhook with ${what}, naming the field, and writes nothing`, async () => {
    const before = await count()
    const answer = await post(attributes)
    assert.equal(answer.status, 422)
    assert.equal(answer.error().source?.pointer, pointer)
    assert.equal(await count(), before)
  })
}
