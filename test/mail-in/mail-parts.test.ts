// What happens to the parts of an e-mail: documents, tables, EDI files, and everything that is refused or ignored.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SendMailOptions } from 'nodemailer'
import type { Context } from '../../src/modules/access/context.ts'
import { createChannel } from '../../src/modules/channels/channels.ts'
import { createMailboxSender } from '../../src/modules/email-submissions/mailbox-senders.ts'
import { fileStoreOf } from '../../src/pipeline/response-archive/file-store.ts'
import { giveAccess } from '../support/service.ts'
import { aPdf, openTestMail, type TestMail } from './mail-in-harness.ts'

let mail: TestMail
before(async () => {
  mail = await openTestMail()
  await giveAccess(mail.test, { scac: 'TEST', source: 'test', profile: {} })
  mail.names.texts.set('sender.example', 'v=spf1 ip4:127.0.0.1 -all')
})
after(() => mail.close())

const from = 'ops@sender.example'
const jpeg = Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), Buffer.alloc(100_000, 7)])
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(2_000, 7)])
const x12 =
  'ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260201*1200*U*00401*000000007*0*P*>~GS*QO*PIER*LANDFALL*20260201*1200*7*X*004010~ST*315*0001~B4***ZQ*20260117*0900**LDFU*100001*L*45R1*LOS ANGELES*UN*8~N9*BM*HLCUINBD00000001~SE*4*0001~GE*1*7~IEA*1*000000007~'

interface Reader {
  readonly context: Context
  readonly address: string
  readonly take: (mail: SendMailOptions) => Promise<readonly string[]>
}

/** `take` sends an e-mail, processes it, and returns for each part its name, its state and the reason. */
async function newReader(options: { readonly trusts?: string } = {}): Promise<Reader> {
  const { context, address } = await mail.newReader()
  if (options.trusts !== undefined) await createMailboxSender(mail.test.service, context, { sender: options.trusts })
  return {
    context,
    address,
    take: async (message) => {
      await mail.send({
        from,
        to: address,
        ...message,
        ...(message.raw !== undefined && { envelope: { from, to: address } }),
      })
      await mail.test.drain()
      const [found] = await mail.listOf(context)
      assert.equal(found?.status, 'done')
      return found.parts.map(
        ({ fileName, state, reason }) => `${fileName} ${state}${reason === null ? '' : `: ${reason}`}`,
      )
    },
  }
}

const rowsOf = async (table: string, { account }: Context): Promise<number> => {
  const { rows } = await mail.test.service.pool.query<{ n: number }>(
    `select count(*)::int as n from ${table} where account_id = $1`,
    [account.id],
  )
  return rows[0]?.n ?? 0
}

test('PDFs and photographs become documents; inline logos, archives, signatures and programs do not', async () => {
  const { context, take } = await newReader()
  const parts = await take({
    html: '<p>Hello</p><img src="cid:logo"><img src="cid:photo">',
    attachments: [
      { filename: 'logo.png', content: png, cid: 'logo' },
      { filename: 'photo.jpg', content: jpeg, cid: 'photo' },
      { filename: 'bill.pdf', content: aPdf('bill') },
      { filename: 'no-ending', content: aPdf('hidden'), contentType: 'application/octet-stream' },
      { filename: 'not-really.pdf', content: 'Just words' },
      { filename: 'all.zip', content: Buffer.from('PK\x03\x04 rest', 'latin1') },
      { filename: 'letter.docx', content: Buffer.from('PK\x03\x04 rest', 'latin1') },
      { filename: 'smime.p7s', content: Buffer.from('signature') },
      { filename: 'run.exe', content: Buffer.from('MZ program') },
      { filename: 'empty.pdf', content: Buffer.alloc(0) },
      { filename: 'winmail.dat', content: Buffer.from('\x78\x9f\x3e\x22 rest', 'latin1') },
    ],
  })
  assert.deepEqual(parts, [
    'logo.png ignored: A small picture within the text of the e-mail, such as a logo.',
    'photo.jpg document',
    'bill.pdf document',
    'no-ending document',
    'not-really.pdf document',
    'all.zip ignored: Archives are not unpacked: attach the files themselves.',
    'letter.docx ignored: Documents of word processors are not read: send a PDF.',
    'smime.p7s ignored: It belongs to the e-mail itself: a signature or an invitation.',
    'run.exe refused: Only PDF, pictures, tables (CSV, XLSX) and EDI files are read.',
    'empty.pdf refused: The file is empty.',
    'winmail.dat refused: Outlook packed its attachments into winmail.dat: send it as HTML or plain text.',
  ])
  assert.equal(await rowsOf('documents', context), 4)
})

