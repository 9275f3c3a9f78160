// Which parts of a pasted text the portal reads as numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPasted } from '../../portal/src/track/pasted-numbers.ts'

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['one to a line', 'MSKU1234565\nHLCUSHA2601123\n', ['MSKU1234565', 'HLCUSHA2601123']],
  [
    'with commas, semicolons or tabs',
    'A1234567,B1234567; C1234567\tD1234567',
    ['A1234567', 'B1234567', 'C1234567', 'D1234567'],
  ],
  ['several whole numbers with blanks between', 'MSKU1234565 TGHU1913465', ['MSKU1234565', 'TGHU1913465']],
  ['one number that is written with blanks', 'MSKU 123456 5', ['MSKU 123456 5']],
  ['each once, however it is written', 'MSKU1234565\nmsku 123456-5', ['MSKU1234565']],
  ['none in an empty text', ' \n , ;', []],
]
for (const [name, text, numbers] of cases)
  test(`reads pasted numbers: ${name}`, () => assert.deepEqual(readPasted(text), numbers))

test('reads three hundred numbers quickly', () => {
  const text = Array.from({ length: 300 }, (_, index) => `MSKU${1_000_000 + index}`).join('\n')
  const startedAt = performance.now()
  assert.equal(readPasted(text).length, 300)
  assert.ok(performance.now() - startedAt < 100)
})
