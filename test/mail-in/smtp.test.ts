// The SMTP server: what it accepts, what it refuses, and that it stores everything that it has accepted.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import type { Pool } from '../../src/db/database.ts'
import { deleteMailbox, getMailboxes } from '../../src/modules/email-submissions/mailboxes.ts'
import { aPdf, domain, openTestMail, type TestMail, talk } from './mail-in-harness.ts'

let mail: TestMail
before(async () => {
  mail = await openTestMail({ env: { LANDFALL_MAIL_IN_MB: '1', LANDFALL_MAIL_IN_RECIPIENTS: '3' } })
})
after(() => mail.close())

const from = 'ops@sender.example'
const refused = (code: number) => (error: unknown) => {
  assert.equal((error as { readonly responseCode?: number }).responseCode, code, String(error))
  return true
}

test('an e-mail to a mailbox is stored before it is accepted, and its attachment becomes a document', async () => {
  const { context, address } = await mail.newReader()
  const attachments = [{ filename: 'notice.pdf', content: aPdf('first') }]
  const answer = await mail.send({
    from,
    to: address,
    subject: 'Arrival notice',
    text: 'See below',
    attachments,
  })
  assert.match(answer, /^250 /)
  const [before] = await mail.listOf(context)
  assert.equal(before?.status, 'working')
  await mail.test.drain()
  const [found] = await mail.listOf(context)
  assert.equal(found?.status, 'done')
  assert.equal(found.subject, 'Arrival notice')
  assert.equal(found.body, 'See below')
  assert.deepEqual(found.from, [from])
  assert.deepEqual(
    found.parts.map(({ fileName, state, documentId }) => [fileName, state, documentId]),
    [['notice.pdf', 'document', found.documentIds[0]]],
  )
})

test('no e-mail is relayed, and an unknown, deleted or misspelt mailbox gets the same answer', async () => {
  const { context, address } = await mail.newReader()
  const [known] = await getMailboxes(mail.test.service, context)
  await deleteMailbox(mail.test.service, context, { id: known?.id ?? '' })
  const token = /\+(\w+)@/.exec(address)?.[1] ?? ''
  const others = [
    address,
    `documents+${token.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))}@${domain}`,
    `documents+${token.slice(1)}@${domain}`,
    `documents+@${domain}`,
    `postmaster@${domain}`,
    `documents+${token}@elsewhere.example`,
    'somebody@elsewhere.example',
  ]
  const lines = ['EHLO mx.sender.example', `MAIL FROM:<${from}>`, ...others.map((each) => `RCPT TO:<${each}>`)]
  const answers = (await talk(mail.mailIn.port, [...lines, 'DATA'])).slice(3)
  assert.deepEqual(answers, [...others.map(() => '550 5.1.1 No such mailbox here.'), '503 Error: need RCPT command'])
})

test('an address is case-insensitive, and its prefix before the token is optional', async () => {
  const { context, address } = await mail.newReader()
  await mail.send({ from, to: address.toUpperCase(), text: 'one' })
  await mail.send({ from, to: address.replace('documents+', ''), text: 'two' })
  assert.equal((await mail.listOf(context)).length, 2)
})

test('one e-mail to mailboxes of two accounts is stored once for each of them, and for no other account', async () => {
  const [one, two, three] = [await mail.newReader(), await mail.newReader(), await mail.newReader()]
  // A recipient that only the header names gets nothing.
  const raw = `From: ${from}\r\nTo: ${three.address}\r\nSubject: both\r\n\r\nHello\r\n`
  await mail.send({ raw, envelope: { from, to: [one.address, two.address] } })
  for (const { context } of [one, two]) assert.equal((await mail.listOf(context)).length, 1)
  assert.equal((await mail.listOf(three.context)).length, 0)
})

test('a repeated e-mail is one submission, also with additional Received lines', async () => {
  const { context, address } = await mail.newReader()
  const raw = `From: ${from}\r\nSubject: twice\r\nMessage-ID: <twice@sender.example>\r\n\r\nHello\r\n`
  await mail.sendRaw(raw, { to: address })
  await mail.test.drain()
  await mail.sendRaw(raw, { to: address })
  await mail.sendRaw(`Received: from a by b; Tue, 3 Feb 2026 10:00:00 +0000\r\n${raw}`, { to: address })
  await mail.test.drain()
  assert.equal((await mail.listOf(context)).length, 1)
})

