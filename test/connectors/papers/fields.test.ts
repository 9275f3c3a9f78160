// Finds the kind and the fields of a document from the words on its pages: right on the layouts for which the rules
// were written, seldom wrong on others, and without a value where it is not certain.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { DocumentReading, PageWords } from '../../../src/connectors/papers/document.ts'
import { findCount, findMoney, findVolume, findWeight } from '../../../src/connectors/papers/fields/amounts.ts'
import { fieldLabels } from '../../../src/connectors/papers/fields/labels.ts'
import { levelPage, toShownRectangle } from '../../../src/connectors/papers/fields/level-pages.ts'
import { dayOrderOf, findMoment } from '../../../src/connectors/papers/fields/moments.ts'
import { findContainers, findPaperNumber } from '../../../src/connectors/papers/fields/numbers.ts'
import { readDocument } from '../../../src/connectors/papers/fields/read-document.ts'
import { readPages } from '../../../src/connectors/papers/pages/read-pages.ts'
import { schemaFields } from '../../../src/connectors/papers/schemas/fields-of.ts'
import { documentSchemas } from '../../../src/connectors/papers/schemas/schemas.ts'
import { drawPaper } from '../../../tools/document-corpus/draw.ts'
import { type Layout, layouts, leftOut } from '../../../tools/document-corpus/layouts.ts'
import type { Fields } from '../../../tools/document-corpus/roles.ts'
import { scoreOf } from '../../../tools/document-corpus/score.ts'
import { inventTruth } from '../../../tools/document-corpus/truth.ts'

async function readPaper(
  layout: Layout,
  seed: number,
): Promise<{ readonly reading: DocumentReading; readonly fields: Fields }> {
  const { pdf, fields } = await drawPaper(layout, inventTruth(seed))
  const pages = await readPages(pdf)
  assert.ok(pages.ok)
  return { reading: readDocument(pages.pages), fields }
}

async function scoreAll(of: readonly Layout[]): Promise<{ right: number; wrong: number; kinds: number }> {
  let [there, right, wrong, kinds] = [0, 0, 0, 0]
  for (const layout of of) {
    const { reading, fields } = await readPaper(layout, 42)
    const score = scoreOf(reading, fields)
    there += score.there
    right += score.right
    wrong += score.wrong
    kinds += reading.type === layout.type ? 1 : 0
  }
  return { right: right / there, wrong: wrong / there, kinds: kinds / of.length }
}

describe('documents', () => {
  test('give nearly all values in the layouts that the rules were written for', async () => {
    const score = await scoreAll(layouts)
    assert.ok(score.right > 0.95 && score.wrong < 0.01 && score.kinds === 1, JSON.stringify(score))
  })

  test('give more than half of the values in other layouts, and few wrong ones', async () => {
    const score = await scoreAll(leftOut)
    assert.ok(score.right > 0.5 && score.wrong < 0.02 && score.kinds === 1, JSON.stringify(score))
  })

  test('give values that are valid in the schema of their kind', async () => {
    const ajv = new Ajv2020({ allErrors: true })
    for (const layout of [...layouts, ...leftOut]) {
      const { reading } = await readPaper(layout, 7)
      const schema = documentSchemas.find(({ documentType, isCurrent }) => documentType === reading.type && isCurrent)
      assert.ok(schema !== undefined, layout.name)
      assert.ok(ajv.validate(schema.payload, reading.payload), `${layout.name} ${ajv.errorsText()}`)
    }
  })

  test('are read as the document type that the user states', async () => {
    const { pdf } = await drawPaper(layouts[0] as Layout, inventTruth(1))
    const pages = await readPages(pdf)
    assert.ok(pages.ok)
    assert.equal(readDocument(pages.pages, 'sea_waybill').type, 'sea_waybill')
    assert.deepEqual(readDocument(pages.pages, 'other').fields, [])
  })
})

test('a position on a rotated page is converted to the displayed page and back without change', () => {
  const angle = fc.double({ min: -0.08, max: 0.08, noNaN: true })
  const quarters = fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const)
  const at = fc.double({ min: 0.2, max: 0.7, noNaN: true })
  fc.assert(
    fc.property(angle, quarters, at, at, (tilt, turned, left, top) => {
      const page = { page: 1, width: 612, height: 792, origin: 'ocr', quarters: turned, tilt } as const
      const level = { left, top, right: left + 0.1, bottom: top + 0.01 }
      const box = toShownRectangle(level, { ...page, words: [], invisibleWords: 0 })
      const [word] = levelPage({
        ...page,
        invisibleWords: 0,
        words: [{ text: 'A', confidence: 1, box }],
      }).words
      for (const side of ['left', 'top', 'right', 'bottom'] as const)
        assert.ok(Math.abs((word?.box[side] ?? 9) - level[side]) < 1e-6, side)
    }),
  )
})

