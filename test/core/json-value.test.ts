/** JSON values as they come back from where they are stored. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asKept, isKeptAs, isSameJson } from '../../src/core/values/json-value.ts'

test('a value comes back as JSON gives it back, and as the same object where that is no other', () => {
  const whole = { a: [1, { b: null }], c: { d: 'x' } }
  assert.equal(asKept(whole), whole)
  const holed = { a: undefined, b: [{ c: undefined, d: 1 }], e: whole }
  const kept = asKept(holed)
  assert.deepEqual(kept, { b: [{ d: 1 }], e: whole })
  assert.equal(Object.keys(kept).includes('a'), false)
  assert.equal(kept.e, whole)
  assert.ok('a' in holed, 'nothing is changed in place')
})

test('whatever it is, it is the same value as JSON gives back', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined))), (value) => {
      const written: unknown = JSON.parse(JSON.stringify(value))
      assert.ok(isSameJson(asKept(value), written))
    }),
  )
})

test('a value is kept as another one if and only if what comes back of it is the same', () => {
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
      for (const was of [value, other].map(asKept))
        assert.equal(isKeptAs(value, was), isSameJson(was, asKept(value)))
    }),
  )
})
