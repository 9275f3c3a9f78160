// Scans and photos are read from their pixels, whichever way they lie, and each word has its place on the picture.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { asRead } from '../../../src/sources/documents/as-read.ts'
import type { PageWords } from '../../../src/sources/documents/document.ts'
import { readPdf } from '../../../src/sources/documents/pages/pdf/read-pdf.ts'
import { placeOf, readOnly, readPages, textOf } from './reading.ts'
import { bindScans, printed, scanPage } from './scanned.ts'

/** Where the words of the page stand when it lies upright, in hundredths. */
const upright = { MSKU1234565: [39, 33], Beach: [38, 78] } as const

function assertNear(place: readonly [number, number], wanted: readonly [number, number], what: string): void {
  assert.ok(
    Math.abs(place[0] - wanted[0]) <= 2 && Math.abs(place[1] - wanted[1]) <= 2,
    `${what}: ${place} is not near ${wanted}`,
  )
}

function assertWords(page: PageWords): void {
  for (const word of printed.split(' '))
    assert.ok(textOf(page).split(' ').includes(word), `${word} in ${textOf(page)}`)
}

test('a scan is read, with its confidence and the places of its words', async () => {
  const page = await readOnly(await bindScans([await (await scanPage()).jpeg({ quality: 70 }).toBuffer()]))
  assert.equal(page.origin, 'ocr')
  assertWords(page)
  for (const { confidence } of page.words) assert.ok(confidence > 0 && confidence <= 1)
  for (const [word, place] of Object.entries(upright)) assertNear(placeOf(page, word), place, word)
  assert.equal(page.lines, undefined)
})

test('text that is laid invisibly over a scan does not count, the scan does', async () => {
  const file = await bindScans([await (await scanPage()).jpeg().toBuffer()], {
    over: (pdf) => {
      pdf.addContent('3 Tr')
      pdf.fontSize(12).text('Container EVIL9999999', 20, 60, { lineBreak: false })
    },
  })
  const page = await readOnly(file)
  assertWords(page)
  assert.doesNotMatch(textOf(page), /EVIL/)
  assert.equal(page.invisibleWords, 2)
})

test('a scan with a printed footer gives both, each once', async () => {
  const file = await bindScans([await (await scanPage()).jpeg().toBuffer()], {
    over: (pdf) => pdf.fontSize(8).text('Received 2026-03-04', 200, 180, { lineBreak: false }),
  })
  const page = await readOnly(file)
  assertWords(page)
  assert.equal(textOf(page).split('Received').length, 2)
  assert.equal(page.words.find(({ text }) => text === '2026-03-04')?.confidence, 1)
})

for (const [degrees, turn] of [
  [90, 1],
  [180, 2],
  [270, 3],
] as const)
  test(`a scan that was turned by ${degrees} degrees is read, and its words lie on it as it is shown`, async () => {
    const picture = await (await scanPage()).rotate(degrees).jpeg().toBuffer()
    const page = await readOnly(await bindScans([picture]))
    assertWords(page)
    assert.deepEqual(page.lines, { turn, skewDegrees: 0 })
    assert.equal(page.width < page.height, degrees !== 180)
    const turned = ([x, y]: readonly [number, number]): readonly [number, number] =>
      degrees === 90 ? [100 - y, x] : degrees === 180 ? [100 - x, 100 - y] : [y, 100 - x]
    for (const [word, place] of Object.entries(upright)) assertNear(placeOf(page, word), turned(place), word)
    for (const [word, place] of Object.entries(upright))
      assertNear(placeOf(asRead(page), word), place, `${word} as it is read`)
  })

for (const degrees of [-4, 3])
  test(`a scan that lies askew by ${degrees} degrees is read, and can be seen straight`, async () => {
    const picture = await (await scanPage()).rotate(degrees, { background: '#ffffff' }).jpeg().toBuffer()
    const page = await readOnly(await bindScans([picture]))
    assertWords(page)
    assert.ok(page.lines !== undefined && Math.abs(page.lines.skewDegrees - degrees) < 0.5)
    const line = asRead(page).words.filter(({ text }) => ['Vessel', 'EVER', 'GIVEN', '0412W'].includes(text))
    const middles = line.map(({ box }) => (box.top + box.bottom) / 2)
    assert.ok(line.length === 4 && Math.max(...middles) - Math.min(...middles) < 0.02, middles.join())
  })

test('a photo with a shadow is read as its camera says it is to be held', async () => {
  const { data, info } = await (await scanPage({ dpi: 300 })).toBuffer({ resolveWithObject: true })
  const shadow = Buffer.from(
    `<svg width="${info.width}" height="${info.height}"><defs><linearGradient id="g"><stop offset="0" stop-opacity="0.65"/><stop offset="1" stop-opacity="0.05"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`,
  )
  const shaded = await sharp(data)
    .composite([{ input: shadow }])
    .png()
    .toBuffer()
  const photo = await sharp(await sharp(shaded).rotate(270).toBuffer())
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 75 })
    .toBuffer()
  const page = await readOnly(photo)
  assert.deepEqual([page.width, page.height], [info.width, info.height])
  assertWords(page)
  for (const [word, place] of Object.entries(upright)) assertNear(placeOf(page, word), place, word)
})

test('PNG, WebP and TIFF are read like JPEG', async () => {
  const scan = await scanPage()
  for (const file of [
    await scan.clone().png().toBuffer(),
    await scan.clone().webp().toBuffer(),
    await scan.clone().ensureAlpha().tiff({ compression: 'lzw' }).toBuffer(),
    await scan
      .clone()
      .toColourspace('b-w')
      .threshold(150)
      .tiff({ compression: 'ccittfax4', bitdepth: 1 })
      .toBuffer(),
  ])
    assertWords(await readOnly(file))
})

test('each page of a TIFF is a page', async () => {
  const scan = await (await scanPage()).removeAlpha().png().toBuffer()
  const { width = 0, height = 0 } = await sharp(scan).metadata()
  const file = await sharp([scan, scan], { join: { animated: true } })
    .tiff()
    .toBuffer()
  const pages = await readPages(file)
  assert.deepEqual(
    pages.map((page) => [page.page, page.width, page.height]),
    [
      [1, width, height],
      [2, width, height],
    ],
  )
  for (const page of pages) assertWords(page)
})

test('a page without a word on it, and a picture without one, give none', async () => {
  const speckled = await sharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 200, sigma: 25 },
    },
  })
    .jpeg()
    .toBuffer()
  const scan = await (await scanPage()).jpeg().toBuffer()
  const pages = await readPages(await bindScans([speckled, scan]))
  assert.deepEqual(pages[0]?.words, [])
  assertWords(pages[1] as PageWords)
})

test('scanned pages after those that are read are named as unread, and pages of text are read still', async () => {
  const scan = await (await scanPage()).jpeg().toBuffer()
  const file = await bindScans([scan, scan], {
    over: (pdf) => pdf.fontSize(8).text('page', 200, 180, { lineBreak: false }),
  })
  const lines = await Array.fromAsync(readPdf(file, { ocrPages: 1 }))
  assert.deepEqual(
    lines.map((line) => ('page' in line ? line.page.page : line)),
    [{ pages: 2 }, 1, { unread: 2 }],
  )
})
