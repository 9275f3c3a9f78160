// Share links over the API: who creates and withdraws them, what is checked, and that the token is shown once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let seeded: Seeded
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const dayMs = 86_400_000
const inDays = (days: number) => new Date(api.clock.now() + days * dayMs).toISOString()
const ofShipment = (id = seeded.shipmentId) => ({ shipment: { data: { type: 'shipment', id } } })
const post = (attributes: object = {}, relationships: object = ofShipment(), key = api.key) =>
  api.call({
    method: 'POST',
    url: '/v2/share_links',
    key,
    body: { data: { type: 'share_link', attributes: { name: 'For Ann', ...attributes }, relationships } },
  })
const open = (token: unknown, headers: Readonly<Record<string, string>> = {}) =>
  api.call({ url: `/v2/shared/${token}`, key: null, headers })
const makeView = async (key = api.key) =>
  api.call({
    method: 'POST',
    url: '/v2/saved_views',
    key,
    body: { data: { type: 'saved_view', attributes: { name: 'All', table: 'shipments' } } },
  })

test('a link is open for 30 days, and its url and token are returned once', async () => {
  const { id, attributes, relationships } = (await post()).one()
  const token = String(attributes['token'])
  assert.match(token, /^[\w-]{43}$/)
  assert.ok(String(attributes['url']).endsWith(`/shared/${token}`))
  const days = (Date.parse(String(attributes['expires_at'])) - api.clock.now()) / dayMs
  assert.ok(Math.abs(days - 30) < 0.01, `${days}`)
  assert.deepEqual(relationships?.['shipment']?.data, { type: 'shipment', id: seeded.shipmentId })
  assert.equal(attributes['company_name'], api.context.account.companyName)
  const url = `/v2/share_links/${id}`
  const changed = await api.call({ method: 'PATCH', url, body: { data: { attributes: { name: 'Other' } } } })
  const listed = await api.call({ url: `/v2/share_links?filter[shipment]=${seeded.shipmentId}` })
  for (const answer of [await api.call({ url }), listed, changed]) {
    assert.equal(answer.status, 200)
    assert.ok(!answer.text.includes(token))
    const [link] = [answer.body.data].flat() as readonly WireResource[]
    assert.deepEqual([link?.attributes['token'], link?.attributes['url']], [null, null])
  }
  assert.equal((await open(token)).status, 200)
  const stored = await api.service.pool.query<{ text: string }>(
    'select row_to_json(s)::text as text from share_links s union all select row_to_json(a)::text from audit_events a',
  )
  assert.ok(!stored.rows.some(({ text }) => text.includes(token)), 'the token is stored nowhere')
})

test('a repeated request under one Idempotency-Key creates one link, and returns its token again', async () => {
  const ask = () =>
    api.call({
      method: 'POST',
      url: '/v2/share_links',
      headers: { 'idempotency-key': 'one-link' },
      body: { data: { type: 'share_link', attributes: { name: 'Once' }, relationships: ofShipment() } },
    })
  const [first, second] = [await ask(), await ask()]
  assert.equal(first.one().attributes['token'], second.one().attributes['token'])
})

test('a share link with an invalid attribute is refused, and the error points at the attribute', async () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ expires_at: inDays(-1) }, '/data/attributes/expires_at'],
    [{ expires_at: inDays(367) }, '/data/attributes/expires_at'],
    [{ expires_at: '2026-04-01' }, '/data/attributes/expires_at'],
    [{ expires_at: '2026-04-01T00:00:00' }, '/data/attributes/expires_at'],
    [{ color: 'red' }, '/data/attributes/color'],
    [{ color: '#12345' }, '/data/attributes/color'],
    [{ allowed_origins: ['https://a.example', 'https://a.example/path'] }, '/data/attributes/allowed_origins/1'],
    [{ allowed_origins: ['*'] }, '/data/attributes/allowed_origins/0'],
    [{ name: ' ' }, '/data/attributes/name'],
    [{ token: 'x' }, '/data/attributes/token'],
  ]
  for (const [attributes, pointer] of wrong) {
    const refused = await post(attributes)
    assert.equal(refused.status, 422, refused.text)
    assert.equal(refused.error().source?.pointer, pointer)
  }
  const view = { saved_view: { data: { type: 'saved_view', id: (await makeView()).one().id } } }
  for (const relationships of [{}, { ...ofShipment(), ...view }])
    assert.equal((await post({}, relationships)).error().source?.pointer, '/data/relationships')
  const nobody = '018f0000-0000-7000-8000-0000000000aa'
  const refused = await post({}, ofShipment(nobody))
  assert.equal(refused.error().source?.pointer, '/data/relationships/shipment/data/id')
  assert.equal((await post({ expires_at: inDays(365), color: '#1F6FEB' })).one().attributes['color'], '#1f6feb')
})

