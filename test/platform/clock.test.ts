import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  firstSandboxAnchor,
  manualClock,
  sandboxClock,
  sandboxNow,
  withSandboxSpeed,
} from '../../src/platform/clock.ts'

const dayMs = 86_400_000
const start = Date.UTC(2026, 0, 15)

test('the sandbox starts 90 days ago, passes a day a second and then runs with the real clock', () => {
  const real = manualClock(start)
  const clock = sandboxClock(firstSandboxAnchor(start, 86_400), real)
  assert.equal(clock.now(), start - 90 * dayMs)
  real.advance(1_000)
  assert.equal(clock.now(), start - 89 * dayMs)
  real.advance(100_000)
  assert.equal(clock.now(), real.now())
})

test('the sandbox never runs ahead of the real clock and never goes back while the real clock goes on', () => {
  const ms = fc.integer({ min: 0, max: 400 * dayMs })
  fc.assert(
    fc.property(ms, ms, fc.integer({ min: 1, max: 1_000_000 }), (first, more, speed) => {
      const anchor = firstSandboxAnchor(start, speed)
      const then = sandboxNow(anchor, start + first)
      const later = sandboxNow(anchor, start + first + more)
      assert.ok(then <= start + first && later >= then)
    }),
  )
})

test('changes the speed without a jump of the simulated time', () => {
  const anchor = firstSandboxAnchor(start, 86_400)
  const realNowMs = start + 30_000
  const slower = withSandboxSpeed(anchor, { speed: 60, realNowMs })
  assert.equal(sandboxNow(slower, realNowMs), sandboxNow(anchor, realNowMs))
  assert.equal(sandboxNow(slower, realNowMs + 1_000) - sandboxNow(slower, realNowMs), 60_000)
  assert.equal(slower.epochMs, anchor.epochMs)
  assert.equal(withSandboxSpeed(anchor, { speed: 86_400, realNowMs }), anchor)
})