test('an e-mail without attachments is stored with its text only', async () => {
  const { context, take } = await newReader()
  assert.deepEqual(await take({ subject: 'Question', text: 'Where is it?' }), [])
  const [found] = await mail.listOf(context)
  assert.equal(found?.body, 'Where is it?')
})

test('the text of an HTML e-mail with attachments is extracted', async () => {
  const { context, take } = await newReader()
  await take({
    html: '<p>Dear team,</p><p>see <b>below</b></p>',
    attachments: [{ filename: 'a.pdf', content: aPdf('h') }],
  })
  const [found] = await mail.listOf(context)
  assert.equal(found?.body, 'Dear team,\n\nsee below')
})

test('a file that arrives again, in the same e-mail or the next, refers to the existing document', async () => {
  const { context, take } = await newReader()
  const content = aPdf('the same')
  const again = 'repeated: The account already has a document with the same bytes.'
  const both = [
    { filename: 'a.pdf', content },
    { filename: 'b.pdf', content },
  ]
  assert.deepEqual(await take({ text: 'one', attachments: both }), ['a.pdf document', `b.pdf ${again}`])
  assert.deepEqual(await take({ text: 'two', attachments: [{ filename: 'c.pdf', content }] }), [`c.pdf ${again}`])
  const [second, first] = await mail.listOf(context)
  assert.deepEqual([second?.documentIds.length, first?.documentIds.length], [0, 1])
  assert.equal(second?.parts[0]?.documentId, first?.documentIds[0])
})

test('file names lose their path and invisible characters', async () => {
  const { take } = await newReader()
  const names = ['../../etc/passwd.pdf', 'C:\\x.pdf', 'C:x.pdf', '/abs.pdf', '.hidden.pdf', 'a\u202efdp.exe', '..']
  const parts = await take({
    attachments: names.map((filename, n) => ({
      filename,
      content: aPdf(`name ${n}`),
      contentType: 'application/pdf',
    })),
  })
  assert.deepEqual(
    parts.map((part) => part.split(' ')[0]),
    ['passwd.pdf', 'x.pdf', 'x.pdf', 'abs.pdf', 'hidden.pdf', 'afdp.exe', 'null'],
  )
})

test('attachments of forwarded e-mails are processed, ten levels deep', async () => {
  const { take } = await newReader()
  const wrap = (inner: string, level: number): string =>
    [
      `From: ${from}`,
      `Subject: level ${level}`,
      'MIME-Version: 1.0',
      `Content-Type: multipart/mixed; boundary="b${level}"`,
      '',
      `--b${level}`,
      'Content-Type: application/pdf; name="at.pdf"',
      `Content-Disposition: attachment; filename="at-${level}.pdf"`,
      '',
      `%PDF-1.4 ${level}`,
      `--b${level}`,
      'Content-Type: message/rfc822',
      'Content-Disposition: attachment',
      '',
      inner,
      `--b${level}--`,
      '',
    ].join('\r\n')
  let raw = `From: ${from}\r\nSubject: innermost\r\n\r\nThe end\r\n`
  for (let level = 50; level >= 0; level -= 1) raw = wrap(raw, level)
  const parts = await take({ raw })
  assert.equal(parts[0], 'at-0.pdf document')
  assert.ok(parts.filter((part) => part.endsWith(' document')).length >= 4, parts.join('\n'))
  assert.match(parts.at(-1) ?? '', /refused: It is nested more than 10 levels deep\.$/)
  assert.ok(parts.length < 20, parts.join('\n'))
})

test('of 500 attachments the first hundred are processed, and a last part reports that there were more', async () => {
  const { context, take } = await newReader()
  const parts = await take({
    attachments: Array.from({ length: 500 }, (_, n) => ({ filename: `${n}.txt`, content: `words ${n}` })),
  })
  assert.equal(parts.length, 101)
  assert.equal(parts.at(-1), 'null refused: This e-mail has more than 100 parts. The others were not read.')
  assert.equal(await rowsOf('documents', context), 0)
})