test('an e-mail that is too large, has a too large header or loops is refused and not stored', async () => {
  const { context, address } = await mail.newReader()
  await assert.rejects(
    mail.send({ from, to: address, attachments: [{ filename: 'a.pdf', content: randomBytes(900_000) }] }),
    refused(552),
  )
  const many = `X-Many: ${'x'.repeat(60)}\r\n`.repeat(8_000)
  await assert.rejects(mail.sendRaw(`${many}Subject: a\r\n\r\nb\r\n`, { to: address }), refused(552))
  await assert.rejects(
    mail.sendRaw(`X-One: ${'x'.repeat(700_000)}\r\nSubject: a\r\n\r\nb\r\n`, { to: address }),
    refused(552),
  )
  const hops = 'Received: from a by b; Tue, 3 Feb 2026 10:00:00 +0000\r\n'.repeat(51)
  await assert.rejects(mail.sendRaw(`${hops}Subject: a\r\n\r\nb\r\n`, { to: address }), refused(554))
  assert.equal((await mail.listOf(context)).length, 0)
})

test('a declared size above the limit and one recipient too many are refused at once', async () => {
  const { address } = await mail.newReader()
  const [, , size] = await talk(mail.mailIn.port, ['EHLO a.example', `MAIL FROM:<${from}> SIZE=99999999`])
  assert.match(size ?? '', /^552 /)
  const others = [1, 2, 3].map(async () => (await mail.newReader()).address)
  const to = [address, ...(await Promise.all(others))]
  const answers = await talk(mail.mailIn.port, [
    'EHLO a.example',
    `MAIL FROM:<${from}>`,
    ...to.map((each) => `RCPT TO:<${each}>`),
  ])
  assert.deepEqual(
    answers.slice(3).map((answer) => answer.slice(0, 3)),
    ['250', '250', '250', '452'],
  )
})

test('a connection that breaks during a message stores nothing', async () => {
  const { context, address } = await mail.newReader()
  const socket = connect(mail.mailIn.port, '127.0.0.1')
  for (const line of ['EHLO a.example', `MAIL FROM:<${from}>`, `RCPT TO:<${address}>`, 'DATA']) {
    await once(socket, 'data')
    socket.write(`${line}\r\n`)
  }
  await once(socket, 'data')
  socket.write('Subject: half\r\n\r\nThis is only the fir')
  socket.destroy()
  await once(socket, 'close')
  const socketEnd = connect(mail.mailIn.port, '127.0.0.1')
  for (const line of ['EHLO a.example', `MAIL FROM:<${from}>`, `RCPT TO:<${address}>`, 'DATA']) {
    await once(socketEnd, 'data')
    socketEnd.write(`${line}\r\n`)
  }
  await once(socketEnd, 'data')
  // The end of the connection is not the end of the message.
  socketEnd.end('Subject: half\r\n\r\nThis is only the fir\r\n')
  await once(socketEnd, 'close')
  await mail.send({ from, to: address, text: 'whole' })
  assert.equal((await mail.listOf(context)).length, 1)
})

/** After this many further connections the pool gives none. Returns a function that ends this. */
function goAway(pool: Pool, connectionsLeft: number): () => void {
  const real = pool.connect
  let left = connectionsLeft
  const connectOrNot = (...args: readonly unknown[]): unknown => {
    left -= 1
    if (left >= 0) return Reflect.apply(real, pool, args)
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const [done] = args
    if (typeof done !== 'function') return Promise.reject(error)
    return void done(error)
  }
  pool.connect = connectOrNot as typeof pool.connect
  return () => {
    pool.connect = real
  }
}

