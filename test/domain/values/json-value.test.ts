/** JSON values as they are after storing and loading. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asStored, isSameJson, isStoredAs } from '../../../src/domain/values/json-value.ts'

test('returns a value as JSON stores it, and the same object where nothing changes', () => {
  const whole = { a: [1, { b: null }], c: { d: 'x' } }
  assert.equal(asStored(whole), whole)
  const holed = { a: undefined, b: [{ c: undefined, d: 1 }], e: whole }
  const stored = asStored(holed)
  assert.deepEqual(stored, { b: [{ d: 1 }], e: whole })
  assert.equal(Object.keys(stored).includes('a'), false)
  assert.equal(stored.e, whole)
  assert.ok('a' in holed, 'nothing is changed in place')
})

test('the stored form of any value equals the value after a JSON round trip', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined))), (value) => {
      const written: unknown = JSON.parse(JSON.stringify(value))
      assert.ok(isSameJson(asStored(value), written))
    }),
  )
})

test('a value is recognized as equal to a stored one if and only if both have the same JSON', () => {
  const values = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(undefined, null, 0, 1, 'a'),
      fc.array(tie('any'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', '0', 'length'), tie('any'), { maxKeys: 3 }),
    ),
  })).any
  fc.assert(
    fc.property(values, values, (value, other) => {
      for (const was of [value, other].map(asStored))
        assert.equal(isStoredAs(value, was), isSameJson(was, asStored(value)))
    }),
  )
})
