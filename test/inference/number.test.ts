// What a number is, and how it is explained.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeInference } from '../../src/inference/infer.ts'
import { emptyModel } from '../../src/inference/model.ts'
import { readNumber, shapeOf } from '../../src/inference/number.ts'
import { box, november } from './numbers.ts'

const model = emptyModel()
const see = (number: string) => makeInference(number, model, { month: november })

test('reads a container number in any notation', () => {
  for (const written of [
    'CSQU3054383',
    'csqu 305438-3',
    ' CSQU.305438/3',
    'ＣＳＱＵ３０５４３８３',
    'CSQU\u200b3054383',
  ]) {
    const inference = see(written)
    assert.equal(inference?.numberType, 'container', written)
    assert.deepEqual(inference?.validation, {
      isValid: true,
      type: 'container',
      checkDigitPassed: true,
      parsedNumber: 'CSQU3054383',
      reason: null,
      suggestedNumber: null,
    })
  }
})

test('completes a missing check digit in the parsed number', () => {
  const { validation } = see('CSQU305438') ?? assert.fail()
  assert.equal(validation.parsedNumber, 'CSQU3054383')
  assert.equal(validation.checkDigitPassed, null)
  assert.equal(validation.isValid, true)
  assert.match(validation.reason ?? '', /was added/)
})

test('a wrong check digit makes the number invalid, and it is never selected without confirmation', () => {
  const right = see('MSKU1234565') ?? assert.fail()
  assert.equal(right.shippingLine.decision, 'auto_select')
  const wrong = see('MSKU1234567') ?? assert.fail()
  assert.equal(wrong.validation.isValid, false)
  assert.equal(wrong.validation.checkDigitPassed, false)
  assert.equal(wrong.validation.reason, 'Invalid check digit')
  assert.equal(wrong.shippingLine.decision, 'needs_confirmation')
  assert.equal(wrong.shippingLine.selected?.scac, 'MAEU')
  assert.equal(
    wrong.shippingLine.selected?.confidence,
    0.74,
    'nobody can be sure of the line of a number that is wrong',
  )
  assert.equal(wrong.validation.suggestedNumber, 'MSKU1234565')
})

test('accepts the numbers of the sandbox, which have only two digits, and no other number with two digits', () => {
  for (const number of ['SBX-PLAIN-01', 'sbx-contradicted-10', 'SBXRAIL07']) {
    const { validation, shippingLine } = see(number) ?? assert.fail()
    assert.deepEqual([validation.isValid, validation.reason], [true, null], number)
    assert.notEqual(shippingLine.decision, 'auto_select', number)
  }
  for (const number of ['ABX-PLAIN-01', 'SBX-01', 'SBX-PLAIN-1']) assert.equal(see(number), null, number)
})

test('prefers a container number with a wrong check digit to a bill number of the same form', () => {
  // Four letters and seven digits are how HMM writes bills; no owner has these codes.
  const wrong = (ten: string) => `${ten}${(Number(box(ten).at(-1)) + 1) % 10}`
  for (const ten of ['QQQU000000', 'XQZJ123456', 'QXWZ765432']) {
    const { validation, shippingLine } = see(wrong(ten)) ?? assert.fail()
    assert.deepEqual([validation.type, validation.checkDigitPassed], ['container', false])
    assert.equal(validation.reason, `Invalid check digit; there is no such owner code as ${ten.slice(0, 4)}`)
    const lines = shippingLine.candidates.map(({ scac }) => scac)
    assert.ok(lines.indexOf('HDMU') > 0, lines.join())
    assert.notEqual(shippingLine.decision, 'auto_select')
  }
  assert.equal(see(box('QQQU000000'))?.validation.reason, null)
  assert.equal(see(wrong('TCNU000000'))?.validation.reason, 'Invalid check digit')
})

test('a bill that begins with a line’s owner code has this line among its candidates', () => {
  for (const [number, scac] of [
    ['CSLU6123456789', 'COSU'],
    ['CBHU6123456789', 'COSU'],
    ['MSKU123456789', 'MAEU'],
    ['OOCU2123456789', 'OOLU'],
    ['EMCU123400000001', 'EGLV'],
    ['WHSU025A123456', 'WHLC'],
    ['HMMU12345678', 'HDMU'],
  ] as const) {
    const { shippingLine, validation } = see(number) ?? assert.fail(number)
    assert.ok(
      shippingLine.candidates.some((each) => each.scac === scac),
      number,
    )
    assert.notEqual(shippingLine.decision, 'auto_select', number)
    assert.doesNotMatch(validation.reason ?? '', /house bill/)
  }
})

test('refuses text that is no reference number', () => {
  for (const text of ['', 'HELLO', 'AB12', 'ABCDEFGH12', '123456789012345678901', 'MSKU-1234§65', '😀1234567']) {
    assert.equal(see(text), null, text)
  }
})

test('the confidences of all candidates add up to at most one', () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^[A-Z]{0,7}[0-9]{4,12}[A-Z]?$/))
  fc.assert(
    fc.property(texts, (text) => {
      const inference = see(text)
      if (inference === null) return
      const { candidates, selected, decision } = inference.shippingLine
      assert.ok(candidates.length <= 5)
      assert.ok(candidates.reduce((sum, { confidence }) => sum + confidence, 0) <= 1 + 1e-9)
      assert.equal(selected === null, decision === 'no_prediction')
    }),
  )
})

test('reports a bill in a form that no line uses as a possible house bill', () => {
  const { validation, shippingLine } = see('XPLNNGB001234') ?? assert.fail()
  assert.equal(validation.isValid, null)
  assert.match(validation.reason ?? '', /looks like a house bill/)
  assert.equal(shippingLine.decision, 'no_prediction')
})

test('recognizes kind and line of bills and bookings by their formats', () => {
  const expected = [
    ['MEDUAB123456', 'bill_of_lading', 'MSCU'],
    ['038VH1234567', 'booking', 'MSCU'],
    ['HLCUABC260112345', 'bill_of_lading', 'HLCU'],
    ['94405335', 'booking', 'HLCU'],
    ['EGLV123400000001', 'bill_of_lading', 'EGLV'],
    ['ZIMUABC1234567', 'bill_of_lading', 'ZIMU'],
    ['YMLUW123456789', 'bill_of_lading', 'YMLU'],
    ['SUDUA12345678901', 'bill_of_lading', 'MAEU'],
    ['SEAU123456789', 'bill_of_lading', 'SEAU'],
    ['6123456789', 'bill_of_lading', 'COSU'],
    ['2123456789', 'bill_of_lading', 'OOLU'],
    ['10123456', 'bill_of_lading', 'TRKU'],
  ] as const
  for (const [number, type, scac] of expected) {
    const inference = see(number)
    assert.equal(inference?.numberType, type, number)
    assert.equal(inference?.shippingLine.candidates[0]?.scac, scac, number)
  }
})

test('predicts a line that cannot be polled by the number, and the reason states so', () => {
  const { shippingLine, validation } = see('EGLV123400000001') ?? assert.fail()
  assert.equal(shippingLine.selected?.scac, 'EGLV')
  assert.match(validation.reason ?? '', /cannot be tracked by bill of lading number/)
})

test('describes the shape of a number by its runs of letters and digits', () => {
  assert.equal(shapeOf('ABC1234567'), 'L3D7')
  assert.equal(shapeOf('038VH9561873'), 'D3L2D7')
  assert.equal(readNumber('SUDUN1234ABCDEFX')?.kind, 'shipment')
})