test('an e-mail with tens of thousands of parts is stored, and none of them is processed', async () => {
  const { take } = await newReader()
  const part = '--b\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n%PDF-\r\n'
  const raw = `From: ${from}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(25_000)}--b--\r\n`
  assert.deepEqual(await take({ raw }), [
    'null refused: This e-mail is damaged, or has far too many parts. Its parts were not read.',
  ])
})

test('NULs and bytes in headers, broken base64 and unknown charsets do not prevent reading the rest', async () => {
  const { context, take } = await newReader()
  const raw = Buffer.concat([
    Buffer.from(`From: ${from}\r\nSubject: a`),
    Buffer.of(0, 1, 0xff, 0xfe),
    Buffer.from(
      [
        'b =?no-such-charset?B?!!!?= =?utf-8?Q?=00=C3?=',
        'Date: yesterday, perhaps',
        'X-\u0000: \u0000',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain; charset=x-unknown-7',
        '',
        'Hello\u0000 there',
        '--b',
        'Content-Type: application/pdf',
        'Content-Transfer-Encoding: base64',
        'Content-Disposition: attachment; filename="=?utf-8?B?w5xiZXIucGRm?="',
        '',
        `!!!${Buffer.from('%PDF-1.4 broken').toString('base64')}*** ===`,
        '--b',
        '',
      ].join('\r\n'),
    ),
  ])
  assert.deepEqual(await take({ raw }), ['Über.pdf document'])
  const [found] = await mail.listOf(context)
  assert.match(found?.subject ?? '', /^a .*b /)
  assert.match(found?.body ?? '', /^Hello there/)
  assert.equal(found?.sentAt, null)
})

test('delivery reports, automatic replies and our own e-mails are stored but not processed', async () => {
  const { context, address } = await mail.newReader()
  const attached = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: application/pdf; name=a.pdf',
    '',
    '%PDF-1.4 echo',
    '--b--',
    '',
  ].join('\r\n')
  const report = attached.replace('multipart/mixed', 'multipart/report; report-type=delivery-status')
  await mail.sendRaw(`Subject: 1\r\n${report}`, { from: '', to: address })
  await mail.sendRaw(`Subject: 2\r\nAuto-Submitted: auto-replied\r\n${attached}`, { to: address })
  await mail.sendRaw(`Subject: 3\r\nX-Landfall-Loop: 1\r\n${attached}`, { to: address })
  await mail.sendRaw(`Subject: 4\r\nAuto-Submitted: auto-generated\r\nPrecedence: bulk\r\n${attached}`, {
    to: address,
  })
  await mail.test.drain()
  const states = (await mail.listOf(context)).map(({ subject, parts }) => [subject, parts[0]?.state])
  assert.deepEqual(states.toSorted(), [
    ['1', 'ignored'],
    ['2', 'ignored'],
    ['3', 'ignored'],
    ['4', 'document'],
  ])
  const { rows } = await mail.test.service.pool.query('select from mails')
  assert.equal(rows.length, 0)
})

test('a table from a verified sender becomes tracking requests, and one without known columns is refused', async () => {
  const { context, take } = await newReader({ trusts: '@sender.example' })
  const content = 'Container,SCAC\nTEST-TR-SUCCEEDED,TEST\n'
  const parts = await take({ attachments: [{ filename: 'boxes.csv', content }] })
  assert.deepEqual(parts, ['boxes.csv import'])
  assert.equal(await rowsOf('tracking_requests', context), 1)
  assert.match(
    (await take({ attachments: [{ filename: 'nothing.csv', content: 'Colour\nred\n' }] }))[0] ?? '',
    /^nothing\.csv refused: .*column/,
  )
})

test('an EDI file goes to the channel for its interchange sender; without such a channel it is refused', async () => {
  const { context, take } = await newReader({ trusts: from })
  const attachments = [{ filename: '315.txt', content: x12 }]
  assert.match(
    (await take({ text: 'one', attachments }))[0] ?? '',
    /^315\.txt refused: The account has no channel for X12 from PIER\. .*"senders": \["PIER"\]/,
  )
  const other = await mail.newReader()
  const speaker = { kind: 'terminal', code: 'Y258' } as const
  const common = {
    speaker,
    source: 'x12',
    profile: { senders: ['pier'] },
    isFirstHand: true,
    keyKind: 'bearer',
  } as const
  // The channel of another account and one of the installation do not belong to the account.
  await createChannel(mail.test.service, { ...common, name: 'of-other', account: other.context.account })
  await createChannel(mail.test.service, { ...common, name: 'of-all', account: null })
  assert.match((await take({ text: 'two', attachments }))[0] ?? '', /no channel for X12/)
  await createChannel(mail.test.service, { ...common, name: 'pier', account: context.account })
  assert.deepEqual(await take({ text: 'three', attachments }), ['315.txt message'])
  assert.equal(await rowsOf('inbound_messages', context), 1)
  assert.equal(await rowsOf('inbound_messages', other.context), 0)
  const edifact = "UNB+UNOC:3+LINER:14+US:14+260201:1200+1'UNZ+0+1'"
  assert.match(
    (await take({ attachments: [{ filename: 'b.edi', content: edifact }] }))[0] ?? '',
    /no channel for EDIFACT from LINER/,
  )
})

