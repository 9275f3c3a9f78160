// Whatever a file is, reading it ends, soon, with its words or with a reason; and nothing in it is run or fetched.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { PagesReading, UnreadableReason } from '../../../src/sources/documents/document.ts'
import { readPagesApart } from '../../../src/sources/documents/pages/read-pages-apart.ts'
import { makePdf } from './made-pdf.ts'
import { claimed, readOnly, textOf } from './reading.ts'
import { streamOf, writeObjects, writePage } from './written-pdf.ts'

const say = (text: string) => `BT /F1 12 Tf 40 200 Td (${text}) Tj ET`

async function readTimed(
  bytes: Buffer,
): Promise<{ readonly reading: PagesReading; readonly tookMs: number }> {
  const startedAt = performance.now()
  const reading = await readPagesApart(bytes, claimed, { limits: { timeoutMs: 20_000 } })
  return { reading, tookMs: performance.now() - startedAt }
}

async function wordsOf(bytes: Buffer, secondsMax = 10): Promise<UnreadableReason | string> {
  const { reading, tookMs } = await readTimed(bytes)
  assert.ok(tookMs < secondsMax * 1_000, `${tookMs} ms`)
  return reading.ok ? reading.pages.map(textOf).join(' ') : reading.reason
}

test('a file that opens with a password only is encrypted', async () => {
  assert.equal(await wordsOf(await makePdf((pdf) => pdf.text('SECRET'), { userPassword: 'x' })), 'encrypted')
})

test('a file that is encrypted but opens for everybody is read', async () => {
  assert.equal(await wordsOf(await makePdf((pdf) => pdf.text('OPEN'), { ownerPassword: 'x' })), 'OPEN')
})

