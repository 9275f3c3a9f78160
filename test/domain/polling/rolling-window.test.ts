import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { acquireQuotaSlots, type RollingWindow, windowMs } from '../../../src/domain/polling/rolling-window.ts'

/** Gaps between requests: many at one moment, some seconds apart, some right at the window's edge. */
const gaps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
    fc.integer({ min: 59_990, max: 60_010 }),
  ),
  { maxLength: 300 },
)

test('accepts at most the limit in any 60 seconds, and refuses a request only when the window is full', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), gaps, (limit, each) => {
      const window: RollingWindow = { accepted: [] }
      const accepted: number[] = []
      let nowMs = 1_700_000_000_000
      for (const gap of each) {
        nowMs += gap
        const inWindow = accepted.filter((at) => at > nowMs - windowMs).length
        const { acquired: taken } = acquireQuotaSlots(window, { nowMs, limit, count: 1 })
        assert.equal(taken, inWindow < limit ? 1 : 0)
        if (taken === 1) accepted.push(nowMs)
      }
    }),
    { numRuns: 300 },
  )
})

test('a client that waits as long as Retry-After states is served, whatever came before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), gaps, (limit, each) => {
      const window: RollingWindow = { accepted: [] }
      let nowMs = 1_700_000_000_000
      for (const gap of each) {
        nowMs += gap
        const { acquired: taken, laterMs } = acquireQuotaSlots(window, { nowMs, limit, count: 1 })
        if (taken === 1) continue
        const retryAfterS = Math.ceil((laterMs[0] ?? 0) / 1_000)
        assert.ok(retryAfterS >= 1 && retryAfterS <= 60, String(retryAfterS))
        nowMs += retryAfterS * 1_000
        assert.equal(acquireQuotaSlots(window, { nowMs, limit, count: 1 }).acquired, 1)
      }
    }),
    { numRuns: 300 },
  )
})

test('grants the free slots to simultaneous requests, and gives each refused request a waiting time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), gaps, fc.integer({ min: 1, max: 35 }), (limit, each, count) => {
      const window: RollingWindow = { accepted: [] }
      let nowMs = 1_700_000_000_000
      for (const gap of each) {
        nowMs += gap
        acquireQuotaSlots(window, { nowMs, limit, count: 1 })
      }
      const free = limit - window.accepted.filter((at) => at > nowMs - windowMs).length
      const { acquired: taken, laterMs } = acquireQuotaSlots(window, { nowMs, limit, count })
      assert.equal(taken, Math.min(free, count))
      assert.equal(laterMs.length, count - taken)
      for (const later of laterMs) {
        assert.equal(acquireQuotaSlots(window, { nowMs: nowMs + later, limit, count: 1 }).acquired, 1)
      }
    }),
    { numRuns: 300 },
  )
})

test('after the clock is set back, no request waits over a minute and no account exceeds the limit', () => {
  const window: RollingWindow = { accepted: [] }
  const then = 1_700_000_000_000
  for (let turn = 0; turn < 3; turn += 1) acquireQuotaSlots(window, { nowMs: then, limit: 3, count: 1 })
  const back = then - 3_600_000
  const refused = acquireQuotaSlots(window, { nowMs: back, limit: 3, count: 1 })
  assert.deepEqual(refused, { acquired: 0, laterMs: [windowMs] })
  assert.equal(acquireQuotaSlots(window, { nowMs: back + windowMs - 1, limit: 3, count: 1 }).acquired, 0)
  assert.equal(acquireQuotaSlots(window, { nowMs: back + windowMs, limit: 3, count: 1 }).acquired, 1)
})

test('a lowered limit counts the requests that were accepted before', () => {
  const window: RollingWindow = { accepted: [] }
  const nowMs = 1_700_000_000_000
  for (let turn = 0; turn < 10; turn += 1)
    acquireQuotaSlots(window, { nowMs: nowMs + turn * 1_000, limit: 10, count: 1 })
  const { acquired: taken, laterMs } = acquireQuotaSlots(window, {
    nowMs: nowMs + 10_000,
    limit: 3,
    count: 1,
  })
  assert.equal(taken, 0)
  // Eight of the ten requests must leave the window, so that two remain and the limit of three allows another.
  assert.deepEqual(laterMs, [windowMs - 10_000 + 7_000])
})
