import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encryptStoredHeaders } from '../../../src/modules/webhooks/webhook-headers.ts'
import { saveEncryptedHeaders } from '../../../src/modules/webhooks/webhook-headers-sql.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { createEncryption } from '../../../src/platform/encryption.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { askAs, signUpFirst, signUpInvited } from '../../support/person.ts'
import {
  announce,
  arrived,
  attemptRows,
  notificationRows,
  openReceiver,
  type Receiver,
  renderPlain,
} from '../../support/webhooks-harness.ts'

const hush = 'Bearer hush-hush'

let api: TestApi
let receiver: Receiver
let webhook: WireResource
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  receiver = await openReceiver()
  webhook = (await post(attributes())).one()
})
after(async () => {
  await receiver.close()
  await api.close()
})

const attributes = () => ({
  url: receiver.url,
  active: true,
  events: [arrived],
  headers: [
    { name: 'Authorization', value: hush },
    { name: 'X-Team', value: 'imports' },
  ],
})
const post = (given: object, headers: Readonly<Record<string, string>> = {}, key: string | null = api.key) =>
  api.call({
    method: 'POST',
    url: '/v2/webhooks',
    body: { data: { type: 'webhook', attributes: given } },
    headers,
    key,
  })
const storedHeaders = async () =>
  (await api.service.pool.query<{ text: string }>('select headers::text as text from webhooks order by id')).rows
    .map(({ text }) => text)
    .join()

async function deliver(service = api.service): Promise<void> {
  await announce(api.service, api.context, [arrived])
  await deliverDue(service, { render: renderPlain })
}

test('keys, owners and admins see webhook secrets and header values; read-only keys and members do not', async () => {
  await deliver()
  const owner = await signUpFirst(api)
  const admin = await signUpInvited(api, owner, { email: 'admin@example.com', role: 'admin' })
  const member = await signUpInvited(api, owner, { email: 'member@example.com', role: 'member' })
  const guest = await signUpInvited(api, owner, { email: 'guest@example.com', role: 'read_only' })
  const reader = await api.newKey(api.context, ['read'])
  const asked: readonly (readonly [string, { key: string | null; headers?: Record<string, string> }, boolean])[] = [
    ['a key', { key: api.key }, true],
    ['an owner', { key: null, headers: await askAs(owner) }, true],
    ['an admin', { key: null, headers: await askAs(admin) }, true],
    ['a read-only key', { key: reader }, false],
    ['a member', { key: null, headers: await askAs(member) }, false],
    ['a guest', { key: null, headers: await askAs(guest) }, false],
  ]
  for (const [who, how, maySee] of asked) {
    for (const url of [`/v2/webhooks/${webhook.id}`, '/v2/webhooks', '/v2/webhook_notifications?include=webhook']) {
      const answer = await api.call({ url, ...how })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.text.includes('hush'), maySee, `${who} ${url}`)
      assert.equal(answer.text.includes('whsec_'), maySee, `${who} ${url}`)
    }
    const { attributes: shown } = (await api.call({ url: `/v2/webhooks/${webhook.id}`, ...how })).one()
    if (maySee) assert.deepEqual(shown, webhook.attributes, who)
    else {
      const names = ['Authorization', 'X-Team'].map((name) => ({ name, value: null }))
      assert.deepEqual([shown['secret'], shown['headers']], [null, names], who)
    }
  }
})

test('does not repeat an answer with secrets to a member who uses the same Idempotency-Key', async () => {
  const account = await api.newAccount()
  const key = await api.newKey(account, ['read', 'write'])
  const owner = await signUpFirst(api, { key, email: 'other-owner@example.com' })
  const member = await signUpInvited(api, owner, { email: 'other-member@example.com', role: 'member' })
  const once = { 'idempotency-key': 'the same' }
  const made = await post(attributes(), once, key)
  assert.equal(made.status, 201)
  assert.equal((await post(attributes(), once, key)).text, made.text)
  const refused = await post(attributes(), { ...once, ...(await askAs(member)) }, null)
  assert.equal(refused.status, 403)
  assert.ok(!refused.text.includes('whsec_'))
})

