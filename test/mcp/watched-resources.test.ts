/** Streams that watch a resource end with the credentials that opened them. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openTestMcp, type TestMcp } from '../support/mcp.ts'
import { connectApp, resources } from '../support/oauth.ts'
import { openPerson, signIn, signUpFirst } from '../support/person.ts'
import { type Seeded, seedShipment } from '../support/seed.ts'

let api: TestApi
let mcp: TestMcp
let seeded: Seeded

before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  await signUpFirst(api)
  seeded = await seedShipment(api)
  mcp = await openTestMcp(api)
})
after(async () => {
  await mcp.close()
  await seeded.carrier.close()
  await api.close()
})

const updateMethod = 'notifications/resources/updated'

/** A stream that watches the shipment; `text` is all that was sent, once the server has ended it. */
async function watch(authorization: string) {
  const leaving = new AbortController()
  const version = '2026-07-28'
  const response = await fetch(mcp.url, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { resourceSubscriptions: [`landfall://shipment/${seeded.shipmentId}`] },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  assert.equal(response.status, 200, response.ok ? '' : await response.text())
  assert.ok(response.body)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader.read()).value ?? ''
  const news = Promise.withResolvers<void>()
  const ended = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text
      text += value
      if (text.includes(updateMethod)) news.resolve()
    }
  })()
  ended.catch(() => {})
  return { ended, news: news.promise, leave: () => leaving.abort() }
}

async function change(): Promise<void> {
  for (const verb of ['stop_tracking', 'resume_tracking'])
    await api.call({ method: 'PATCH', url: `/v2/shipments/${seeded.shipmentId}/${verb}` })
  await api.drain()
}

test('after another process revoked a key, its stream ends without the change, and other streams continue', async () => {
  const key = await api.newKey(api.context, ['read'])
  const [gone, kept] = [await watch(`Token ${key}`), await watch(`Token ${api.key}`)]
  await api.service.pool.query('update api_keys set revoked_at = now() where last_four = $1', [key.slice(-4)])
  await change()
  await kept.news
  assert.doesNotMatch(await gone.ended, new RegExp(updateMethod))
  kept.leave()
})

test('the stream of a revoked key ends within five seconds even without a change', async () => {
  const key = await api.newKey(api.context, ['read'])
  const gone = await watch(`Token ${key}`)
  await api.service.pool.query('update api_keys set revoked_at = now() where last_four = $1', [key.slice(-4)])
  const at = performance.now()
  await gone.ended
  assert.ok(performance.now() - at < 5_000, `${performance.now() - at} ms`)
})

test('the streams of an app end when its member is removed or the app is disconnected', async () => {
  for (const statement of [
    'delete from memberships where user_id = (select id from users where email_key = $1)',
    'update oauth_grants set revoked_at = now() where user_id = (select id from users where email_key = $1)',
  ]) {
    const email = `${statement.slice(0, 6)}@example.com`
    const key = await api.newKey(await api.newAccount(), ['read', 'write'])
    await openPerson(api).send('/sign-up', { name: 'Dora', email, password: 'four ships in a row', key })
    await api.service.pool.query(
      `insert into memberships (account_id, user_id, role, created_at)
       select $1, id, 'read_only', now() from users where email_key = $2`,
      [api.context.account.id, email],
    )
    const { person } = await signIn(api, { email })
    const { accessToken } = await connectApp(api, person, {
      ask: { resource: resources.mcp },
      fields: { account: api.context.account.id },
    })
    // The authorization server uses the real clock; the clock of the test is later.
    await api.service.pool.query(`update oauth_entries set expires_at = expires_at + interval '1 year'`)
    const gone = await watch(`Bearer ${accessToken}`)
    await api.service.pool.query(statement, [email])
    await change()
    assert.doesNotMatch(await gone.ended, new RegExp(updateMethod))
  }
})
