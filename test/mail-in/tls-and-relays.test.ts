// TLS, and mail servers in front: for which clients they may speak.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { selfSignedCertificate } from '../connectors/dcsa/certificate.ts'
import { openTestMail, talk } from './mail-in-harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'landfall-tls-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const from = 'ops@sender.example'

test('with a key and a certificate, STARTTLS is offered and works', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const certificate = selfSignedCertificate({ ...keys, isLoopback: true })
  writeFileSync(key, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(cert, certificate)
  const mail = await openTestMail({ env: { LANDFALL_MAIL_IN_TLS_KEY: key, LANDFALL_MAIL_IN_TLS_CERT: cert } })
  try {
    const { context, address } = await mail.newReader()
    const transport = createTransport({
      host: '127.0.0.1',
      port: mail.mailIn.port,
      requireTLS: true,
      tls: { ca: [certificate] },
    })
    await transport.sendMail({ from, to: address, text: 'In secret' })
    transport.close()
    assert.equal((await mail.listOf(context)).length, 1)
  } finally {
    await mail.close()
  }
})

test('a certificate that does not match the key prevents the start', async () => {
  const [one, two] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
  const [key, cert] = [join(folder, 'other-key.pem'), join(folder, 'other-cert.pem')]
  writeFileSync(key, one?.privateKey.export({ type: 'pkcs8', format: 'pem' }) ?? '')
  if (two !== undefined) writeFileSync(cert, selfSignedCertificate(two))
  await assert.rejects(
    openTestMail({ env: { LANDFALL_MAIL_IN_TLS_KEY: key, LANDFALL_MAIL_IN_TLS_CERT: cert } }),
    /key values mismatch/,
  )
})

test('checks SPF with the client address that a trusted relay forwards', async () => {
  const mail = await openTestMail({ env: { LANDFALL_MAIL_IN_RELAYS: '127.0.0.0/8' } })
  mail.names.texts.set('sender.example', 'v=spf1 ip4:192.0.2.7 -all')
  try {
    const { context, address } = await mail.newReader()
    const say = (subject: string, ...lines: readonly string[]) =>
      talk(mail.mailIn.port, [
        'EHLO relay.example',
        ...lines,
        `MAIL FROM:<${from}>`,
        `RCPT TO:<${address}>`,
        'DATA',
        `Subject: ${subject}\r\nFrom: ${from}\r\n\r\nHello\r\n.`,
      ])
    const first = await say('told', 'XFORWARD ADDR=192.0.2.7 HELO=mx.sender.example')
    assert.match(first[1] ?? '', /XFORWARD/)
    assert.match(first.at(-1) ?? '', /^250 /)
    await say('forged', 'XFORWARD ADDR=192.0.2.8 HELO=mx.sender.example')
    await say('silent')
    await mail.test.drain()
    const found = (await mail.listOf(context)).map(({ subject, spf }) => [subject, spf])
    assert.deepEqual(found.toSorted(), [
      ['forged', 'fail'],
      ['silent', 'none'],
      ['told', 'pass'],
    ])
  } finally {
    await mail.close()
  }
})