test('a deleted link stays closed, while a later end reopens an expired link', async () => {
  const [first, second] = [(await post()).one(), (await post({ expires_at: inDays(1) })).one()]
  const [one, other] = [first, second].map(({ attributes }) => attributes['token'])
  assert.deepEqual([(await open(one)).status, (await open(other)).status], [200, 200])
  assert.equal((await api.call({ method: 'DELETE', url: `/v2/share_links/${first.id}` })).status, 204)
  const withdrawn = await open(one)
  api.clock.advance(2 * dayMs)
  const expired = await open(other)
  const unknown = await open('x'.repeat(43))
  const noToken = await open('none')
  for (const answer of [withdrawn, expired, unknown, noToken]) {
    assert.equal(answer.status, 404)
    assert.equal(answer.text, unknown.text)
  }
  const body = { data: { attributes: { expires_at: inDays(1) } } }
  await api.call({ method: 'PATCH', url: `/v2/share_links/${second.id}`, body })
  assert.equal((await open(other)).status, 200)
  assert.equal((await api.call({ url: `/v2/share_links/${first.id}` })).status, 404)
})

test('counts and dates openings, and writes them at most once a minute', async () => {
  const { id, attributes } = (await post()).one()
  const meta = async () =>
    (await api.call({ url: `/v2/share_links/${id}` })).body as {
      readonly data: { readonly meta: { readonly opened: number; readonly last_opened_at: string | null } }
    }
  const opened = async () => (await meta()).data.meta.opened
  assert.deepEqual([await opened(), (await meta()).data.meta.last_opened_at], [0, null])
  await open(attributes['token'])
  assert.equal(await opened(), 1)
  for (let n = 0; n < 4; n += 1) await open(attributes['token'])
  assert.equal(await opened(), 1)
  api.clock.advance(61_000)
  await open(attributes['token'])
  assert.equal(await opened(), 6)
  const last = Date.parse((await meta()).data.meta.last_opened_at ?? '')
  assert.ok(Math.abs(last - api.clock.now()) < 5_000)
})

test('a read-only key creates, changes and withdraws nothing; another account finds nothing', async () => {
  const { id } = (await post()).one()
  const url = `/v2/share_links/${id}`
  const readOnly = await api.newKey(api.context, ['read'])
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  const body = { data: { attributes: { name: 'x' } } }
  assert.equal((await post({}, ofShipment(), readOnly)).status, 403)
  assert.equal((await post({}, ofShipment(), stranger)).status, 422)
  for (const method of ['PATCH', 'DELETE', 'GET'] as const) {
    const sent = method === 'PATCH' ? { body } : {}
    assert.equal((await api.call({ method, url, key: readOnly, ...sent })).status, method === 'GET' ? 200 : 403)
    assert.equal((await api.call({ method, url, key: stranger, ...sent })).status, 404)
  }
  assert.deepEqual((await api.call({ url: '/v2/share_links', key: stranger })).many(), [])
  const { rows } = await api.service.pool.query<{ action: string }>(
    `select action from audit_events where account_id = $1 and target_type = 'share_link' and target_id = $2`,
    [api.context.account.id, id],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['share_link.created'],
  )
})

test('deleting a saved view deletes its share links', async () => {
  const view = (await makeView()).one().id
  const relationships = { saved_view: { data: { type: 'saved_view', id: view } } }
  const made = await post({}, relationships)
  const token = made.one().attributes['token']
  assert.equal((await open(token)).status, 200)
  const url = `/v2/share_links/${made.one().id}?include=saved_view`
  assert.equal((await api.call({ url })).body.included?.[0]?.id, view)
  await api.call({ method: 'DELETE', url: `/v2/saved_views/${view}` })
  assert.equal((await open(token)).status, 404)
})
