/**
 * Mails are not lost if the mail server cannot be reached or a process is killed. If neither happens, they are sent
 * exactly once.
 */

import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Context } from '../../../src/modules/access/context.ts'
import { createInvitation, revokeInvitation } from '../../../src/modules/members/invite-member.ts'
import { insertMembership } from '../../../src/modules/members/memberships-sql.ts'
import { insertUser } from '../../../src/modules/members/users-sql.ts'
import { findResetUser, requestPasswordReset, resetPassword } from '../../../src/modules/sessions/reset-password.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { releaseAllLeases } from '../../../src/pipeline/jobs/release-leases.ts'
import { leaseMails } from '../../../src/pipeline/notifications/mails-sql.ts'
import { sendMail } from '../../../src/pipeline/notifications/send-mail.ts'
import { workMails } from '../../../src/pipeline/notifications/work-mails.ts'
import { realClock } from '../../../src/platform/clock.ts'
import { uuidV7 } from '../../../src/platform/ids.ts'
import { startWorkers } from '../../../src/server/workers.ts'
import { type MailServer, openMailServer } from '../../support/mail-server.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { announce, arrived, openReceiver, renderPlain, subscribe } from '../../support/webhooks-harness.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
let server: MailServer
let stage: TestService
let owner: Context & { readonly invitedBy: { readonly id: string; readonly name: string } }
before(async () => {
  server = await openMailServer()
  stage = await openTestService({ env: { LANDFALL_SMTP_URL: server.url } })
  const context = await stage.newAccount()
  const id = await newPerson('ada@example.com', 'Ada Harbour')
  await join(context, id, 'owner')
  owner = {
    ...context,
    actor: { kind: 'user', id },
    role: 'owner',
    scopes: ['read', 'write', 'admin'],
    invitedBy: { id, name: 'Ada Harbour' },
  }
})
after(async () => {
  await stage.close()
  await server.close()
})
afterEach(async () => {
  server.refuse = null
  await stage.service.pool.query('delete from mails')
  server.mails.length = 0
})

async function newPerson(email: string, name: string): Promise<string> {
  const id = uuidV7(stage.clock.now())
  const createdAt = new Date(stage.clock.now()).toISOString()
  await insertUser(stage.service.pool, { id, email, emailKey: email, name, passwordHash: 'none', createdAt })
  return id
}

async function join({ account }: Context, userId: string, role: string): Promise<void> {
  const createdAt = new Date(stage.clock.now()).toISOString()
  await insertMembership(stage.service.pool, { accountId: account.id, userId, role, createdAt })
}

async function waiting(): Promise<readonly Record<string, unknown>[]> {
  return (await stage.service.pool.query('select * from mails order by created_at, id')).rows
}

function inviteTo(email: string): Promise<unknown> {
  return createInvitation(stage.service, owner, { email, role: 'member' })
}

const by = { from: { ip: '10.2.0.1', userAgent: null }, requestId: 'test' }

test('stores an invitation and its mail together or not at all', async () => {
  await stage.service.pool.query('alter table mails rename to mails_away')
  try {
    await assert.rejects(inviteTo('torn@example.com'))
    const { rows } = await stage.service.pool.query(`select 1 from invitations where email = 'torn@example.com'`)
    assert.deepEqual(rows, [])
  } finally {
    await stage.service.pool.query('alter table mails_away rename to mails')
  }
})

test('sends a mail once when the mail server is back', async () => {
  await server.goAway()
  await inviteTo('dan@example.com')
  await stage.drain()
  stage.clock.advance(10_000)
  await stage.drain()
  assert.equal((await waiting()).length, 1)
  assert.equal(stage.logged().findLast(({ event }) => event === 'mail.postponed')?.['attempt'], 2)
  await server.comeBack()
  await stage.drain()
  assert.deepEqual(server.mails, [], 'not before it is due')
  stage.clock.advance(2 * minuteMs)
  await stage.drain()
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    ['dan@example.com'],
  )
  assert.deepEqual(await waiting(), [])
  stage.clock.advance(dayMs)
  await stage.drain()
  assert.equal(server.mails.length, 1)
})

test('stores no address or link in the queue and the log, whatever the mail server answers', async () => {
  server.refuse = { code: 451, words: 'try later, <eve@example.com>' }
  await inviteTo('eve@example.com')
  const [row] = await waiting()
  await stage.drain()
  const postponed = stage.logged().findLast(({ event }) => event === 'mail.postponed')
  assert.match(String(postponed?.['reason']), /EENVELOPE 451/)
  server.refuse = null
  stage.clock.advance(minuteMs)
  await stage.drain()
  const token = /token=([\w-]{43})/.exec(server.mails[0]?.text ?? '')?.[1]
  assert.ok(token)
  const shown = `${JSON.stringify(stage.logged())}${JSON.stringify(row)}${row?.['content_sealed']}`
  for (const secret of ['eve@example.com', token, 'invites you']) assert.ok(!shown.includes(secret), secret)
})