test('processing continues after an interruption and forwards each part once', async () => {
  const { context, take } = await newReader({ trusts: from })
  const speaker = { kind: 'terminal', code: 'Y259' } as const
  const profile = { senders: ['PIER'] }
  const channel = { name: 'cut', account: context.account, speaker, source: 'x12', profile }
  await createChannel(mail.test.service, { ...channel, isFirstHand: true, keyKind: 'bearer' })
  const same = aPdf('cut')
  const parts = await take({
    attachments: [
      { filename: 'a.pdf', content: same },
      { filename: 'b.pdf', content: same },
      { filename: 'c.csv', content: 'Container,SCAC\nTEST-TR-SUCCEEDED,TEST\n' },
      { filename: 'd.edi', content: x12 },
    ],
  })
  const [before] = await mail.listOf(context)
  const { pool, clock } = mail.test.service
  for (const from of [3, 2, 1, 0]) {
    // The state of the database if the process ends after forwarding a part and before recording this.
    await pool.query(
      `update email_parts set state = 'waiting', reason = null, document_id = null, import_id = null, message_id = null
        where account_id = $1 and place >= $2`,
      [context.account.id, from],
    )
    await pool.query(`update email_submissions set due_at = $2 where account_id = $1`, [
      context.account.id,
      new Date(clock.now()).toISOString(),
    ])
    await mail.test.drain()
    const [after] = await mail.listOf(context)
    assert.deepEqual(after?.parts, before?.parts)
  }
  assert.deepEqual(
    parts.map((part) => part.split(/[ :]/)[1]),
    ['document', 'repeated', 'import', 'message'],
  )
  const tables = ['documents', 'imports', 'inbound_messages', 'tracking_requests']
  assert.deepEqual(await Promise.all(tables.map((table) => rowsOf(table, context))), [1, 1, 1, 1])
})

test('the raw e-mail and its text are stored encrypted', async () => {
  const { context, take } = await newReader()
  await take({
    subject: 'In clear',
    text: 'Only for the account',
    attachments: [{ filename: 'a.pdf', content: aPdf('x') }],
  })
  const { rows } = await mail.test.service.pool.query(
    'select sealed_body, client_ip, helo, mail_from from email_submissions where account_id = $1',
    [context.account.id],
  )
  assert.ok(!rows[0]?.sealed_body.includes('Only'))
  assert.deepEqual([rows[0]?.client_ip, rows[0]?.helo, rows[0]?.mail_from], ['127.0.0.1', 'mx.sender.example', from])
})

test('after the retention period the raw e-mail is deleted; its documents and its text stay', async () => {
  const { context, take } = await newReader()
  await take({ text: 'Kept', attachments: [{ filename: 'old.pdf', content: aPdf('old') }] })
  const { service } = mail.test
  const fileOf = async (): Promise<string | null> =>
    (
      await service.pool.query<{ file_id: string | null }>(
        'select file_id from email_submissions where account_id = $1',
        [context.account.id],
      )
    ).rows[0]?.file_id ?? null
  const fileId = (await fileOf()) ?? ''
  const files = fileStoreOf(service)
  assert.ok((await files.get(fileId)) !== null)
  mail.test.clock.advance(31 * 86_400_000)
  await mail.test.drain()
  mail.test.clock.advance(3_600_000)
  await mail.test.drain()
  assert.equal(await fileOf(), null)
  assert.equal(await files.get(fileId), null)
  const [found] = await mail.listOf(context)
  assert.deepEqual([found?.body, found?.parts[0]?.state, found?.documentIds.length], ['Kept', 'document', 1])
})
