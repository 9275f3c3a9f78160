// Which parts of a pasted text the portal reads as numbers, and which texts are tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTable, readPasted } from '../../portal/src/track/pasted-numbers.ts'

const lists: readonly (readonly [string, string, readonly string[]])[] = [
  ['one to a line', 'MSKU1234565\nHLCUSHA2601123\n', ['MSKU1234565', 'HLCUSHA2601123']],
  [
    'with commas, semicolons or tabs',
    'A1234567,B1234567; C1234567\tD1234567',
    ['A1234567', 'B1234567', 'C1234567', 'D1234567'],
  ],
  ['several whole numbers with blanks between', 'MSKU1234565 TGHU1913465', ['MSKU1234565', 'TGHU1913465']],
  ['one number that is written with blanks', 'MSKU 123456 5', ['MSKU 123456 5']],
  ['each once, however it is written', 'MSKU1234565\nmsku 123456-5', ['MSKU1234565']],
  ['a single line with words around the number', 'B/L no. MAEU 123456789', ['B/L no. MAEU 123456789']],
  ['none in an empty text', ' \n , ;', []],
]
for (const [name, text, numbers] of lists)
  test(`reads pasted numbers: ${name}`, () => {
    assert.equal(isTable(text), false)
    assert.deepEqual(
      readPasted(text).map(({ number }) => number),
      numbers,
    )
  })

test('counts how often a number was pasted', () => {
  const text = 'MSKU1234565\nHLCUSHA2601123\nmsku 123456-5\nMSKU 1234565'
  assert.deepEqual(readPasted(text), [
    { number: 'MSKU1234565', times: 3 },
    { number: 'HLCUSHA2601123', times: 1 },
  ])
})

const tables: readonly (readonly [string, string])[] = [
  ['rows of a spreadsheet', 'MSKU1234565\tACME PO-77\tMaersk\nMSCU4000005\tGlobex\t'],
  ['one row of a spreadsheet', 'MSKU1234565\tACME\tMaersk'],
  ['several columns of numbers', 'HLCUSHA2601123\tMSKU1234565\nHLCUSHA2601124\tMSKU1234570'],
  ['a column under its heading', 'Container\nMSKU1234565\n'],
  ['lines with semicolons under headings', 'B/L;Ref\nHLCUSHA2601123;PO 77\n'],
]
for (const [name, text] of tables)
  test(`takes a pasted text as a table: ${name}`, () => assert.equal(isTable(text), true))

test('reads three hundred numbers quickly', () => {
  const text = Array.from({ length: 300 }, (_, index) => `MSKU${1_000_000 + index}`).join('\n')
  const startedAt = performance.now()
  assert.equal(readPasted(text).length, 300)
  assert.ok(performance.now() - startedAt < 100)
})
