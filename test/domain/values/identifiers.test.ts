import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  containerCheckDigit,
  containerNumberReasons,
  imoNumberReasons,
  isContainerNumber,
  isImoNumber,
  isReferenceNumber,
  isScac,
  isUnLocode,
  parseContainerNumber,
  parseEquipmentReference,
  parseImoNumber,
  parseReferenceNumber,
  parseScac,
  parseUnLocode,
  referenceNumberReasons,
  scacReasons,
  unLocodeReasons,
} from '../../../src/domain/values/identifiers.ts'
import type { Result } from '../../../src/domain/values/result.ts'
import { readVectors } from './vectors.ts'

interface Identifier {
  readonly name: string
  readonly parse: (text: string) => Result<string, string>
  readonly is: (text: string) => boolean
  readonly reasons: readonly string[]
}

const identifiers: readonly Identifier[] = [
  { name: 'container', parse: parseContainerNumber, is: isContainerNumber, reasons: containerNumberReasons },
  { name: 'imo', parse: parseImoNumber, is: isImoNumber, reasons: imoNumberReasons },
  { name: 'unlocode', parse: parseUnLocode, is: isUnLocode, reasons: unLocodeReasons },
  { name: 'scac', parse: parseScac, is: isScac, reasons: scacReasons },
  { name: 'reference', parse: parseReferenceNumber, is: isReferenceNumber, reasons: referenceNumberReasons },
]

for (const { name, parse, is, reasons } of identifiers) {
  test(`reads and normalizes every valid ${name} number of the test vectors`, () => {
    const vectors = readVectors(`${name}_valid`)
    assert.ok(vectors.length >= 4)
    for (const { input, expected, why } of vectors) {
      assert.deepEqual(parse(input), { ok: true, value: expected }, `${input}: ${why}`)
      assert.equal(is(expected), true, expected)
    }
  })

  test(`refuses every invalid ${name} number of the test vectors with its reason`, () => {
    const vectors = readVectors(`${name}_invalid`)
    assert.ok(vectors.length >= 5)
    for (const { input, expected, why } of vectors) {
      assert.deepEqual(parse(input), { ok: false, reason: expected }, `${input}: ${why}`)
      assert.equal(is(input), false, input)
    }
  })

  test(`reads any text as a valid ${name} number or refuses the text with a listed reason`, () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 300 })), (text) => {
        const parsed = parse(text)
        if (!parsed.ok) return reasons.includes(parsed.reason)
        return is(parsed.value) && assert.deepEqual(parse(parsed.value), parsed) === undefined
      }),
    )
  })
}

const firstTen = fc.stringMatching(/^[A-Z]{3}[UJZ][0-9]{6}$/)

test('a container number with its check digit is valid and every other digit is not', () => {
  fc.assert(
    fc.property(firstTen, fc.integer({ min: 0, max: 9 }), (text, digit) => {
      assert.equal(isContainerNumber(`${text}${digit}`), containerCheckDigit(text) === digit)
    }),
  )
})

test('a wrong digit of a container number is detected unless it turns a remainder of 10 into 0', () => {
  fc.assert(
    fc.property(firstTen, fc.integer({ min: 4, max: 9 }), fc.integer({ min: 1, max: 9 }), (text, at, by) => {
      const wrong = `${text.slice(0, at)}${(Number(text[at]) + by) % 10}${text.slice(at + 1)}`
      const digits = [containerCheckDigit(text), containerCheckDigit(wrong)]
      assert.ok(digits[0] !== digits[1] || digits[0] === 0)
    }),
  )
})

test('computes a check digit only from four letters and six digits', () => {
  assert.equal(containerCheckDigit('CSQU305438'), 3)
  assert.equal(containerCheckDigit('CSQU30543'), null)
  assert.equal(containerCheckDigit('csqu305438'), null)
})

test('a source may name a container with a wrong or missing check digit, and a person may not', () => {
  const named = (text: string) => {
    const parsed = parseEquipmentReference(text)
    return parsed.ok ? `${parsed.value.number} ${parsed.value.checkDigit}` : parsed.reason
  }
  assert.equal(named('MSCU4000005'), 'MSCU4000005 right')
  assert.equal(named('mscu 400000-6'), 'MSCU4000006 wrong')
  assert.equal(named('MSCU400000'), 'MSCU4000005 missing')
  assert.equal(named('MSCA4000005'), 'unknown_category')
  assert.equal(named('MSCA400000'), 'unknown_category')
  assert.equal(named('HELLO'), 'wrong_format')
  assert.equal(isContainerNumber('MSCU4000006'), false)
})
