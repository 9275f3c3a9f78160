// Mailboxes, the senders that an account trusts, and the received e-mails, over the API and the command line.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findMailbox } from '../../../src/modules/email-submissions/receive-mail.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { openCommandLine } from '../../support/command-line.ts'
import { mailTo } from '../../support/mail-to.ts'

let api: TestApi
const { landfall } = openCommandLine(() => ({ DATABASE_URL: api.databaseUrl }))
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
})
after(() => api.close())

const domain = 'landfall.localhost'
const isOpen = async (address: unknown) =>
  (await findMailbox(api.service, { address: String(address), domain })) !== null
const post = (url: string, type: string, attributes?: object) =>
  api.call({ method: 'POST', url, body: { data: { type, ...(attributes && { attributes }) } } })

test('a new mailbox leaves the earlier one active; a deleted one accepts nothing more', async () => {
  const [first, second] = [
    await post('/v2/mailboxes', 'mailbox'),
    await api.call({ method: 'POST', url: '/v2/mailboxes' }),
  ]
  assert.deepEqual([first.status, second.status], [201, 201])
  const addresses = [first, second].map((each) => each.one().attributes['address'])
  assert.match(String(addresses[0]), /^documents\+[a-z2-7]{26}@landfall\.localhost$/)
  assert.notEqual(addresses[0], addresses[1])
  assert.deepEqual(await Promise.all(addresses.map(isOpen)), [true, true])
  const url = `/v2/mailboxes/${first.one().id}`
  assert.equal((await api.call({ method: 'DELETE', url })).status, 204)
  assert.equal((await api.call({ method: 'DELETE', url })).status, 404)
  assert.deepEqual(await Promise.all(addresses.map(isOpen)), [false, true])
  const listed = (await api.call({ url: '/v2/mailboxes' })).many()
  assert.deepEqual(
    listed.map(({ attributes }) => attributes['address']),
    [addresses[1]],
  )
})

test('a read-only key does not see the addresses, and changes nothing', async () => {
  const key = await api.newKey(api.context, ['read'])
  for (const [method, url] of [
    ['GET', '/v2/mailboxes'],
    ['POST', '/v2/mailboxes'],
    ['POST', '/v2/mailbox_senders'],
  ] as const) {
    const body =
      url === '/v2/mailbox_senders'
        ? { data: { type: 'mailbox_sender', attributes: { sender: 'a@b.example' } } }
        : undefined
    assert.equal((await api.call({ method, url, key, body })).status, 403, `${method} ${url}`)
  }
  assert.equal((await api.call({ url: '/v2/mailbox_senders', key })).status, 200)
})

test('an account has at most a hundred active mailboxes', async () => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read', 'write'])
  const make = () => api.call({ method: 'POST', url: '/v2/mailboxes', key })
  for (let n = 0; n < 100; n += 1) assert.equal((await make()).status, 201)
  const refused = await make()
  assert.equal(refused.status, 422)
  const [{ id } = { id: '' }] = (await api.call({ url: '/v2/mailboxes', key })).many()
  await api.call({ method: 'DELETE', url: `/v2/mailboxes/${id}`, key })
  assert.equal((await make()).status, 201)
})

test('an installation without incoming e-mail states this', async () => {
  const closed = await openTestApi({ env: { LANDFALL_MAIL_IN_PORT: '0' } })
  try {
    const refused = await closed.call({ method: 'POST', url: '/v2/mailboxes' })
    assert.equal(refused.status, 409)
    assert.match(refused.error().detail, /does not receive e-mail/)
    assert.deepEqual((await closed.call({ url: '/v2/mailboxes' })).many(), [])
  } finally {
    await closed.close()
  }
})

