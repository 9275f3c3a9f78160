// The text of a PDF is read word by word with its place on the page as it is shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPagesApart } from '../../../src/sources/documents/pages/read-pages-apart.ts'
import { makePdf } from './made-pdf.ts'

const claimed = { contentType: 'application/pdf', fileName: 'file.pdf' }

test('each word of a page has its place in fractions of the page', async () => {
  const pdf = await makePdf((page) => page.fontSize(12).text('ARRIVAL NOTICE', 59.5, 84.2))
  const reading = await readPagesApart(pdf, claimed)
  assert.ok(reading.ok)
  const [page] = reading.pages
  assert.ok(page)
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
