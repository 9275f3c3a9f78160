// The text of a PDF is read word by word with its place on the page as it is shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePdf } from './made-pdf.ts'
import { placeOf, readOnly, readPages, textOf } from './reading.ts'
import { streamOf, writePage } from './written-pdf.ts'

test('each word of a page has its place in fractions of the page', async () => {
  const page = await readOnly(await makePdf((pdf) => pdf.fontSize(12).text('ARRIVAL NOTICE', 59.5, 84.2)))
  assert.deepEqual([page.page, page.origin, page.invisibleWords], [1, 'text', 0])
  assert.deepEqual(
    page.words.map(({ text, confidence }) => [text, confidence]),
    [
      ['ARRIVAL', 1],
      ['NOTICE', 1],
    ],
  )
  const [first] = page.words
  assert.ok(first)
  assert.ok(Math.abs(first.box.left - 0.1) < 0.002, `left ${first.box.left}`)
  assert.ok(first.box.top > 0.1 && first.box.bottom < 0.115, `top ${first.box.top}`)
})

test('pages are numbered in their order, and each has its own words', async () => {
  const pages = await readPages(
    await makePdf((pdf) => {
      pdf.text('FIRST')
      pdf.addPage().text('SECOND')
      pdf.addPage()
    }),
  )
  assert.deepEqual(
    pages.map((page) => [page.page, textOf(page)]),
    [
      [1, 'FIRST'],
      [2, 'SECOND'],
      [3, ''],
    ],
  )
})

const twoWords = 'BT /F1 12 Tf 40 340 Td (UPPER) Tj 280 -280 Td (LOWER) Tj ET'

test('on a page that its file turns, places are those of the turned page', async () => {
  const upright = await readOnly(writePage(twoWords))
  assert.deepEqual(placeOf(upright, 'UPPER'), [15, 14])
  const turned = await readOnly(writePage(twoWords, { page: '/Rotate 90' }))
  // What is left and high is right and high after a quarter turn clockwise.
  assert.deepEqual(placeOf(turned, 'UPPER'), [86, 15])
  assert.deepEqual(turned.lines, { turn: 1, skewDegrees: 0 })
  const onItsHead = await readOnly(writePage(twoWords, { page: '/Rotate 180' }))
  assert.deepEqual(placeOf(onItsHead, 'UPPER'), [85, 86])
})

test('of a page that its file crops, only what is within is read, at its place there', async () => {
  const page = await readOnly(writePage(twoWords, { page: '/CropBox [0 200 200 400]' }))
  assert.deepEqual([page.width, page.height], [200, 200])
  assert.equal(textOf(page), 'UPPER')
  assert.deepEqual(placeOf(page, 'UPPER'), [30, 28])
  assert.equal(page.invisibleWords, 1)
})

test('words that run down, up or upside down are whole words', async () => {
  const page = await readOnly(
    writePage(
      `BT /F1 14 Tf 0 -1 1 0 100 300 Tm (RUNS DOWN) Tj ET
       BT /F1 14 Tf 0 1 -1 0 200 100 Tm (RUNS UP) Tj ET
       BT /F1 14 Tf -1 0 0 -1 380 50 Tm (OVER HEAD) Tj ET
       BT /F1 14 Tf 20 370 Td (STRAIGHT LINES ARE READ) Tj ET`,
    ),
  )
  for (const word of ['RUNS', 'DOWN', 'UP', 'OVER', 'HEAD', 'STRAIGHT'])
    assert.ok(textOf(page).split(' ').includes(word), `${word} in ${textOf(page)}`)
  assert.equal(page.lines, undefined)
})

test('words far apart on a line are not one word, though no space is between them', async () => {
  const page = await readOnly(writePage('BT /F1 12 Tf 40 340 Td [(MSKU) -5000 (1234565) -100 (AB) ] TJ ET'))
  assert.equal(textOf(page), 'MSKU 1234565AB')
})

test('what is drawn is read, and not what a file gives for reading aloud in its place', async () => {
  const page = await readOnly(
    writePage('/Span << /ActualText (900000) >> BDC BT /F1 12 Tf 40 340 Td (100 USD) Tj ET EMC'),
  )
  assert.equal(textOf(page), '100 USD')
})

test('print that is made bold by drawing it twice is read once', async () => {
  const page = await readOnly(
    writePage('BT /F1 12 Tf 40 340 Td (TOTAL) Tj ET BT /F1 12 Tf 40.4 340 Td (TOTAL) Tj ET'),
  )
  assert.equal(textOf(page), 'TOTAL')
})

test('text within a drawing that is used again is read where it is drawn', async () => {
  const page = await readOnly(
    writePage('q 1 0 0 1 100 100 cm /Fm Do Q', {
      resources: '/XObject << /Fm 6 0 R >>',
      more: [
        streamOf(
          Buffer.from('BT /F1 12 Tf 20 20 Td (WITHIN) Tj ET'),
          '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << /Font << /F1 5 0 R >> >>',
        ),
      ],
    }),
  )
  assert.deepEqual(placeOf(page, 'WITHIN'), [35, 69])
})

const field = (looks: string) =>
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (bl) /V (MEDU7654321) /DA (/F1 12 Tf 0 g) /Rect [100 200 300 220] /F 4 /P 3 0 R ${looks} >>`
const looks = streamOf(
  Buffer.from('BT /F1 12 Tf 2 5 Td (MEDU7654321) Tj ET'),
  '/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 5 0 R >> >>',
)

test('what is filled in a form is read like what is printed', async () => {
  const drawn = await readOnly(
    writePage('BT /F1 12 Tf 20 205 Td (Bill:) Tj ET', {
      page: '/Annots [6 0 R]',
      catalog: '/AcroForm << /Fields [6 0 R] >>',
      more: [field('/AP << /N 7 0 R >>'), looks],
    }),
  )
  assert.equal(textOf(drawn), 'Bill: MEDU7654321')
  assert.deepEqual(placeOf(drawn, 'MEDU7654321')[1], 48)
})

test('a field whose looks are left to the reader is read as well', async () => {
  const page = await readOnly(
    writePage('BT /F1 12 Tf 20 205 Td (Bill:) Tj ET', {
      page: '/Annots [6 0 R]',
      catalog:
        '/AcroForm << /Fields [6 0 R] /NeedAppearances true /DR << /Font << /F1 5 0 R >> >> /DA (/F1 12 Tf 0 g) >>',
      more: [field('')],
    }),
  )
  assert.equal(textOf(page), 'Bill: MEDU7654321')
})
