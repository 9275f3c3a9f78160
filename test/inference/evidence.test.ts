// Learning is counting: any order gives the same result, and a learned outcome can be undone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createEvidence, learnOutcome, type Outcome } from '../../src/inference/evidence.ts'
import { makeInference } from '../../src/inference/infer.ts'
import { openModel } from '../../src/inference/model.ts'
import { ancestorKeys, isShareable, nodeKey } from '../../src/inference/node-key.ts'
import { batch, box, november } from './numbers.ts'

const outcomes = fc.array(
  fc.record({
    node: fc.constantFrom('c:TCNU7211', 'c:TCNU7212', 'c:TCNU72', 'c:MSKU1234', 's:D9:71234', 's:D9:9', 'p:MEDU'),
    scac: fc.constantFrom('MSCU', 'MAEU', 'CMDU', 'ZZZZ'),
    weight: fc.constantFrom(1, 0.5, -0.25),
    month: fc.integer({ min: november - 30, max: november }),
    bill: fc.constantFrom('a', 'b', 'c', null),
  }),
  { maxLength: 30 },
)
const numbers = [box('TCNU721150'), box('TCNU721250'), box('MSKU123456'), '712345678', 'MEDUAB123456']

function predict(learned: readonly Outcome[]) {
  const own = createEvidence()
  for (const outcome of learned) learnOutcome(own, outcome)
  const model = openModel({ ownEvidence: own, shipped: createEvidence() })
  return numbers.map((number) => makeInference(number, model, { month: november })?.shippingLine)
}

test('the order of outcomes does not change a prediction', () => {
  fc.assert(
    fc.property(outcomes, (some) => {
      assert.deepEqual(predict(some.toReversed()), predict(some))
    }),
  )
})

test('learning an outcome with the opposite weight removes its effect', () => {
  fc.assert(
    fc.property(outcomes, fc.integer({ min: 0, max: 5 }), (some, at) => {
      const mistakes = batch('TCNU7211', 5, 'EGLV', { month: november - 1 })
      const back = mistakes.map((outcome) => ({ ...outcome, weight: -outcome.weight, rows: -1 }))
      // Eight outcomes are stored by their month; with no more than that nothing is lost.
      const few = some.slice(0, 3)
      assert.deepEqual(predict([...few.slice(0, at), ...mistakes, ...few.slice(at), ...back]), predict(few))
    }),
  )
})

test('the parents of an evidence key are its shorter prefixes, down to the owner code or the number shape', () => {
  assert.equal(nodeKey(box('TCNU721234')), 'c:TCNU7212')
  assert.deepEqual(ancestorKeys('c:TCNU7212'), ['c:TCNU721', 'c:TCNU72', 'c:TCNU7', 'c:TCNU'])
  assert.equal(nodeKey('SIJ1234567'), 's:L3D7:SIJ12')
  assert.deepEqual(ancestorKeys('s:L3D7:SIJ'), ['s:L3D7:SI', 's:L3D7:S', 's:L3D7'])
  assert.equal(nodeKey('MEDUAB123456'), 'p:MEDU')
  assert.deepEqual(ancestorKeys('p:MEDU'), [])
})

test('shares at most three digits of a container number with other accounts', () => {
  assert.equal(isShareable('c:TCNU7212'), false)
  assert.equal(isShareable('c:TCNU721'), true)
  assert.equal(isShareable('s:L3D7:SIJ12'), true)
})

test('recording an outcome under an invalid evidence key is refused', () => {
  assert.throws(
    () => learnOutcome(createEvidence(), { node: 'TCNU', scac: 'MSCU', weight: 1, month: november, bill: null }),
    /not a node/,
  )
})
