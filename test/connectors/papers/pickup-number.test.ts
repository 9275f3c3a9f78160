// The pick-up number of a document: read only where it is certain, and hidden wherever a text may be one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentType } from '../../../src/connectors/papers/document.ts'
import { readPages } from '../../../src/connectors/papers/pages/read-pages.ts'
import { findPickupNumber, hidePickupNumbers } from '../../../src/connectors/papers/secrets/find-pickup-number.ts'
import { drawPaper } from '../../../tools/document-corpus/draw.ts'
import { layouts, leftOut } from '../../../tools/document-corpus/layouts.ts'
import { inventTruth } from '../../../tools/document-corpus/truth.ts'
import { pageOf } from '../../support/printed-page.ts'

const find = (type: DocumentType, ...lines: readonly string[]) => findPickupNumber([pageOf(lines)], type)?.value ?? null

for (const [what, lines, expected] of [
  ['behind its label', ['Pick-up No: 88441122'], '88441122'],
  ['in a cell beside it', ['PIN          4711AB'], '4711AB'],
  ['below it', ['Release number      Terminal', 'REL-554433          Pier 400'], 'REL-554433'],
  ['twice the same', ['PIN: 471122', 'Pickup number: 471122'], '471122'],
  ['never in a sentence', ['PIN code 4711 is sent to the consignee later'], null],
  ['never two different ones', ['PIN: 471122', 'Pickup number: 998877'], null],
  ['never of a table', ['Container          PIN', 'MSCU4000005        471122', 'TCLU1234568        471133'], null],
  ['never without a digit', ['Pickup reference: NONE'], null],
] as const)
  test(`a pick-up number is read ${what}`, () => assert.equal(find('delivery_order', ...lines), expected))

test('only notices and delivery orders have a pick-up number', () => {
  assert.equal(find('arrival_notice', 'PIN: 471122'), '471122')
  for (const type of ['bill_of_lading', 'demurrage_invoice', 'unknown', 'other'] as const)
    assert.equal(find(type, 'PIN: 471122'), null)
})

test('every possible pick-up number in a document is hidden, also in a table, and nothing else', () => {
  const lines = [
    'Container          PIN          Seal',
    'MSCU4000005        471122       SEAL99',
    'TCLU1234568        471133       SEAL98',
    'Pickup number: 998877     Booking: 998866',
  ]
  const shown = hidePickupNumbers([pageOf(lines)])
    .flatMap(({ words }) => words.map(({ text }) => text))
    .join(' ')
  assert.doesNotMatch(shown, /471122|471133|998877/)
  assert.match(shown, /MSCU4000005.*SEAL99.*TCLU1234568.*SEAL98.*998866/)
})

test('the search for pick-up numbers finds all in the document corpus, and never another number', async () => {
  let [right, wrong, papers] = [0, 0, 0]
  for (const layout of [...layouts, ...leftOut]) {
    const truth = inventTruth(42)
    const { pdf } = await drawPaper(layout, truth)
    const pages = await readPages(pdf)
    assert.ok(pages.ok)
    const printed = pages.pages.some(({ words }) => words.some(({ text }) => text === truth.pickup))
    const found = findPickupNumber(pages.pages, layout.type)
    if (printed) papers += 1
    if (found?.value === truth.pickup) right += 1
    else if (found !== null) wrong += 1
  }
  assert.deepEqual([wrong, right >= 4, papers], [0, true, 6], `${right} of ${papers}`)
})
