// Numbers of one list are judged by one another: a bill goes with one line, a shipper's list with few, a vessel's with many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createEvidence, learnOutcome } from '../../src/inference/evidence.ts'
import { makeInference } from '../../src/inference/infer.ts'
import { inferTogether, type ListedNumber } from '../../src/inference/infer-together.ts'
import { openModel } from '../../src/inference/model.ts'
import { batch, box, confirmed, november } from './numbers.ts'

const model = openModel({ shipped: createEvidence() })
const unknown = (...numbers: readonly string[]): readonly ListedNumber[] =>
  numbers.map((number) => ({ number, scac: null }))
const see = (listed: readonly ListedNumber[], by = model) => inferTogether(listed, by, { month: november })
const firstOf = (inference: ReturnType<typeof see>[number] | undefined) => inference?.shippingLine.candidates[0]

test('leased containers on a bill with a carrier’s own container belong to that carrier, with the reason', () => {
  const [leased, other, own] = see(unknown(box('TCNU123456'), box('BEAU654321'), box('HLBU111111')))
  for (const inference of [leased, other]) {
    assert.equal(firstOf(inference)?.scac, 'HLCU')
    assert.ok((firstOf(inference)?.confidence ?? 0) > 0.5)
    assert.ok(
      inference?.explanation.includes('HLCU is probably the line of 1 of the 2 other numbers of the list.'),
      inference?.explanation.join(' '),
    )
  }
  assert.equal(own?.shippingLine.decision, 'auto_select')
})

test('does not select a line automatically only because of the other numbers in the list', () => {
  const own = Array.from({ length: 12 }, (_, index) => box(`HLBU1111${10 + index}`))
  const answers = see(unknown(box('TCNU123456'), ...own))
  assert.equal(firstOf(answers[0])?.scac, 'HLCU')
  assert.equal(answers[0]?.shippingLine.decision, 'needs_confirmation')
})

test('a given line is evidence for the other containers of its list', () => {
  const [leased] = see([
    { number: box('TCNU123456'), scac: null },
    { number: box('BEAU654321'), scac: 'YMLU' },
  ])
  assert.equal(firstOf(leased)?.scac, 'YMLU')
  assert.equal(firstOf(makeInference(box('TCNU123456'), model, { month: november }))?.scac, 'MSCU')
})

test('in a list with many lines, a leased container gets the line of the containers with close serial numbers', () => {
  const told = ['MSKU', 'HLBU', 'ONEU', 'EITU', 'WHLU'].flatMap((code, at) =>
    Array.from({ length: 4 }, (_, index) => ({
      number: box(`${code}${at}111${10 + index}`),
      scac: null,
    })),
  )
  const lessor = [0, 1, 2, 3].map((index) => ({ number: box(`TCNU72150${index}`), scac: 'ONEY' }))
  const [leased] = see([{ number: box('TCNU721900'), scac: null }, ...told, ...lessor])
  assert.equal(firstOf(leased)?.scac, 'ONEY')
})

test('a carrier’s own container stays that carrier’s among containers of another', () => {
  const others = Array.from({ length: 20 }, (_, index) => box(`MSKU1111${10 + index}`))
  const [own] = see(unknown(box('HLBU123456'), ...others))
  assert.equal(firstOf(own)?.scac, 'HLCU')
})

test('in a list with many lines, no line is predicted with high confidence for a leased container', () => {
  const many = ['MSKU', 'HLBU', 'ONEU', 'EITU', 'WHLU', 'MEDU', 'ZIMU'].flatMap((code) => [
    box(`${code}111111`),
    box(`${code}222222`),
  ])
  const [leased] = see(unknown(box('TCNU123456'), ...many))
  assert.ok((firstOf(leased)?.confidence ?? 1) < 0.5)
})

test('a list of one number gives the result of the number alone, and the order of a list changes nothing', () => {
  const numbers = [
    box('TCNU123456'),
    box('HLBU111111'),
    'MEDUAB123456',
    '712345678',
    box('BEAU222222'),
    box('TGHU333333'),
    box('MSKU444444'),
  ]
  const alone = see(unknown(numbers[0] ?? ''))
  assert.deepEqual(alone[0]?.shippingLine, makeInference(numbers[0] ?? '', model, { month: november })?.shippingLine)
  fc.assert(
    fc.property(fc.shuffledSubarray(numbers, { minLength: 2 }), (some) => {
      const there = see(unknown(...some)).map((each) => each?.shippingLine)
      const back = see(unknown(...some.toReversed())).map((each) => each?.shippingLine)
      assert.deepEqual(
        back.toReversed().map((line) => [line?.decision, line?.candidates[0]?.scac]),
        there.map((line) => [line?.decision, line?.candidates[0]?.scac]),
      )
      for (const line of there)
        assert.ok((line?.candidates ?? []).reduce((sum, { confidence }) => sum + confidence, 0) <= 1)
    }),
  )
})

test('a text that is not a number gets no result and does not change the others', () => {
  const [none, box1, box2] = see(unknown('none', box('TCNU123456'), box('HLBU111111')))
  assert.equal(none, null)
  assert.equal(firstOf(box1)?.scac, 'HLCU')
  assert.equal(firstOf(box2)?.scac, 'HLCU')
})

test('predicts leased containers first for the lines that the account ships with', () => {
  const own = createEvidence()
  for (const outcome of batch('YMLU11', 30, 'YMLU')) learnOutcome(own, outcome)
  for (let index = 0; index < 5; index += 1) learnOutcome(own, confirmed(`HLCUABC2601${10_000 + index}`, 'HLCU'))
  const leased = makeInference(box('TCNU123456'), openModel({ shipped: createEvidence(), ownEvidence: own }), {
    month: november,
  })
  assert.deepEqual(
    leased?.shippingLine.candidates.slice(0, 2).map(({ scac }) => scac),
    ['YMLU', 'HLCU'],
  )
  assert.equal(leased?.shippingLine.decision, 'no_prediction')
})