test('no text makes the reader throw, and a huge page does not block it', () => {
  const box = fc.record({
    left: fc.double({ min: 0, max: 1, noNaN: true }),
    top: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const word = fc.record({ text: fc.string({ maxLength: 30 }), at: box }).map(({ text, at }) => ({
    text,
    confidence: 1,
    box: { ...at, right: at.left + 0.05, bottom: at.top + 0.01 },
  }))
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const page: PageWords = { page: 1, width: 612, height: 792, origin: 'text', words, invisibleWords: 0 }
      assert.ok(readDocument([page]).fields.every(({ page: at }) => at === 1))
    }),
    { numRuns: 60 },
  )
  const words = Array.from({ length: 20_000 }, (_, place) => {
    const [left, top] = [(place % 100) / 100, Math.floor(place / 100) / 200]
    return {
      text: place % 7 === 0 ? 'Vessel:' : `W${place}`,
      confidence: 1,
      box: { left, top, right: left + 0.008, bottom: top + 0.004 },
    }
  })
  const before = process.cpuUsage()
  readDocument([{ page: 1, width: 612, height: 792, origin: 'text', words, invisibleWords: 0 }])
  const { user } = process.cpuUsage(before)
  assert.ok(user < 20_000_000, `${user} µs`)
})

test('a container number with a wrong check digit is shown to the user, and not read as a container', () => {
  const page = (text: string) => {
    const words = text.split(' ').map((word, place) => ({
      text: word,
      confidence: 0.9,
      box: { left: 0.1 + place / 10, top: 0.5, right: 0.19 + place / 10, bottom: 0.52 },
    }))
    return [{ page: 1, width: 612, height: 792, origin: 'ocr', words, invisibleWords: 0 }] as const
  }
  for (const text of ['Container MSCU4000006', 'Container MSCU 400000-6']) {
    const { notes, fields } = readDocument(page(text), 'arrival_notice')
    assert.match(notes, /MSCU4000006 is not read as a container/)
    assert.ok(!fields.some(({ value }) => String(value).startsWith('MSCU')))
  }
  assert.doesNotMatch(readDocument(page('Container MSCU4000005'), 'arrival_notice').notes, /MSCU/)
  assert.doesNotMatch(readDocument(page('B/L No. HDMU4000006'), 'arrival_notice').notes, /check digit/)
})

test('every label that the rules look for belongs to a field of a document schema', () => {
  for (const { field, labels, on } of fieldLabels) {
    assert.ok(
      labels.every((label) => /^[a-z0-9 ]+$/.test(label)),
      field,
    )
    const known = on.some((type) => [field, `${field}.name`, `${field}[]`].some((name) => schemaFields(type).has(name)))
    assert.ok(known, `${field} is in no schema of ${on.join(', ')}`)
  }
})

test('the document reader reads a day in every unambiguous form, and ignores an ambiguous one', () => {
  for (const text of ['29 JAN 2026', '29-Jan-26', 'Jan 29, 2026', '2026-01-29', '29.01.2026', '29/01/2026'])
    assert.equal(findMoment(text, 'unknown')?.value, '2026-01-29', text)
  assert.equal(findMoment('29 JAN 2026 17:30', 'unknown')?.value, '2026-01-29T17:30')
  assert.equal(findMoment('Jan 29, 2026 05:30 PM', 'unknown')?.value, '2026-01-29T17:30')
  assert.equal(findMoment('03/04/2026', 'unknown'), null)
  assert.equal(findMoment('03/04/2026', dayOrderOf(['29/01/2026']))?.value, '2026-04-03')
  assert.equal(findMoment('03/04/2026', dayOrderOf(['01/29/2026']))?.value, '2026-03-04')
  assert.equal(dayOrderOf(['01/29/2026', '29/01/2026']), 'unknown')
  assert.equal(findMoment('30 FEB 2026', 'unknown'), null)
})

test('the document reader reads amounts with their units, and ignores an ambiguous figure', () => {
  assert.equal(findWeight('14,571.50 KGS', null)?.value, 14_571.5)
  assert.equal(findWeight('14.571,50 kg', null)?.value, 14_571.5)
  assert.equal(findWeight('1,000 LBS', null)?.value, 453.592)
  assert.equal(findWeight('14571', null), null)
  assert.equal(findVolume('67.25', true)?.value, 67.25)
  assert.equal(findVolume('67.25', false), null)
  assert.equal(findCount('1,200 CARTONS')?.value, 1_200)
  const money = findMoney('USD 1,250.00')
  assert.deepEqual([money?.value, money?.currency], [1_250, 'USD'])
  assert.equal(findMoney('$ 1,250.00')?.currency, null)
})

test('a container number is accepted or corrected only if its check digit proves the result', () => {
  const numbers = (text: string) => findContainers(text.split(' ')).map(({ number }) => number)
  assert.deepEqual(numbers('MSCU4000005'), ['MSCU4000005'])
  assert.deepEqual(numbers('MSCU 400000 5'), ['MSCU4000005'])
  assert.deepEqual(numbers('MSCU4OOOOO5'), ['MSCU4000005'])
  assert.deepEqual(numbers('MSCU4000006'), [])
  // One printed character with two readings; both are stated.
  assert.deepEqual(numbers('SGYUS5326865'), ['SGYU5326865'])
  assert.deepEqual(numbers('SGYUX5326865'), [])
  assert.equal(findPaperNumber('MAEU 260102345'), 'MAEU260102345')
  assert.equal(findPaperNumber('TO ORDER'), null)
})