test('encrypts header values in the database, sends them as they were given, and allows changes', async () => {
  assert.doesNotMatch(await storedHeaders(), /hush|imports/)
  await deliver()
  const sent = receiver.received.at(-1)?.headers ?? {}
  assert.deepEqual([sent.authorization, sent['x-team']], [hush, 'imports'])
  const patch = async (headers: unknown) =>
    (
      await api.call({
        method: 'PATCH',
        url: `/v2/webhooks/${webhook.id}`,
        body: { data: { attributes: { headers } } },
      })
    ).one().attributes['headers']
  const other = [{ name: 'X-Team', value: 'hush again' }]
  assert.deepEqual(await patch(other), other)
  assert.doesNotMatch(await storedHeaders(), /hush/)
  assert.equal(await patch(null), null)
  assert.deepEqual(await patch(attributes().headers), attributes().headers)
  const { rows } = await api.service.pool.query(`select diff::text as diff from audit_events`)
  assert.doesNotMatch(JSON.stringify(rows), /hush/)
  assert.doesNotMatch(JSON.stringify(api.logged()), /hush/)
})

test('header values from before encryption are sent unchanged, and are encrypted once', async () => {
  const { pool } = api.service
  const old = [
    { name: 'Authorization', value: 'Basic hush-of-old' },
    { name: 'X-Odd', value: '"\\ {}' },
  ]
  await pool.query('update webhooks set headers = $1', [JSON.stringify(old)])
  await deliver()
  assert.equal(receiver.received.at(-1)?.headers.authorization, 'Basic hush-of-old')
  const { rows } = await pool.query<{ n: number }>('select count(*) as n from webhooks')
  const counts = await Promise.all([1, 2, 3].map(() => encryptStoredHeaders(api.service)))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    rows[0]?.n,
  )
  assert.equal(await encryptStoredHeaders(api.service), 0)
  assert.doesNotMatch(await storedHeaders(), /hush|value/)
  const { attributes: shown } = (await api.call({ url: `/v2/webhooks/${webhook.id}` })).one()
  assert.deepEqual(shown['headers'], old)
  await deliver()
  assert.equal(receiver.received.at(-1)?.headers.authorization, 'Basic hush-of-old')
  // Its owner changed it after it was read and before it was encrypted: the change remains.
  const stale = { accountId: api.context.account.id, id: webhook.id, before: old, after: [] }
  assert.equal(await saveEncryptedHeaders(pool, stale), false)
})

test('sends nothing without the secret that encrypted the values, and does not count this as a receiver failure', async () => {
  const otherEncryption = createEncryption('another secret for tests, long enough')
  const { decrypt: open } = api.service.encryption
  // The secret of the webhook can still be decrypted; its headers cannot.
  const halfLost = { ...otherEncryption, decrypt: (sealed: Buffer) => openUnless(sealed) }
  const openUnless = (sealed: Buffer) => {
    const text = open(sealed)
    return text.startsWith('whsec_') ? text : otherEncryption.decrypt(sealed)
  }
  const before = receiver.received.length
  await deliver({ ...api.service, encryption: halfLost })
  assert.equal(receiver.received.length, before)
  const waiting = (await notificationRows(api.service)).find(({ delivery_status }) => delivery_status === 'pending')
  const [attempt] = await attemptRows(api.service, waiting?.id ?? '')
  assert.equal(attempt?.error, 'the notification could not be written and signed')
  const { rows } = await api.service.pool.query('select failing_since from webhooks where id = $1', [webhook.id])
  assert.deepEqual(rows, [{ failing_since: null }])
})

test('an earlier version of the program cannot send encrypted header values', async () => {
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true })
  const before = receiver.received.length
  const [stored] = (await api.service.pool.query('select headers from webhooks where id = $1', [webhook.id])).rows
  const [{ name, value }] = stored.headers
  const result = await egress.request({
    url: receiver.url,
    method: 'POST',
    headers: { [name]: value },
    body: '{}',
    timeoutMs: 2_000,
    maxBytes: 100,
  })
  egress.close()
  assert.equal(result.kind, 'failed')
  assert.equal(receiver.received.length, before)
})