test('lists senders once each and removes them; the audit log shows who did it', async () => {
  const made = await post('/v2/mailbox_senders', 'mailbox_sender', { sender: ' @Forwarder.Example ' })
  assert.equal(made.one().attributes['sender'], '@forwarder.example')
  const again = await post('/v2/mailbox_senders', 'mailbox_sender', { sender: '@forwarder.example' })
  assert.equal(again.error().source?.pointer, '/data/attributes/sender')
  assert.equal((await post('/v2/mailbox_senders', 'mailbox_sender', { sender: 'nobody' })).status, 422)
  const url = `/v2/mailbox_senders/${made.one().id}`
  assert.equal((await api.call({ method: 'DELETE', url })).status, 204)
  assert.equal((await api.call({ method: 'DELETE', url })).status, 404)
  const { rows } = await api.service.pool.query<{ action: string }>(
    `select action from audit_events where account_id = $1 and target_type = 'mailbox_sender' order by at, id`,
    [api.context.account.id],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['mailbox_sender.created', 'mailbox_sender.deleted'],
  )
})

test('lists e-mails newest first, filtered by result, with their text; another account has none of them', async () => {
  const { submission } = await mailTo(api, api.context, { subject: 'First', body: 'Where is it?' })
  await api.drain()
  api.clock.advance(1_000)
  const later = await mailTo(api, api.context, { subject: 'Second', body: 'And this?' })
  const subjects = async (query: string) =>
    (await api.call({ url: `/v2/email_submissions${query}` })).many().map(({ attributes }) => attributes['subject'])
  assert.deepEqual(await subjects(''), ['', 'First'])
  await api.drain()
  assert.deepEqual(await subjects('?sort=created_at'), ['First', 'Second'])
  assert.deepEqual(await subjects('?filter[status]=working'), [])
  assert.deepEqual(await subjects('?filter[status]=done&page[size]=1'), ['Second'])
  const url = `/v2/email_submissions/${submission}`
  const { attributes, relationships } = (await api.call({ url: `${url}?include=documents,account` })).one()
  assert.equal(attributes['body'], 'Where is it?')
  assert.equal(attributes['body_preview'], 'Where is it?')
  assert.deepEqual(attributes['from'], ['ops@sender.example'])
  assert.deepEqual([attributes['documents_count'], attributes['parts']], [0, []])
  assert.deepEqual(relationships?.['documents']?.data, [])
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  assert.equal((await api.call({ url, key: stranger })).status, 404)
  assert.deepEqual((await api.call({ url: '/v2/email_submissions', key: stranger })).many(), [])
  const mailbox = { method: 'DELETE', url: `/v2/mailboxes/${later.mailbox}`, key: stranger } as const
  assert.equal((await api.call(mailbox)).status, 404)
})

test('the command line creates, lists and revokes mailboxes, and manages senders', async () => {
  const account = ['--account', (await api.newAccount()).account.id]
  const created = await landfall('mailboxes', 'create', ...account)
  const address = created.out.trim()
  assert.match(address, /^documents\+\w{26}@/)
  assert.ok(await isOpen(address))
  assert.ok((await landfall('mailboxes', 'list', ...account)).out.includes(address))
  assert.equal((await landfall('mailboxes', 'revoke', 'nobody@example.com', ...account)).code, 2)
  assert.equal((await landfall('mailboxes', 'revoke', address, ...account)).code, 0)
  assert.ok(!(await isOpen(address)))
  assert.match((await landfall('mailboxes', 'list', ...account)).err, /There is no mailbox yet/)
  assert.match((await landfall('mailboxes', 'senders', 'list', ...account)).err, /list is empty/)
  assert.equal((await landfall('mailboxes', 'senders', 'add', '@a.example', ...account)).code, 0)
  assert.equal((await landfall('mailboxes', 'senders', 'add', 'nobody', ...account)).code, 1)
  assert.match((await landfall('mailboxes', 'senders', 'list', ...account)).out, /^@a\.example {2}since /)
  assert.equal((await landfall('mailboxes', 'senders', 'remove', '@a.example', ...account)).code, 0)
  assert.equal((await landfall('mailboxes', 'senders', 'remove', '@a.example', ...account)).code, 2)
})
