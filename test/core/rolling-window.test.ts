import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type RollingWindow, takeTurns, windowMs } from '../../src/core/looking/rolling-window.ts'

/** Gaps between requests: many at one moment, some seconds apart, some right at the window's edge. */
const gaps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
    fc.integer({ min: 59_990, max: 60_010 }),
  ),
  { maxLength: 300 },
)

test('no 60 seconds ever hold more accepted turns than the limit, and a turn is refused only when they are full', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), gaps, (limit, each) => {
      const window: RollingWindow = { accepted: [] }
      const accepted: number[] = []
      let nowMs = 1_700_000_000_000
      for (const gap of each) {
        nowMs += gap
        const inWindow = accepted.filter((at) => at > nowMs - windowMs).length
        const { taken } = takeTurns(window, { nowMs, limit, count: 1 })
        assert.equal(taken, inWindow < limit ? 1 : 0)
        if (taken === 1) accepted.push(nowMs)
      }
    }),
    { numRuns: 300 },
  )
})

test('whoever waits as long as Retry-After says is served, whatever came before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), gaps, (limit, each) => {
      const window: RollingWindow = { accepted: [] }
      let nowMs = 1_700_000_000_000
      for (const gap of each) {
        nowMs += gap
        const { taken, laterMs } = takeTurns(window, { nowMs, limit, count: 1 })
        if (taken === 1) continue
        const retryAfterS = Math.ceil((laterMs[0] ?? 0) / 1_000)
        assert.ok(retryAfterS >= 1 && retryAfterS <= 60, String(retryAfterS))
        nowMs += retryAfterS * 1_000
        assert.equal(takeTurns(window, { nowMs, limit, count: 1 }).taken, 1)
      }
    }),
    { numRuns: 300 },
  )
})

test('of many turns at once the free ones are given, and each other gets the time of its turn', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      gaps,
      fc.integer({ min: 1, max: 35 }),
      (limit, each, count) => {
        const window: RollingWindow = { accepted: [] }
        let nowMs = 1_700_000_000_000
        for (const gap of each) {
          nowMs += gap
          takeTurns(window, { nowMs, limit, count: 1 })
        }
        const free = limit - window.accepted.filter((at) => at > nowMs - windowMs).length
        const { taken, laterMs } = takeTurns(window, { nowMs, limit, count })
        assert.equal(taken, Math.min(free, count))
        assert.equal(laterMs.length, count - taken)
        for (const later of laterMs) {
          assert.equal(takeTurns(window, { nowMs: nowMs + later, limit, count: 1 }).taken, 1)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('a clock that is set back makes no request wait longer than a minute and gives no account more than the limit', () => {
  const window: RollingWindow = { accepted: [] }
  const then = 1_700_000_000_000
  for (let turn = 0; turn < 3; turn += 1) takeTurns(window, { nowMs: then, limit: 3, count: 1 })
  const back = then - 3_600_000
  const refused = takeTurns(window, { nowMs: back, limit: 3, count: 1 })
  assert.deepEqual(refused, { taken: 0, laterMs: [windowMs] })
  assert.equal(takeTurns(window, { nowMs: back + windowMs - 1, limit: 3, count: 1 }).taken, 0)
  assert.equal(takeTurns(window, { nowMs: back + windowMs, limit: 3, count: 1 }).taken, 1)
})

test('a limit that is lowered counts what was taken before', () => {
  const window: RollingWindow = { accepted: [] }
  const nowMs = 1_700_000_000_000
  for (let turn = 0; turn < 10; turn += 1)
    takeTurns(window, { nowMs: nowMs + turn * 1_000, limit: 10, count: 1 })
  const { taken, laterMs } = takeTurns(window, { nowMs: nowMs + 10_000, limit: 3, count: 1 })
  assert.equal(taken, 0)
  // Eight of the ten turns must be over, so that two remain and the limit of three allows another.
  assert.deepEqual(laterMs, [windowMs - 10_000 + 7_000])
})