test('while the database is unavailable the sender is told to retry, and nothing is lost or duplicated', async () => {
  const { context, address } = await mail.newReader()
  const raw = `From: ${from}\r\nSubject: patient\r\n\r\nHello\r\n`
  const { pool } = mail.test.service
  // Before the recipient is known, and between that and the message.
  for (const connectionsLeft of [0, 1, 2, 3]) {
    const comeBack = goAway(pool, connectionsLeft)
    await assert.rejects(mail.sendRaw(raw, { to: address }), refused(451))
    comeBack()
  }
  assert.equal((await mail.listOf(context)).length, 0)
  await mail.sendRaw(raw, { to: address })
  await mail.sendRaw(raw, { to: address })
  assert.equal((await mail.listOf(context)).length, 1)
})

test('refuses sign-in, STARTTLS without a certificate and a claimed client address', async () => {
  const answers = await talk(mail.mailIn.port, [
    'EHLO a.example',
    'AUTH PLAIN AGEAYg==',
    'STARTTLS',
    'XCLIENT ADDR=192.0.2.1',
    'XFORWARD ADDR=192.0.2.1',
    'VRFY postmaster',
  ])
  assert.doesNotMatch(answers[1] ?? '', /AUTH|STARTTLS|XCLIENT|XFORWARD/)
  for (const answer of answers.slice(2, 6)) assert.match(answer, /^5\d\d /)
  assert.match(answers[6] ?? '', /^252 /)
})

test('a client that tries many unknown mailboxes, or sends nonsense or an endless line, is disconnected', async () => {
  const tries = Array.from({ length: 11 }, (_, n) => `RCPT TO:<documents+${n}@${domain}>`)
  const answers = await talk(mail.mailIn.port, ['EHLO a.example', `MAIL FROM:<${from}>`, ...tries])
  assert.match(answers.at(-1) ?? '', /^421 /)
  const nonsense = await talk(mail.mailIn.port, ['EHLO a.example', ...Array.from({ length: 10 }, () => 'HELLO')])
  assert.match(nonsense.at(-1) ?? '', /^421 /)
  const long = await talk(mail.mailIn.port, [`EHLO ${'a'.repeat(100_000)}`])
  assert.match(long.at(-1) ?? '', /^(|[45]\d\d .*)$/)
})

test('a silent or very slow client is disconnected', async () => {
  const impatient = await openTestMail({ patience: { idleMs: 400, connectionMs: 900 } })
  try {
    const silent = connect(impatient.mailIn.port, '127.0.0.1')
    silent.resume()
    await once(silent, 'close')
    const slow = connect(impatient.mailIn.port, '127.0.0.1')
    slow.on('error', () => {})
    slow.resume()
    const closed = once(slow, 'close')
    // It is closed although it is never silent.
    const drip = setInterval(() => slow.write('x'), 100)
    await closed
    clearInterval(drip)
  } finally {
    await impatient.close()
  }
})

test('e-mails are limited for each account and each network address', async () => {
  const strict = await openTestMail({
    env: { LANDFALL_MAIL_IN_PER_ACCOUNT: '2', LANDFALL_MAIL_IN_PER_ADDRESS: '6' },
  })
  try {
    const [one, two] = [await strict.newReader(), await strict.newReader()]
    await strict.send({ from, to: one.address, text: '1' })
    await strict.send({ from, to: one.address, text: '2' })
    await assert.rejects(strict.send({ from, to: one.address, text: '3' }), refused(452))
    await strict.send({ from, to: two.address, text: '1' })
    strict.test.clock.advance(3_600_001)
    await strict.send({ from, to: one.address, text: '3' })
    for (let n = 1; n < 6; n += 1) await strict.send({ from, to: two.address, text: `a${n}` }).catch(() => {})
    await assert.rejects(strict.send({ from, to: one.address, text: '4' }), refused(421))
  } finally {
    await strict.close()
  }
})

test('the log contains no address and no content of an e-mail', async () => {
  const { address } = await mail.newReader()
  await mail.send({ from, to: address, subject: 'Secret subject', text: 'Secret body' })
  await mail.test.drain()
  const text = JSON.stringify(mail.test.logged())
  assert.match(text, /email\.taken/)
  assert.doesNotMatch(text, /Secret|ops@sender\.example/)
  assert.ok(!text.includes(/\+(\w+)@/.exec(address)?.[1] ?? '?'))
})
