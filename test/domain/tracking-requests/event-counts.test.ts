// When an answer counts as partly understood, and when a line’s unread share has suddenly risen: the rule with its
// numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AnswerWindow,
  findJump,
  isJumpOver,
  isPartlyUnderstood,
  unreadShare,
} from '../../../src/domain/tracking-requests/event-counts.ts'

const window = (unread: number, changes: Partial<AnswerWindow> = {}): AnswerWindow => ({
  answers: 50,
  told: 500,
  aside: 0,
  understood: 500 - unread,
  numbersWithLosses: unread === 0 ? 0 : 20,
  ...changes,
})

test('an answer is partly understood below nine tenths of its events, not at nine tenths', () => {
  assert.equal(isPartlyUnderstood({ told: 10, aside: 0, understood: 9 }), false)
  assert.equal(isPartlyUnderstood({ told: 100, aside: 0, understood: 89 }), true)
})

test('does not count events that were set aside', () => {
  assert.equal(isPartlyUnderstood({ told: 20, aside: 10, understood: 10 }), false)
  assert.equal(isPartlyUnderstood({ told: 3, aside: 3, understood: 0 }), null)
  assert.equal(unreadShare({ told: 0, aside: 0, understood: 0 }), null)
})

test('a jump of unread events is reported if their share at least doubles and rises by ten percentage points', () => {
  assert.deepEqual(findJump(window(10), window(60)), { shareBefore: 0.02, shareNow: 0.12 })
  assert.equal(findJump(window(10), window(59)), null, 'less than a tenth more')
  assert.equal(findJump(window(100), window(180)), null, 'not twice as many')
  assert.deepEqual(findJump(window(0), window(500)), { shareBefore: 0, shareNow: 1 })
})

test('no jump of unread events is reported for few answers, few events or few affected numbers', () => {
  assert.equal(findJump(window(0, { answers: 49 }), window(500)), null)
  assert.equal(findJump(window(0), window(500, { answers: 49 })), null)
  assert.equal(findJump(window(0, { told: 99, understood: 99 }), window(500)), null)
  assert.equal(findJump(window(0), window(500, { numbersWithLosses: 4 })), null)
})

test('a jump of unread events lasts until at least half of the rise is gone', () => {
  assert.equal(isJumpOver(0.02, window(60)), false)
  assert.equal(isJumpOver(0.02, window(35)), true)
  assert.equal(isJumpOver(0.02, window(0, { told: 0, understood: 0 })), false, 'nothing told is no proof')
})