test('drops a mail whose link has expired, and logs and counts this', async () => {
  await server.goAway()
  await requestPasswordReset(stage.service, { email: 'ada@example.com' }, by)
  await stage.drain()
  assert.equal((await waiting())[0]?.['kind'], 'password_reset')
  await stage.pass(1)
  assert.deepEqual(await waiting(), [])
  const dropped = stage.logged().filter(({ event }) => event === 'mail.dropped')
  assert.deepEqual(
    dropped.map(({ kind }) => kind),
    ['password_reset'],
  )
  assert.match(await stage.service.metrics.write(), /landfall_mail_dropped_total\{kind="password_reset"\} 1/)
  await server.comeBack()
  await stage.drain()
  assert.deepEqual(server.mails, [])
})

test('retries an invitation for a week at growing intervals', async () => {
  server.refuse = { code: 450, words: 'busy' }
  await inviteTo('week@example.com')
  const gaps: number[] = []
  for (let last = stage.clock.now(); (await waiting()).length > 0; ) {
    await stage.drain()
    const [row] = await waiting()
    if (row === undefined) break
    const next = Date.parse(String(row['next_attempt_at']))
    gaps.push(next - last)
    stage.clock.advance(next - stage.clock.now())
    last = next
  }
  assert.equal(
    gaps.reduce((sum, gap) => sum + gap, 0),
    7 * dayMs,
    'until the very moment the link runs out',
  )
  assert.ok(gaps.length > 12 && gaps.length < 20, String(gaps.length))
  assert.ok((gaps[0] ?? 0) < 7_000 && Math.max(...gaps) > dayMs / 2)
})

test('many processes at once send each mail once', async () => {
  const people = Array.from({ length: 12 }, (_, place) => `p${place}@example.com`)
  for (const email of people) await inviteTo(email)
  const taken = await Promise.all([1, 2, 3, 4, 5].map(() => workMails(stage.service, 6)))
  await Promise.all(taken.flat())
  await stage.drain()
  assert.deepEqual(server.mails.map(({ to }) => to).toSorted(), people.toSorted())
})

test('another process sends the mail of a dead one when its lease expires', async () => {
  await inviteTo('lease@example.com')
  const now = stage.clock.now()
  const lease = { now: new Date(now).toISOString(), until: new Date(now + 2 * minuteMs).toISOString() }
  const leased = await leaseMails(stage.service.pool, { token: uuidV7(now), ...lease, limit: 5 })
  assert.equal(leased.length, 1)
  await stage.drain()
  assert.deepEqual(server.mails, [], 'under lease')
  stage.clock.advance(2 * minuteMs)
  await stage.drain()
  assert.equal(server.mails.length, 1)
})

test('a process that died with an unsent mail sends it after its restart', async () => {
  await inviteTo('back@example.com')
  const now = stage.clock.now()
  const lease = { now: new Date(now).toISOString(), until: new Date(now + dayMs).toISOString() }
  await leaseMails(stage.service.pool, { token: uuidV7(now), ...lease, limit: 5 })
  await releaseAllLeases(stage.service)
  await stage.drain()
  assert.equal(server.mails.length, 1)
})

test('sends a mail again under the same Message-ID if it went out just before its process died', async () => {
  await inviteTo('twice@example.com')
  const now = stage.clock.now()
  const lease = { now: new Date(now).toISOString(), until: new Date(now + minuteMs).toISOString() }
  const [mail] = await leaseMails(stage.service.pool, { token: uuidV7(now), ...lease, limit: 1 })
  assert.ok(mail)
  await sendMail(stage.service, {
    ...JSON.parse(stage.service.encryption.decrypt(mail.encryptedContent)),
    id: mail.id,
  })
  stage.clock.advance(minuteMs)
  await stage.drain()
  assert.equal(server.mails.length, 2)
  assert.equal(server.mails[0]?.messageId, server.mails[1]?.messageId)
  assert.match(server.mails[0]?.messageId ?? '', /^<[\w-]{36}@localhost>$/)
})

test('postpones a mail that was encrypted with another secret, and sends the others', async () => {
  await inviteTo('foreign@example.com')
  await stage.service.pool.query(`update mails set content_sealed = '\\x0102'`)
  await inviteTo('own@example.com')
  await stage.drain()
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    ['own@example.com'],
  )
  assert.equal((await waiting()).length, 1)
})

