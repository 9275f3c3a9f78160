import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPool } from '../../src/db/database.ts'
import { createEncryption } from '../../src/platform/encryption.ts'
import { createApiApp } from '../../src/server/app.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const hook = (path: string) => ({
  data: {
    type: 'webhook',
    attributes: { url: `https://example.com/${path}`, events: ['container.created'] },
  },
})
const post = (idempotencyKey: string, body: unknown, more: { url?: string; key?: string } = {}) =>
  api.call({
    method: 'POST',
    url: more.url ?? '/v2/webhooks',
    body,
    ...(more.key === undefined ? {} : { key: more.key }),
    headers: { 'idempotency-key': idempotencyKey },
  })
const countHooks = async (path: string): Promise<number> => {
  const { rows } = await api.service.pool.query('select id from webhooks where url like $1', [`%/${path}`])
  return rows.length
}
const rowOf = async (key: string) =>
  (await api.service.pool.query('select * from idempotency_keys where key = $1', [key])).rows[0]

test('the same POST with the same key gets the same bytes and is not executed again', async () => {
  const first = await post('order 4711', hook('same'))
  const second = await post('order 4711', hook('same'))
  assert.equal(first.status, 201)
  assert.equal(second.status, 201)
  assert.equal(second.text, first.text)
  assert.equal(second.headers['content-type'], first.headers['content-type'])
  assert.equal(first.headers['idempotent-replayed'], undefined)
  assert.equal(second.headers['idempotent-replayed'], 'true')
  assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id'])
  assert.equal(await countHooks('same'), 1)
})

test('the same key with another body, address or query is 422, with the name of the header', async () => {
  const { id } = (await post('other', hook('other'))).one()
  const answer = await post('other', hook('another'))
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.error().source, { header: 'Idempotency-Key' })
  assert.equal((await post('other', hook('other'), { url: '/v2/webhooks?fields[webhook]=url' })).status, 422)
  const rotate = (webhookId: string) => post('rotation', undefined, { url: `/v2/webhooks/${webhookId}/rotate_secret` })
  assert.equal((await rotate(id)).status, 200)
  const { id: next } = (await post('next', hook('next'))).one()
  assert.equal((await rotate(next)).status, 422)
})

test('accounts and operations do not share keys', async () => {
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  const ours = await post('shared', hook('shared'))
  const theirs = await post('shared', hook('shared'), { key: stranger })
  assert.notEqual(theirs.one().id, ours.one().id)
  assert.equal(theirs.headers['idempotent-replayed'], undefined)
  const { id } = ours.one()
  assert.equal((await post('shared', undefined, { url: `/v2/webhooks/${id}/rotate_secret` })).status, 200)
})

test('concurrent requests with one key execute once and all get the same answer', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('at once', hook('at-once'))))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1)
  assert.equal(await countHooks('at-once'), 1)
})

test('another process returns the stored answer too', async () => {
  const first = await post('elsewhere', hook('elsewhere'))
  const pool = openPool({ connection: api.databaseUrl, connectionsMax: 2 })
  const secondApi = await createApiApp({ ...api.service, pool })
  try {
    const answer = await secondApi.inject({
      method: 'POST',
      url: '/v2/webhooks',
      headers: {
        authorization: `Token ${api.key}`,
        'content-type': 'application/vnd.api+json',
        'idempotency-key': 'elsewhere',
      },
      payload: JSON.stringify(hook('elsewhere')),
    })
    assert.equal(answer.body, first.text)
    assert.equal(answer.headers['idempotent-replayed'], 'true')
  } finally {
    await secondApi.close()
    await pool.end()
  }
})

test('a refused request does not use up its key, so that a corrected one may use it', async () => {
  assert.equal((await post('mended', { data: { type: 'webhook', attributes: { url: 'nonsense' } } })).status, 422)
  assert.equal(await rowOf('mended'), undefined)
  assert.equal((await post('mended', hook('mended'))).status, 201)
})

test('an internal error does not use up the idempotency key', async () => {
  await api.service.pool.query("alter table webhooks add constraint planted check (url not like '%/crash')")
  const ask = () =>
    api.app.inject({
      method: 'POST',
      url: '/v2/webhooks',
      headers: {
        authorization: `Token ${api.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'crash',
      },
      payload: JSON.stringify(hook('crash')),
    })
  assert.equal((await ask()).statusCode, 500)
  assert.equal(await rowOf('crash'), undefined)
  await api.service.pool.query('alter table webhooks drop constraint planted')
  assert.equal((await ask()).statusCode, 201)
})

test('a key may be used for a new request after 24 hours', async () => {
  const first = await post('tomorrow', hook('tomorrow'))
  api.clock.advance(24 * 3_600_000 - 1_000)
  assert.equal((await post('tomorrow', hook('tomorrow'))).text, first.text)
  api.clock.advance(1_000)
  const later = await post('tomorrow', hook('day-after'))
  assert.equal(later.status, 201)
  assert.notEqual(later.one().id, first.one().id)
})

test('old keys are cleaned up', async () => {
  await post('old', hook('old'))
  api.clock.advance(24 * 3_600_000)
  await post('young', hook('young'))
  await api.drain()
  assert.equal(await rowOf('old'), undefined)
  assert.ok(await rowOf('young'))
})

test('a key is 1 to 255 printable characters', async () => {
  for (const key of ['', 'a'.repeat(256), 'tab\there', 'ü']) {
    const answer = await post(key, hook('never'))
    assert.equal(answer.status, 400, key)
    assert.deepEqual(answer.error().source, { header: 'Idempotency-Key' })
  }
  assert.equal((await post('k'.repeat(255), hook('long'))).status, 201)
  assert.equal(await countHooks('never'), 0)
})

test('a stored answer is encrypted, so that its secret is not readable in the database', async () => {
  const secret = String((await post('sealed', hook('sealed'))).one().attributes['secret'])
  assert.match(secret, /^whsec_/)
  const row = await rowOf('sealed')
  const bytes: Buffer = row.body_sealed
  assert.ok(!bytes.includes(secret) && !bytes.toString('latin1').includes('whsec_'))
  assert.ok(!JSON.stringify({ ...row, body_sealed: null }).includes('whsec_'))
  assert.throws(() => createEncryption('another secret that is long enough to be one').decrypt(bytes))
})

test('a read-only key cannot get the stored answer of a writing key', async () => {
  await post('rights', hook('rights'))
  const reader = await api.newKey(api.context, ['read'])
  const answer = await post('rights', hook('rights'), { key: reader })
  assert.equal(answer.status, 403)
  assert.ok(!answer.text.includes('whsec_'))
})

test('a GET request ignores the Idempotency-Key header', async () => {
  const answer = await api.call({ url: '/v2/webhooks', headers: { 'idempotency-key': '' } })
  assert.equal(answer.status, 200)
})
