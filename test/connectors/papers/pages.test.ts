// The text of a file with its places: only visible text counts, and no file can do harm or block the reader.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { PagesReading, PageWords } from '../../../src/connectors/papers/document.ts'
import { levelPage } from '../../../src/connectors/papers/fields/level-pages.ts'
import { readPages } from '../../../src/connectors/papers/pages/read-pages.ts'
import { readPagesInJail, rotateImageInJail } from '../../../src/connectors/papers/pages/read-pages-apart.ts'
import { networkIsolation, runJailed } from '../../../src/platform/jail.ts'
import { renderPages } from '../../../tools/document-corpus/render-page.ts'
import { type Paper, pdfOf } from '../../support/papers.ts'
import { inFull } from '../../support/scale.ts'

const lines: Paper['lines'] = [
  ['Bill of lading no', 'CNSH30000001'],
  ['Container no', 'MSCU4000005'],
  ['Last free day', '09 APR 2026'],
  ['Vessel', 'EXAMPLE STAR'],
]
const notice = { title: 'ARRIVAL NOTICE', lines } as const

function pagesOf(reading: PagesReading): readonly PageWords[] {
  assert.ok(reading.ok, reading.ok ? '' : `${reading.reason}: ${reading.detail}`)
  return reading.pages
}
const textOf = (pages: readonly PageWords[]): string =>
  pages.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')
const boxOf = ({ words }: PageWords, text: string) => words.find((word) => word.text.includes(text))?.box
const reasonOf = async (bytes: Buffer): Promise<string> => {
  const reading = await readPagesInJail(bytes)
  return reading.ok ? 'read' : reading.reason
}
const picture = async (dpi = 200): Promise<Buffer> =>
  (await renderPages(await pdfOf(notice), dpi))[0] ?? Buffer.alloc(0)

function childrenOfThis(): readonly string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
}

/** 0 where the process has ended. */
function peakMbOf(pid: string): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