test('a file of 2,000 pages is refused at once, and not read', async () => {
  const pages = Array.from({ length: 2_000 }, (_, index) => index + 3)
  const file = writeObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((each) => `${each} 0 R`).join(' ')}] /Count 2000 >>`,
    ...pages.map(() => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] >>'),
  ])
  assert.equal(await wordsOf(file, 3), 'too_many_pages')
})

test('a file that claims a billion pages and has one does not make us look for them', async () => {
  const file = writePage(say('ONE')).toString('latin1').replace('/Count 1 ', '/Count 1000000000 ')
  assert.ok(['too_many_pages', 'damaged', 'ONE'].includes(await wordsOf(Buffer.from(file, 'latin1'))))
})

const unsupported: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['a page of HTML', Buffer.from('<!doctype html><html><body>ARRIVAL NOTICE</body></html>')],
  ['a ZIP', Buffer.from('504b0304140000000800', 'hex')],
  ['a picture of an iPhone (HEIC)', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
  ['SVG, which may hold scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['garbage', Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 251))],
]
for (const [what, bytes] of unsupported)
  test(`${what} is of no kind that is read, whatever its name says`, async () => {
    assert.equal(await wordsOf(bytes, 1), 'unsupported_type')
  })

test('a PDF under the name of a picture, and a picture under that of a PDF, are read as what they are', async () => {
  const reading = await readPagesApart(writePage(say('WORD')), {
    contentType: 'image/png',
    fileName: '../../photo.png',
  })
  assert.ok(reading.ok && reading.pages[0]?.words[0]?.text === 'WORD')
  const blank = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
  assert.equal(await wordsOf(blank), 'no_text')
})

test('an empty file, a PDF that is cut off and one of garbage are damaged', async () => {
  assert.equal(await wordsOf(Buffer.alloc(0), 1), 'damaged')
  assert.equal(await wordsOf(Buffer.from('%PDF-1.7\ngarbage')), 'damaged')
  assert.equal(await wordsOf(writePage(say('CUT')).subarray(0, 150)), 'damaged')
})

test('pictures that are cut off are damaged', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const whole = sharp({ create: { width: 400, height: 400, channels: 3, background: 'white', noise } })
  for (const bytes of [
    await whole.clone().jpeg().toBuffer(),
    await whole.clone().png().toBuffer(),
    await whole.clone().webp().toBuffer(),
    await whole.clone().tiff().toBuffer(),
  ])
    assert.equal(await wordsOf(bytes.subarray(0, bytes.length / 2)), 'damaged')
})

test('a file above 25 MB is too large', async () => {
  assert.equal(
    await wordsOf(Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(26 * 1_048_576)]), 1),
    'too_large',
  )
})

/** Twice packed: some kilobytes that become this many megabytes. */
function packedTwice(megabytes: number): Buffer {
  return deflateSync(deflateSync(Buffer.alloc(megabytes * 1_048_576, ' '), { level: 9 }), { level: 9 })
}

test('a stream that unpacks to a gigabyte ends, and we with our memory are not touched', async () => {
  const filter = '/Filter [/FlateDecode /FlateDecode]'
  const bomb = writePage(packedTwice(900), { dictionary: filter })
  assert.ok(bomb.length < 100_000)
  const before = process.memoryUsage().rss
  const words = await wordsOf(bomb, 30)
  assert.ok(['exhausted', 'no_text', 'damaged'].includes(words), words)
  assert.ok(process.memoryUsage().rss - before < 100 * 1_048_576)
})

test('a picture in a PDF that is all size ends as well', async () => {
  const picture = streamOf(
    packedTwice(400),
    '/Type /XObject /Subtype /Image /Width 20000 /Height 20000 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter [/FlateDecode /FlateDecode]',
  )
  const words = await wordsOf(
    writePage(`${say('BESIDE')} q 100 0 0 100 0 0 cm /Im Do Q`, {
      resources: '/XObject << /Im 6 0 R >>',
      more: [picture],
    }),
    30,
  )
  assert.ok(['exhausted', 'BESIDE'].includes(words), words)
})

test('drawings that contain themselves, and arrays without end, do not hold us up', async () => {
  const itself = writePage('/Fm Do', {
    resources: '/XObject << /Fm 6 0 R >>',
    more: [
      streamOf(
        Buffer.from('/Fm Do /Fm Do'),
        '/Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /XObject << /Fm 6 0 R >> >>',
      ),
    ],
  })
  const words = await wordsOf(itself, 25)
  assert.ok(['exhausted', 'no_text', 'too_large'].includes(words), words)
  assert.ok((await wordsOf(writePage(`${'['.repeat(2_000_000)} ${say('DEEP')}`), 25)).length > 0)
})

/** A PNG of this size whose pixels are all alike: some kilobytes. */
function flatPng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0], 8)
  const rows = deflateSync(Buffer.alloc(side * (Math.ceil(side / 8) + 1)), { level: 9 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('a picture of few bytes and very many pixels is too large', async () => {
  const bomb = flatPng(30_000)
  assert.ok(bomb.length < 200_000)
  assert.equal(await wordsOf(bomb), 'too_large')
})

test('a JPEG that claims 65,500 by 65,500 pixels is too large', async () => {
  const file = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer()
  const frame = file.indexOf(Buffer.from([0xff, 0xc0]))
  assert.ok(frame > 0)
  file.writeUInt16BE(65_500, frame + 5)
  file.writeUInt16BE(65_500, frame + 7)
  assert.equal(await wordsOf(file), 'too_large')
})

test('scripts, actions, links, attachments and references to other addresses are not followed', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('x')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    const at = (path: string) => `(http://127.0.0.1:${address.port}/${path})`
    const page = await readOnly(
      writePage(`${say('HARMLESS')} /Im Do /Fm Do`, {
        catalog: `/OpenAction << /S /JavaScript /JS (app.launchURL\\("http://127.0.0.1:${address.port}/js"\\); this.getField\\('x'\\).value = 'RUN') >> /AA << /WC << /S /URI /URI ${at('aa')} >> >> /AcroForm << /Fields [8 0 R] /XFA [(template) 9 0 R] >> /Names << /EmbeddedFiles << /Names [(a.exe) << /Type /Filespec /FS /URL /F ${at('file')} >>] >> /JavaScript << /Names [(run) << /S /JavaScript /JS (app.alert\\(1\\)) >>] >> >>`,
        page: `/AA << /O << /S /URI /URI ${at('open')} >> /C << /S /GoToR /F << /FS /URL /F ${at('goto')} >> >> >> /Annots [8 0 R << /Type /Annot /Subtype /Link /Rect [0 0 400 400] /A << /S /URI /URI ${at('link')} >> >>]`,
        resources: '/XObject << /Im 6 0 R /Fm 7 0 R >>',
        more: [
          streamOf(
            Buffer.alloc(0),
            `/Type /XObject /Subtype /Image /Width 10 /Height 10 /ColorSpace /DeviceGray /BitsPerComponent 8 /F << /FS /URL /F ${at('image')} >>`,
          ),
          streamOf(
            Buffer.alloc(0),
            `/Type /XObject /Subtype /Form /BBox [0 0 400 400] /Ref << /F << /FS /URL /F ${at('ref')} >> /Page 0 >> /F << /FS /URL /F ${at('form')} >>`,
          ),
          `<< /Type /Annot /Subtype /Widget /FT /Tx /T (x) /V (FIELD) /DA (/F1 12 Tf 0 g) /Rect [100 300 300 320] /F 4 /AA << /F << /S /JavaScript /JS (event.value = 'RUN') >> /C << /S /SubmitForm /F ${at('submit')} >> >> >>`,
          streamOf(
            Buffer.from(
              `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template><subform><field name="x"><value><text>XFA</text></value><event activity="initialize"><script contentType="application/x-javascript">xfa.host.gotoURL("http://127.0.0.1:${address.port}/xfa")</script></event></field></subform></template></xdp:xdp>`,
            ),
          ),
        ],
      }),
    )
    assert.match(textOf(page), /^HARMLESS/)
    assert.doesNotMatch(textOf(page), /RUN|XFA/)
    assert.deepEqual(asked, [])
  } finally {
    server.close()
  }
})

test('a page that cannot be read does not take the others with it', async () => {
  const filter = '/Filter [/FlateDecode /FlateDecode]'
  const good = streamOf(Buffer.from(say('GOOD')))
  const font = '<< /Font << /F1 7 0 R >> >>'
  const file = writeObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 5 0 R /Resources ${font} >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 6 0 R /Resources ${font} >>`,
    good,
    streamOf(packedTwice(900), filter),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
  const { reading } = await readTimed(file)
  assert.ok(reading.ok, JSON.stringify(reading))
  assert.equal(reading.pages.map(textOf).join(' ').trim(), 'GOOD')
  assert.ok(reading.pages.length === 2 || reading.unread?.join() === '2')
})
