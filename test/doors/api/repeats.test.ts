import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApi } from '../../../src/doors/app.ts'
import { openVault } from '../../../src/service/vault.ts'
import { openPool } from '../../../src/store/database.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const hook = (path: string) => ({
  data: { attributes: { url: `https://example.com/${path}`, events: ['container.created'] } },
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

test('the same POST with the same key is answered with the same bytes and not done again', async () => {
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

test('the same key with another body, another address or another query is 422, and names the header', async () => {
  const { id } = (await post('other', hook('other'))).one()
  const answer = await post('other', hook('another'))
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.error().source, { header: 'Idempotency-Key' })
  assert.equal((await post('other', hook('other'), { url: '/v2/webhooks?fields[webhook]=url' })).status, 422)
  const rotate = (webhookId: string) =>
    post('rotation', undefined, { url: `/v2/webhooks/${webhookId}/rotate_secret` })
  assert.equal((await rotate(id)).status, 200)
  const { id: next } = (await post('next', hook('next'))).one()
  assert.equal((await rotate(next)).status, 422)
})

test('each account and each operation has its own keys', async () => {
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  const ours = await post('shared', hook('shared'))
  const theirs = await post('shared', hook('shared'), { key: stranger })
  assert.notEqual(theirs.one().id, ours.one().id)
  assert.equal(theirs.headers['idempotent-replayed'], undefined)
  const { id } = ours.one()
  assert.equal((await post('shared', undefined, { url: `/v2/webhooks/${id}/rotate_secret` })).status, 200)
})

test('many at once run once, and all get the one answer', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('at once', hook('at-once'))))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1)
  assert.equal(await countHooks('at-once'), 1)
})

test('another process replays it too', async () => {
  const first = await post('elsewhere', hook('elsewhere'))
  const pool = openPool({ connection: api.databaseUrl, connectionsMax: 2 })
  const twin = await openApi({ ...api.service, pool })
  try {
    const answer = await twin.inject({
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
    await twin.close()
    await pool.end()
  }
})

test('what was refused is forgotten, so that it can be put right under the same key', async () => {
  assert.equal((await post('mended', { data: { attributes: { url: 'nonsense' } } })).status, 422)
  assert.equal(await rowOf('mended'), undefined)
  assert.equal((await post('mended', hook('mended'))).status, 201)
})

test('a fault of ours is forgotten as well', async () => {
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

test('24 hours later the key is new', async () => {
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

test('a stored answer is encrypted: the secret that it shows is nowhere in the row', async () => {
  const secret = String((await post('sealed', hook('sealed'))).one().attributes['secret'])
  assert.match(secret, /^whsec_/)
  const row = await rowOf('sealed')
  const bytes: Buffer = row.body_sealed
  assert.ok(!bytes.includes(secret) && !bytes.toString('latin1').includes('whsec_'))
  assert.ok(!JSON.stringify({ ...row, body_sealed: null }).includes('whsec_'))
  assert.throws(() => openVault('another secret that is long enough to be one').open(bytes))
})

test('a read-only key is not shown the answer that a writing one was given', async () => {
  await post('rights', hook('rights'))
  const reader = await api.newKey(api.context, ['read'])
  const answer = await post('rights', hook('rights'), { key: reader })
  assert.equal(answer.status, 403)
  assert.ok(!answer.text.includes('whsec_'))
})

test('other methods take no notice of the key', async () => {
  const answer = await api.call({ url: '/v2/webhooks', headers: { 'idempotency-key': '' } })
  assert.equal(answer.status, 200)
})