describe('a PDF', () => {
  test('is read with the place of each word on the page', async () => {
    const [page] = pagesOf(await readPagesInJail(await pdfOf(notice)))
    assert.ok(page !== undefined && page.origin === 'text')
    assert.deepEqual([page.width, page.height], [612, 792])
    const box = boxOf(page, 'MSCU4000005')
    assert.ok(box !== undefined && Math.abs(box.top - 124 / 792) < 0.01 && box.left > 0.15 && box.right < 0.4)
  })

  test('gives no invisible words: white, tiny, outside the page, under a picture, drawn invisibly', async () => {
    const cover = await sharp({ create: { width: 400, height: 40, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const pdf = await pdfOf({
      ...notice,
      also: (paper) => {
        paper.fillColor('white').text('WHITEWORD', 300, 300)
        paper.fillColor('black').fontSize(1).text('TINYWORD', 300, 330)
        paper.fontSize(11).text('OUTSIDEWORD', 900, 330, { lineBreak: false })
        paper.text('COVEREDWORD', 300, 360)
        paper.image(cover, 290, 350)
        paper.addContent('BT /F2 11 Tf 3 Tr 1 0 0 1 300 200 Tm (GHOSTWORD) Tj ET 0 Tr')
      },
    })
    const pages = pagesOf(await readPagesInJail(pdf))
    assert.match(textOf(pages), /EXAMPLE STAR/)
    assert.doesNotMatch(textOf(pages), /WHITE|TINY|OUTSIDE|COVERED|GHOST/)
    assert.ok((pages[0]?.invisibleWords ?? 0) >= 4)
  })

  test('whose page is rotated is read as it is displayed', async () => {
    const pdf = Buffer.from(
      (await pdfOf(notice)).toString('latin1').replace('/Type /Page\n', '/Type /Page /Rotate 90\n'),
      'latin1',
    )
    const [page] = pagesOf(await readPagesInJail(pdf))
    assert.ok(page !== undefined)
    assert.match(textOf([page]), /MSCU4000005/)
  })

  test('that cannot be read gives the reason', async () => {
    const whole = await pdfOf(notice)
    assert.equal(await reasonOf(await pdfOf({ ...notice, password: 'secret' })), 'encrypted')
    assert.equal(await reasonOf(Buffer.alloc(0)), 'damaged')
    assert.equal(await reasonOf(whole.subarray(0, 500)), 'damaged')
    assert.equal(await reasonOf(Buffer.from('<html><body>login</body></html>')), 'unsupported_type')
    assert.equal(await reasonOf(Buffer.from('504b0304140000000800', 'hex')), 'unsupported_type')
    assert.equal(await reasonOf(await pdfOf({ title: ' ', lines: [] })), 'no_text')
    assert.equal(await reasonOf(Buffer.alloc(26 * 1_048_576)), 'too_large')
  })

  test('of two thousand pages is refused at once', async () => {
    const pdf = await pdfOf({
      ...notice,
      also: (paper) => {
        for (let page = 1; page < 2_000; page += 1) paper.addPage()
      },
    })
    const startedAt = performance.now()
    assert.equal(await reasonOf(pdf), 'too_many_pages')
    assert.ok(performance.now() - startedAt < 20_000)
  })

  test('that unpacks to gigabytes ends in bounded time and memory', async () => {
    const bomb = deflateSync(Buffer.alloc(300_000_000, 0x20), { level: 9 })
    const stream = deflateSync(bomb)
    const pdf = Buffer.concat([
      Buffer.from(
        `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>endobj\n4 0 obj<</Length ${stream.length}/Filter[/FlateDecode/FlateDecode]>>stream\n`,
      ),
      stream,
      Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    ])
    const startedAt = performance.now()
    assert.notEqual(await reasonOf(pdf), 'read')
    assert.ok(performance.now() - startedAt < 60_000)
  })

  test('with exponentially nested forms is stopped, and the result reports it', async () => {
    const depth = 24
    const forms = Array.from({ length: depth }, (_, nth) => {
      const draws = nth === depth - 1 ? '0 0 1 1 re f' : '/F Do /F Do'
      const inside = nth === depth - 1 ? '' : `/Resources<</XObject<</F ${6 + nth} 0 R>>>>`
      return `${5 + nth} 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 9 9]${inside}/Length ${draws.length}>>stream\n${draws}\nendstream endobj\n`
    })
    const pdf = Buffer.from(
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>endobj\n4 0 obj<</Length 5>>stream\n/F Do\nendstream endobj\n${forms.join('')}trailer<</Root 1 0 R>>\n%%EOF`,
    )
    assert.ok(pdf.length < 6_000)
    let peakMb = 0
    const watch = setInterval(() => {
      for (const pid of childrenOfThis()) peakMb = Math.max(peakMb, peakMbOf(pid))
    }, 20)
    assert.equal(await reasonOf(pdf), 'exhausted')
    clearInterval(watch)
    assert.ok(peakMb > 50 && peakMb < 550, `${peakMb} MB`)
  })

  test('with more pages than one process reads is read by several processes', async () => {
    const pdf = await pdfOf({
      ...notice,
      also: (paper) => {
        for (let page = 2; page <= 5; page += 1) paper.addPage().text(`PAGE ${page} HAS WORDS OF ITS OWN`, 50, 50)
      },
    })
    const first = await readPages(pdf, { place: 2, scanned: 0 })
    assert.ok(first.ok && first.next === null)
    assert.deepEqual(
      first.pages.map(({ page }) => page),
      [3, 4, 5],
    )
    assert.deepEqual(
      pagesOf(await readPagesInJail(pdf)).map(({ page }) => page),
      [1, 2, 3, 4, 5],
    )
  })

  test('with scripts and web addresses is read without running or fetching anything', async () => {
    const knocks: string[] = []
    const listener = createServer((socket) => {
      knocks.push(String(socket.remoteAddress))
      socket.destroy()
    }).listen(0, '127.0.0.1')
    listener.unref()
    await once(listener, 'listening')
    const { port } = listener.address() as { port: number }
    const url = `http://127.0.0.1:${port}/`
    const pdf = (await pdfOf(notice))
      .toString('latin1')
      .replace(
        '/Type /Catalog',
        `/Type /Catalog /OpenAction << /S /JavaScript /JS (app.launchURL\\('${url}'\\)) >> /AA << /WC << /S /URI /URI (${url}) >> >>`,
      )
    pagesOf(await readPagesInJail(Buffer.from(pdf, 'latin1')))
    assert.deepEqual(knocks, [])
    listener.close()
  })
})

describe('a picture', () => {
  for (const degrees of [0, 90, 180, 270])
    test(
      `rotated by ${degrees} degrees is read, with places on the picture as it is`,
      degrees % 270 === 0 ? inFull : {},
      async () => {
        const file = await sharp(await picture())
          .rotate(degrees)
          .jpeg()
          .toBuffer()
        const [page] = pagesOf(await readPagesInJail(file))
        assert.ok(page !== undefined && page.origin === 'ocr')
        assert.match(textOf([page]), /MSCU4000005/)
        const box = boxOf(page, 'MSCU4000005')
        assert.ok(box !== undefined)
        const isWide = (box.right - box.left) * page.width > (box.bottom - box.top) * page.height
        assert.equal(isWide, degrees % 180 === 0)
        if (degrees === 180) assert.ok(box.top > 0.8)
      },
    )

  for (const degrees of [-2.5, 2.5])
    test(
      `that a scanner tilted by ${degrees} degrees is read, and its tilt is reported`,
      degrees < 0 ? inFull : {},
      async () => {
        const tilted = await sharp(await picture())
          .rotate(degrees, { background: '#fff' })
          .jpeg({ quality: 60 })
          .toBuffer()
        const pages = pagesOf(await readPagesInJail(tilted))
        assert.match(textOf(pages), /EXAMPLE STAR/)
        assert.ok(Math.abs((pages[0]?.tilt ?? 0) + (degrees * Math.PI) / 180) < 0.004)
        const middles = pages.map(levelPage).flatMap((page) =>
          ['EXAMPLE', 'STAR'].map((text) => {
            const box = boxOf(page, text)
            return box === undefined ? 0 : (box.top + box.bottom) / 2
          }),
        )
        assert.ok(Math.abs((middles[0] ?? 0) - (middles[1] ?? 1)) < 0.001)
      },
    )

  test('in a PDF is read from its pixels, and hidden text over the picture is ignored', async () => {
    const scan = await picture()
    const pdf = await pdfOf({
      title: ' ',
      lines: [],
      also: (paper) => {
        paper.image(scan, 0, 0, { width: 612 })
        paper.addContent('BT /F1 11 Tf 3 Tr 1 0 0 1 100 100 Tm (FORGEDWORD) Tj ET 0 Tr')
      },
    })
    const pages = pagesOf(await readPagesInJail(pdf))
    assert.equal(pages[0]?.origin, 'ocr')
    assert.match(textOf(pages), /MSCU4000005/)
    assert.doesNotMatch(textOf(pages), /FORGED/)
  })

  test('of too many pixels, of another kind or damaged gives the reason', async () => {
    const huge = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    assert.equal(await reasonOf(huge), 'too_large')
    assert.equal(await reasonOf(Buffer.from('000000186674797068656963', 'hex')), 'unsupported_type')
    assert.equal(await reasonOf((await picture()).subarray(0, 2_000)), 'damaged')
  })

  test('keeps its format when it is rotated', async () => {
    const turned = await rotateImageInJail(await picture(72), 90)
    assert.ok(turned.ok && turned.contentType === 'image/png')
    const { width, height } = await sharp(turned.bytes).metadata()
    assert.deepEqual([width, height], [792, 612])
    const refused = await rotateImageInJail(await pdfOf(notice), 90)
    assert.equal(refused.ok ? '' : refused.reason, 'unsupported_type')
  })
})

describe('the process that reads', () => {
  const bounds = { timeoutMs: 3_000, heapMb: 256, residentMb: 400, answerBytes: 1_000_000 }
  const run = async (code: string, over: Partial<typeof bounds> = {}) => {
    const folder = mkdtempSync(join(process.cwd(), '.jail-'))
    const program = join(folder, 'planted.mjs')
    writeFileSync(program, code)
    try {
      return await runJailed(program, [], Buffer.from('x'), { ...bounds, ...over })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const answerOf = async (code: string): Promise<string> => {
    const end = await run(code, { timeoutMs: 10_000 })
    return end.kind === 'answered' ? end.answer.toString() : end.kind
  }

  test('has no environment and no other files, and starts nothing', async () => {
    const secret = join(mkdtempSync(join(tmpdir(), 'landfall-outside-')), 'secret')
    writeFileSync(secret, 'secret')
    const code = `import { readFileSync, writeFileSync } from 'node:fs'; import { execFileSync } from 'node:child_process'
      const tried = (f) => { try { f(); return 'did' } catch (e) { return e.code } }
      process.stdout.write([Object.keys(process.env).join(), tried(() => readFileSync('${secret}')), tried(() => writeFileSync('${secret}', '')), tried(() => execFileSync('true'))].join(' '))`
    assert.equal(await answerOf(code), ' ERR_ACCESS_DENIED ERR_ACCESS_DENIED ERR_ACCESS_DENIED')
  })

  test('reaches no network where the machine can block it', async (t) => {
    if (!(await networkIsolation()).isCut) return t.skip('this machine does not let a process be cut off (unshare)')
    const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    listener.unref()
    await once(listener, 'listening')
    const { port } = listener.address() as { port: number }
    const code = `import { connect } from 'node:net'
      connect(${port}, '127.0.0.1').on('connect', () => { process.stdout.write('connected'); process.exit() }).on('error', (e) => process.stdout.write(e.code))`
    assert.equal(await answerOf(code), 'ENETUNREACH')
    listener.close()
  })

  test('that never ends, or uses all memory, is stopped', async () => {
    assert.deepEqual(await run('for (;;) {}'), { kind: 'exhausted', of: 'time' })
    const eats =
      'const all = []; for (;;) { all.push(Buffer.alloc(20_000_000, 1)); await new Promise((r) => setTimeout(r, 20)) }'
    assert.deepEqual(await run(eats, { timeoutMs: 30_000 }), { kind: 'exhausted', of: 'memory' })
    const talks = `const talk = () => { while (process.stdout.write('x'.repeat(50_000))); process.stdout.once('drain', talk) }; talk()`
    assert.deepEqual(await run(talks), {
      kind: 'exhausted',
      of: 'answer',
    })
  })
})
