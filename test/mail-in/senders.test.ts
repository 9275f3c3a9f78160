// The rights of senders by e-mail: a sender on the list counts only if SPF or DKIM verifies its own domain.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createTransport, type SendMailOptions } from 'nodemailer'
import {
  createMailboxSender,
  getMailboxSenders,
  isListed,
  removeMailboxSender,
} from '../../src/modules/email-submissions/mailbox-senders.ts'
import { giveAccess } from '../support/service.ts'
import { aPdf, openTestMail, type TestMail } from './mail-in-harness.ts'

let mail: TestMail
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const keyText = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`

before(async () => {
  mail = await openTestMail()
  await giveAccess(mail.test, { scac: 'TEST', source: 'test', profile: {} })
  const { texts } = mail.names
  texts.set('line.example', 'v=spf1 ip4:192.0.2.1 -all')
  texts.set('s1._domainkey.line.example', keyText)
  texts.set('forwarder.example', 'v=spf1 ip4:127.0.0.1 -all')
  texts.set('s1._domainkey.evil.example', keyText)
  texts.set('evil.example', 'v=spf1 +all')
  texts.set('bounces.forwarder.example', 'v=spf1 ip4:127.0.0.1 -all')
})
after(() => mail.close())

const table = { filename: 'boxes.csv', content: 'Container,SCAC\nTEST-TR-SUCCEEDED,TEST\n' }
let count = 0
/** A different PDF each time, and the table, which would create requests. */
const attachments = () => {
  count += 1
  return [{ filename: 'a.pdf', content: aPdf(`sender ${count}`) }, table]
}

async function newReader(...senders: readonly string[]) {
  const { context, address } = await mail.newReader()
  for (const sender of senders) await createMailboxSender(mail.test.service, context, { sender })
  /** Sends the e-mail and processes it. Returns the states of the parts, and whether the sender was verified. */
  const judge = async (message: SendMailOptions) => {
    await mail.send({ to: address, ...message })
    await mail.test.drain()
    const [found] = await mail.listOf(context)
    return {
      states: found?.parts.map(({ state }) => state).join(' '),
      reason: found?.parts[0]?.reason ?? '',
      judged: `spf=${found?.spf} dkim=${found?.dkim} proven=${found?.isSenderVerified}`,
    }
  }
  return { context, address, judge }
}

const bothDone = 'document import'
const refused = 'refused refused'
const byLine = { domainName: 'line.example', keySelector: 's1', privateKey: pem }

/** The bytes as nodemailer signs them. */
async function signed(message: SendMailOptions, dkim: object = byLine): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message: bytes } = await transport.sendMail({
    ...message,
    dkim: dkim as NonNullable<SendMailOptions['dkim']>,
  })
  return bytes as Buffer
}

test('without a sender list, PDFs of every sender become documents, and tables are refused', async () => {
  const { judge } = await newReader()
  const found = await judge({ from: 'ops@forwarder.example', attachments: attachments() })
  assert.equal(found.states, 'document refused')
  assert.equal(found.judged, 'spf=pass dkim=none proven=false')
})

test('SPF verifies a listed sender, for its own domain and for a subdomain', async () => {
  const { judge } = await newReader('OPS@Forwarder.Example')
  const from = 'ops@forwarder.example'
  assert.deepEqual(await judge({ from, attachments: attachments() }), {
    states: bothDone,
    reason: '',
    judged: 'spf=pass dkim=none proven=true',
  })
  const envelope = { from: 'b@bounces.forwarder.example', to: '' }
  const { address, judge: again } = await newReader('@forwarder.example')
  assert.equal(
    (await again({ from, envelope: { ...envelope, to: address }, attachments: attachments() })).states,
    bothDone,
  )
})

test('a listed address only in `From` is not verified: SPF fails, or passes for another domain', async () => {
  const { address, judge } = await newReader('@line.example')
  const from = 'bookings@line.example'
  const spoofed = await judge({ from, attachments: attachments() })
  assert.equal(spoofed.states, refused)
  assert.equal(spoofed.judged, 'spf=fail dkim=none proven=false')
  assert.match(spoofed.reason, /SPF fail, DKIM none/)
  const envelope = { from: 'x@evil.example', to: address }
  const other = await judge({ from, envelope, attachments: attachments() })
  assert.deepEqual([other.states, other.judged], [refused, 'spf=pass dkim=none proven=false'])
  const unlisted = await judge({ from: 'x@evil.example', attachments: attachments() })
  assert.equal(unlisted.states, refused)
  assert.match(unlisted.reason, /not on the list/)
})

test('a DKIM signature verifies a sender only if the domain of the sender signed the unchanged e-mail', async () => {
  const { address, judge } = await newReader('@line.example')
  const from = 'bookings@line.example'
  const good = await signed({ from, to: address, subject: 'Good', attachments: attachments() })
  const envelope = { from: 'relay@evil.example', to: address }
  const found = await judge({ raw: good, envelope })
  assert.deepEqual([found.states, found.judged], [bothDone, 'spf=pass dkim=pass proven=true'])
  const evil = { ...byLine, domainName: 'evil.example' }
  const other = await signed({ from, to: address, subject: 'Other', attachments: attachments() }, evil)
  assert.equal((await judge({ raw: other, envelope })).states, refused)
  const altered = Buffer.from(good.toString('latin1').replace('Subject: Good', 'Subject: Goof'), 'latin1')
  const found3 = await judge({ raw: altered, envelope })
  assert.deepEqual([found3.states, found3.judged], [refused, 'spf=pass dkim=fail proven=false'])
})

test('a valid signature does not verify an e-mail with a second From or Content-Type, or an unsigned part or From', async () => {
  const { address, judge } = await newReader('@line.example')
  const from = 'bookings@line.example'
  const envelope = { from: 'relay@evil.example', to: address }
  const good = await signed({ from, to: address, subject: 'Doubled', attachments: attachments() })
  for (const field of ['From: x@evil.example\r\n', 'Content-Type: multipart/mixed; boundary=evil\r\n']) {
    const { states, judged } = await judge({ raw: Buffer.concat([Buffer.from(field), good]), envelope })
    assert.doesNotMatch(states ?? '', /document|import/, field)
    assert.match(judged, /proven=false/)
  }
  const short = await signed({ from, to: address, subject: 'Short', attachments: attachments() })
  const withLength = Buffer.from(short.toString('latin1').replace(/;(\s+)h=/, '; l=10;$1h='), 'latin1')
  assert.match((await judge({ raw: withLength, envelope })).judged, /dkim=policy proven=false/)
  const unsigned = await signed(
    { from, to: address, subject: 'Unsigned', attachments: attachments() },
    { ...byLine, headerFieldNames: 'subject:to' },
  )
  assert.match((await judge({ raw: unsigned, envelope })).judged, /dkim=policy proven=false/)
})

test('while name servers do not answer, the e-mail waits undecided', async () => {
  const { address, context } = await newReader('@forwarder.example')
  mail.names.failing.add('forwarder.example')
  await mail.send({ from: 'ops@forwarder.example', to: address, attachments: attachments() })
  await mail.test.drain()
  const [waiting] = await mail.listOf(context)
  assert.deepEqual([waiting?.status, waiting?.isSenderVerified], ['working', null])
  assert.deepEqual(
    waiting?.parts.map(({ state }) => state),
    ['waiting', 'waiting'],
  )
  mail.names.failing.delete('forwarder.example')
  await mail.test.pass(1)
  const [done] = await mail.listOf(context)
  assert.deepEqual(
    done?.parts.map(({ state }) => state),
    ['document', 'import'],
  )
})

test('if name servers do not answer for hours, the sender is unverified', async () => {
  const { address, context } = await newReader('@forwarder.example')
  mail.names.failing.add('forwarder.example')
  await mail.send({ from: 'ops@forwarder.example', to: address, attachments: attachments() })
  await mail.test.pass(6)
  mail.names.failing.delete('forwarder.example')
  const [found] = await mail.listOf(context)
  assert.deepEqual([found?.status, found?.spf, found?.isSenderVerified], ['done', 'temperror', false])
  assert.equal(found?.parts[0]?.state, 'refused')
})

test('the sender list accepts addresses and domains, each once, and entries can be deleted', async () => {
  const { context } = await newReader('@Bücher.example')
  const { service } = mail.test
  assert.deepEqual(
    (await getMailboxSenders(service, context)).map(({ sender }) => sender),
    ['@xn--bcher-kva.example'],
  )
  for (const sender of [
    '',
    'nobody',
    '@',
    '@com',
    'a@b',
    'a b@example.com',
    'a@example.com, b@example.com',
    '@bücher.example',
  ])
    await assert.rejects(createMailboxSender(service, context, { sender }), { code: 'invalid' }, sender)
  const [{ id } = { id: '' }] = await getMailboxSenders(service, context)
  await removeMailboxSender(service, context, { id })
  await assert.rejects(removeMailboxSender(service, context, { id }), { code: 'not_found' })
  assert.deepEqual(await getMailboxSenders(service, context), [])
})

test('a domain on the list does not include its subdomains, nor domains with the same ending', () => {
  const senders = ['@line.example', 'one@other.example']
  for (const address of ['a@line.example', 'A@LINE.EXAMPLE', 'one@other.example']) assert.ok(isListed(senders, address))
  for (const address of [
    'a@x.line.example',
    'a@myline.example',
    'two@other.example',
    'line.example',
    'a@line.example@evil.example',
  ])
    assert.ok(!isListed(senders, address), address)
})
