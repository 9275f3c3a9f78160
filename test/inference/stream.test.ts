// A made-up installation learns from its own outcomes, and follows batches that are leased again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStream } from '../../tools/inference/stream.ts'

test('after 5,000 outcomes, at least nine of ten containers are predicted right', () => {
  const windows = runStream({ seed: 20261120, outcomes: 6_600, releaseAt: 5_000, batchesPerLessor: 20 })
  const accuracy = (until: number) => {
    const window = windows.findLast((one) => one.until <= until)
    return window === undefined ? 0 : window.right / window.boxes
  }
  assert.ok(accuracy(5_100) >= 0.92)
  for (const until of [5_600, 6_100, 6_600]) assert.ok(accuracy(until) >= 0.92, `${until}`)
  for (const window of windows) assert.ok(window.billLeasedRight >= window.leasedRight, `${window.until}`)
  const [first] = windows
  assert.ok((first?.billRight ?? 0) / (first?.boxes ?? 1) >= 0.95, 'the boxes of a bill tell one another early')
  const auto = windows.reduce((sum, { auto: count }) => sum + count, 0)
  const right = windows.reduce((sum, { autoRight }) => sum + autoRight, 0)
  assert.ok(right / auto >= 0.97)
})
