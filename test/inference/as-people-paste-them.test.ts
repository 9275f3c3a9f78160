// Numbers as people paste them, each read by the reader that API, portal and command line use, compared with the
// judgement of a person of the trade.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Inference, makeInference } from '../../src/inference/infer.ts'
import { emptyModel } from '../../src/inference/model.ts'
import { readPasted } from '../../src/inference/pasted.ts'
import { november } from './numbers.ts'

const model = emptyModel()
const file = new URL('as-people-paste-them.tsv', import.meta.url)
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter((row) => row !== '' && !row.startsWith('#'))
  .slice(1)
  .map((row) => row.split('\t') as [string, string, string])

test('the table of pasted numbers has at least sixty rows', () => {
  assert.ok(rows.length >= 60)
})

for (const [written, what, says] of rows) {
  test(`the pasted text ${written} is understood as ${what}`, () => {
    const pasted = written.replace(/\\u([0-9a-f]{4})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    assert.equal(say(pasted, says.includes(' of ')), says)
  })
}

const formats = readFileSync(new URL('../../src/inference/data/number-formats.tsv', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((row) => row.split('\t')[2] ?? [])
  .filter((pattern) => pattern.startsWith('^'))

test('recognizes any number in the format of a line', () => {
  assert.ok(formats.length > 50)
  const written = fc.constantFrom(...formats).chain((pattern) => fc.stringMatching(new RegExp(pattern)))
  fc.assert(
    fc.property(written, (number) => {
      const pasted = readPasted(number)
      // Ten letters and no four digits are no number, whatever the format of a line allows.
      if (number.replace(/[^0-9]/g, '').length < 4) return
      // In the form of a container number, it may be that of another one with two letters exchanged.
      if (/^[A-Z]{4}[0-9]{7}$/.test(number) && pasted.kind === 'slip') return
      assert.equal(pasted.kind, 'number', JSON.stringify(pasted))
      if (pasted.kind === 'number') assert.equal(pasted.number, number)
    }),
    { numRuns: 2_000 },
  )
})

test('any pasted text is read without an error, and a number found in it is read again unchanged', () => {
  const parts = fc.constantFrom('MSKU1234565', 'MAEU', '123456789', 'Container', ' ', '-', '/', '#', '<b>', 'PO', '20')
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.array(parts).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const pasted = readPasted(text)
      if (pasted.kind !== 'number') return
      const again = readPasted(pasted.number)
      assert.deepEqual([again.kind, again.kind === 'number' && again.number], ['number', pasted.number])
    }),
    { numRuns: 2_000, examples: [['123456789-20<b>']] },
  )
})

const kinds: Readonly<Record<string, string>> = {
  'an air waybill': 'air waybill',
  'a date': 'date',
  'a purchase order': 'purchase order',
  'an invoice': 'invoice',
  'a phone number': 'phone number',
  'a UN number of dangerous goods': 'UN number',
  'the IMO number of a ship': 'IMO number',
  'the number of a seal': 'seal',
}

/** `isOfLine`: the likeliest line too. */
function say(text: string, isOfLine: boolean): string {
  const pasted = readPasted(text)
  switch (pasted.kind) {
    case 'none':
      return 'no number'
    case 'several':
      return `which of ${pasted.numbers.join(', ')}`
    case 'slip':
    case 'changed':
      return pasted.corrected === null ? `ask again ${pasted.number}` : `did you mean ${pasted.corrected}`
    case 'other':
      return `${kinds[pasted.other.what] ?? pasted.other.what} ${pasted.other.text}`
    case 'number': {
      const inference = makeInference(pasted.number, model, { month: november })
      assert.ok(inference !== null, pasted.number)
      return sayNumber(inference, pasted.isHouseBill, isOfLine)
    }
    default:
      return assert.fail()
  }
}

function sayNumber(
  { numberType, validation, shippingLine }: Inference,
  isHouseBill: boolean,
  isOfLine: boolean,
): string {
  const { parsedNumber, reason, checkDigitPassed } = validation
  if (numberType === 'container') {
    const digit =
      checkDigitPassed === false
        ? ', wrong check digit'
        : reason?.includes('was added')
          ? ', check digit completed'
          : ''
    return `container ${parsedNumber}${digit}`
  }
  if (reason?.includes('ILU code')) return `ILU code ${parsedNumber}`
  if (isHouseBill || reason?.includes('house bill')) return `house bill ${parsedNumber}`
  const kind = numberType === 'booking' ? 'booking' : 'bill'
  return `${kind} ${parsedNumber}${isOfLine ? ` of ${shippingLine.candidates[0]?.scac}` : ''}`
}