test('does not send a mail for a withdrawn or replaced invitation or a replaced password link', async () => {
  await server.goAway()
  await inviteTo('gone@example.com')
  const { rows } = await stage.service.pool.query(`select id from invitations where email = 'gone@example.com'`)
  await revokeInvitation(stage.service, owner, { id: rows[0].id })
  await inviteTo('again@example.com')
  await inviteTo('again@example.com')
  assert.equal((await waiting()).length, 1)
  await stage.service.pool.query('delete from mails')

  await server.comeBack()
  await requestPasswordReset(stage.service, { email: 'ada@example.com' }, by)
  await stage.drain()
  const token = /token=([\w-]{43})/.exec(server.mails.at(-1)?.text ?? '')?.[1] ?? ''
  assert.equal((await findResetUser(stage.service, token))?.email, 'ada@example.com')
  await server.goAway()
  await requestPasswordReset(stage.service, { email: 'ada@example.com' }, by)
  await stage.drain()
  assert.equal((await waiting()).length, 1)
  await resetPassword(stage.service, { token, password: 'another long password' }, by)
  assert.deepEqual(await waiting(), [])
  await server.comeBack()
})

test('a password reset request stores the same rows whether the address is known or not', async () => {
  stage.clock.advance(dayMs)
  for (const email of ['ada@example.com', 'nobody@example.com'])
    await requestPasswordReset(stage.service, { email }, by)
  const rows = await waiting()
  assert.deepEqual(
    rows.map(({ kind, about }) => ({ kind, about })),
    [
      { kind: 'password_reset_asked', about: null },
      { kind: 'password_reset_asked', about: null },
    ],
  )
  await stage.drain()
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    ['ada@example.com'],
  )
  assert.deepEqual(await waiting(), [])
  const { rows: audit } = await stage.service.pool.query(
    `select count(*) as n from audit_events where action = 'user.reset_asked' and at >= $1`,
    [new Date(stage.clock.now()).toISOString()],
  )
  assert.equal(audit[0].n, 1)
})

test('mails each person who manages webhooks when one is disabled, without the secret part of its address', async () => {
  const receiver = await openReceiver((_received, response) => response.writeHead(410).end())
  const account = await stage.newAccount()
  for (const [email, role] of [
    ['chief@example.com', 'owner'],
    ['deputy@example.com', 'admin'],
    ['clerk@example.com', 'member'],
    ['reader@example.com', 'read_only'],
  ] as const)
    await join(account, await newPerson(email, 'Somebody'), role)
  try {
    const { id } = await subscribe(stage.service, account, { url: `${receiver.url}/s3cret` })
    await announce(stage.service, account, [arrived])
    await deliverDue(stage.service, { render: renderPlain })
    await stage.drain()
    assert.deepEqual(server.mails.map(({ to }) => to).toSorted(), ['chief@example.com', 'deputy@example.com'])
    for (const { text, to } of server.mails) {
      assert.match(text, new RegExp(`webhook ${id} to 127\\.0\\.0\\.1`))
      assert.match(text, /The receiver answered 410 Gone\./)
      assert.ok(!text.includes('s3cret'))
      assert.ok(!text.includes(to === 'chief@example.com' ? 'deputy@' : 'chief@'))
    }
    await announce(stage.service, account, [arrived])
    await deliverDue(stage.service, { render: renderPlain })
    await stage.drain()
    assert.equal(server.mails.length, 2, 'once')
  } finally {
    await receiver.close()
  }
})

test('queues no password or webhook mail without a mail server', async () => {
  const silent = await openTestService()
  const receiver = await openReceiver((_received, response) => response.writeHead(410).end())
  try {
    const account = await silent.newAccount()
    const at = new Date(silent.clock.now()).toISOString()
    const id = uuidV7(silent.clock.now())
    const person = { id, email: 'ada@example.com', emailKey: 'ada@example.com', name: 'Ada', createdAt: at }
    await insertUser(silent.service.pool, { ...person, passwordHash: 'none' })
    await insertMembership(silent.service.pool, {
      accountId: account.account.id,
      userId: id,
      role: 'owner',
      createdAt: at,
    })
    await requestPasswordReset(silent.service, { email: 'ada@example.com' }, by)
    await subscribe(silent.service, account, { url: receiver.url })
    await announce(silent.service, account, [arrived])
    await deliverDue(silent.service, { render: renderPlain })
    await silent.drain()
    const { rows } = await silent.service.pool.query(
      'select (select is_active from webhooks), (select count(*) from mails) as n',
    )
    assert.deepEqual(rows, [{ is_active: false, n: 0 }])
  } finally {
    await receiver.close()
    await silent.close()
  }
})

test('running workers send a mail as soon as it is written, and finish it before they stop', async () => {
  const service = { ...stage.service, clock: realClock }
  const workers = startWorkers(service, { render: renderPlain })
  try {
    const began = new Promise<void>((resolve) => {
      server.heard = resolve
    })
    await createInvitation(service, owner, { email: 'live@example.com', role: 'member' })
    await began
  } finally {
    await workers.stop()
  }
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    ['live@example.com'],
  )
  assert.deepEqual(await waiting(), [])
})
