// Finds the kind and the fields of a document from the words on its pages: right on the layouts for which the rules
// were written, seldom wrong on others, and without a value where it is not certain.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { DocumentReading, PageWords } from '../../../src/sources/documents/document.ts'
import {
  findCount,
  findMoney,
  findVolume,
  findWeight,
} from '../../../src/sources/documents/fields/amounts.ts'
import { fieldLabels } from '../../../src/sources/documents/fields/labels.ts'
import { boxAsShown, levelPage } from '../../../src/sources/documents/fields/level-pages.ts'
import { dayOrderOf, findMoment } from '../../../src/sources/documents/fields/moments.ts'
import { findBoxes, findPaperNumber } from '../../../src/sources/documents/fields/numbers.ts'
import { readDocument } from '../../../src/sources/documents/fields/read-document.ts'
import { readPages } from '../../../src/sources/documents/pages/read-pages.ts'
import { schemaFields } from '../../../src/sources/documents/schemas/fields-of.ts'
import { documentSchemas } from '../../../src/sources/documents/schemas/schemas.ts'
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

describe('papers', () => {
  test('of the layouts that the rules were made with are read', async () => {
    const score = await scoreAll(layouts)
    assert.ok(score.right > 0.95 && score.wrong < 0.01 && score.kinds === 1, JSON.stringify(score))
  })

  test('of layouts that were left out are read in good part, and hardly ever wrongly', async () => {
    const score = await scoreAll(leftOut)
    assert.ok(score.right > 0.5 && score.wrong < 0.02 && score.kinds === 1, JSON.stringify(score))
  })

  test('are read into the shape of the schema of their kind', async () => {
    const ajv = new Ajv2020({ allErrors: true })
    for (const layout of [...layouts, ...leftOut]) {
      const { reading } = await readPaper(layout, 7)
      const schema = documentSchemas.find(
        ({ documentType, isCurrent }) => documentType === reading.type && isCurrent,
      )
      assert.ok(schema !== undefined, layout.name)
      assert.ok(ajv.validate(schema.payload, reading.payload), `${layout.name} ${ajv.errorsText()}`)
    }
  })

  test('are read as the kind that a person says', async () => {
    const { pdf } = await drawPaper(layouts[0] as Layout, inventTruth(1))
    const pages = await readPages(pdf)
    assert.ok(pages.ok)
    assert.equal(readDocument(pages.pages, 'sea_waybill').type, 'sea_waybill')
    assert.deepEqual(readDocument(pages.pages, 'other').fields, [])
  })
})

test('a place on a turned and tilted page is the same after it was levelled and put back', () => {
  const angle = fc.double({ min: -0.08, max: 0.08, noNaN: true })
  const quarters = fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const)
  const at = fc.double({ min: 0.2, max: 0.7, noNaN: true })
  fc.assert(
    fc.property(angle, quarters, at, at, (tilt, turned, left, top) => {
      const page = { page: 1, width: 612, height: 792, origin: 'ocr', quarters: turned, tilt } as const
      const level = { left, top, right: left + 0.1, bottom: top + 0.01 }
      const box = boxAsShown(level, { ...page, words: [], invisibleWords: 0 })
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

test('no words make the reader throw, and a huge page does not hold it up', () => {
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

test('every label is of a field that a schema has', () => {
  for (const { field, labels, on } of fieldLabels) {
    assert.ok(
      labels.every((label) => /^[a-z0-9 ]+$/.test(label)),
      field,
    )
    const known = on.some((type) =>
      [field, `${field}.name`, `${field}[]`].some((name) => schemaFields(type).has(name)),
    )
    assert.ok(known, `${field} is in no schema of ${on.join(', ')}`)
  }
})

test('a day is read in every form that is sure, and left unread where it may be two', () => {
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

test('amounts are read with their units, and a figure that may be two is left unread', () => {
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

test('a container number counts by its check digit, also in parts, and is put right only where that proves it', () => {
  const numbers = (text: string) => findBoxes(text.split(' ')).map(({ number }) => number)
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
