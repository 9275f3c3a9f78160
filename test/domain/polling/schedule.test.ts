import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  failureGapMs,
  jitterOf,
  type PollFacts,
  pollGapMs,
  pollUrgency,
  defaultPollRules as rules,
} from '../../../src/domain/polling/schedule.ts'
import { addDays, addMs } from '../../../src/domain/values/time.ts'
import { containerStatuses } from '../../../src/domain/view/projection.ts'

const now = '2026-01-06T00:00:00.000Z'
const hourMs = 3_600_000
const atSea: PollFacts = {
  status: 'on_ship',
  isTerminated: false,
  nextExpectedAt: null,
  arrivedAt: null,
  lastChangeAt: addDays(now, -1),
}

const gaps: readonly (readonly [what: string, facts: Partial<PollFacts>, hours: number | null])[] = [
  ['booked', { status: 'new' }, 12],
  ['booked, departing the day after tomorrow', { status: 'new', nextExpectedAt: addDays(now, 2) }, 2.5],
  ['at sea, arrival in 20 days', { nextExpectedAt: addDays(now, 20) }, 12],
  ['at sea, arrival in 10 days', { nextExpectedAt: addDays(now, 10) }, 6],
  ['at sea, nobody said when it arrives', {}, 6],
  ['at sea, arrival in 3 days', { nextExpectedAt: addDays(now, 3) }, 2.5],
  ['at sea, arrival overdue by a day', { nextExpectedAt: addDays(now, -1) }, 2.5],
  ['at sea, arrival overdue by 10 days', { nextExpectedAt: addDays(now, -10) }, 6],
  ['arrived, not discharged', { arrivedAt: addDays(now, -1) }, 2],
  ['discharged', { status: 'grounded' }, 2],
  ['available', { status: 'available' }, 2],
  ['held', { status: 'not_available' }, 2],
  ['waiting for the train', { status: 'awaiting_inland_transfer' }, 2],
  ['on the train', { status: 'on_rail' }, 4],
  ['on the train, arriving tomorrow', { status: 'on_rail', nextExpectedAt: addDays(now, 1) }, 2.5],
  ['picked up', { status: 'picked_up' }, 12],
  ['delivered', { status: 'delivered' }, 12],
  ['back', { status: 'empty_returned', isTerminated: true }, null],
  ['said to be back, but contradicted', { status: 'empty_returned' }, 12],
  ['at the terminal, nothing new for a month', { status: 'grounded', lastChangeAt: addDays(now, -30) }, 4],
  ['discharged five hours ago', { status: 'grounded', lastChangeAt: addMs(now, -5 * hourMs) }, 1.5],
  ['discharged seven hours ago', { status: 'grounded', lastChangeAt: addMs(now, -7 * hourMs) }, 2],
  ['sailed five hours ago', { lastChangeAt: addMs(now, -5 * hourMs) }, 6],
  [
    'held by customs, nothing new for a month',
    { status: 'grounded', isHeld: true, lastChangeAt: addDays(now, -30) },
    1.5,
  ],
  ['held while still at sea', { isHeld: true }, 1.5],
  ['free time ends tomorrow', { status: 'available', freeUntil: addDays(now, 1) }, 1.5],
  ['free time ended yesterday', { status: 'available', freeUntil: addDays(now, -1) }, 1.5],
  ['free time ends in three days', { status: 'available', freeUntil: addDays(now, 3) }, 2],
  ['picked up, nothing new for a month', { status: 'picked_up', lastChangeAt: addDays(now, -30) }, 24],
]

test('each stage of a journey has its interval between polls', () => {
  for (const [what, facts, hours] of gaps) {
    const gapMs = pollGapMs([{ ...atSea, ...facts }], { now, jitter: 0 })
    assert.equal(gapMs === null ? null : gapMs / hourMs, hours, what)
  }
})

test('classifies a poll as urgent, near or calm by free time, holds and expected arrivals', () => {
  const urgencyOf = (facts: Partial<PollFacts>) => pollUrgency([{ ...atSea, ...facts }], now, rules)
  assert.equal(urgencyOf({ status: 'available', freeUntil: addDays(now, 1) }), 'urgent')
  assert.equal(urgencyOf({ isHeld: true }), 'near')
  assert.equal(urgencyOf({ status: 'grounded' }), 'near')
  assert.equal(urgencyOf({ nextExpectedAt: addDays(now, 2) }), 'near')
  assert.equal(urgencyOf({ nextExpectedAt: addDays(now, 10) }), 'calm')
  assert.equal(urgencyOf({ status: 'available', freeUntil: addDays(now, 1), isTerminated: true }), 'calm')
})

test('polls a shipment as often as its most urgent container requires', () => {
  const far: PollFacts = { ...atSea, nextExpectedAt: addDays(now, 20) }
  const grounded: PollFacts = { ...atSea, status: 'grounded' }
  const back: PollFacts = { ...atSea, status: 'empty_returned', isTerminated: true }
  assert.equal(pollGapMs([far, grounded, back], { now, jitter: 0 }), 2 * hourMs)
  assert.equal(pollGapMs([far, back], { now, jitter: 0 }), 12 * hourMs)
  assert.equal(pollGapMs([back, back], { now, jitter: 0 }), null)
})

test('polls a shipment without containers like a booking', () => {
  assert.equal(pollGapMs([], { now, jitter: 0 }), 12 * hourMs)
})

test('jitter changes an interval by a tenth at most, and is constant for one poll target', () => {
  const gap = (jitter: number) => pollGapMs([{ ...atSea, status: 'grounded' }], { now, jitter })
  assert.equal(gap(1), 7_920_000)
  assert.equal(gap(-1), 6_480_000)
  assert.equal(gap(99), 7_920_000)
  assert.equal(jitterOf('EGLV/container/TCNU1234565'), jitterOf('EGLV/container/TCNU1234565'))
})

test('spreads the jitter of many poll targets evenly from -1 to 1', () => {
  const buckets = Array.from({ length: 10 }, () => 0)
  for (let number = 0; number < 10_000; number += 1) {
    const jitter = jitterOf(`MAEU/container/MSKU${1_000_000 + number}`)
    assert.ok(jitter >= -1 && jitter <= 1.000001)
    const bucket = Math.min(9, Math.floor((jitter + 1) * 5))
    buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }
  for (const count of buckets) assert.ok(count > 850 && count < 1_150, buckets.join(' '))
})

const days = fc.integer({ min: -100, max: 100 }).map((day) => addDays(now, day))
const anyFacts: fc.Arbitrary<PollFacts> = fc.record({
  status: fc.constantFrom(...containerStatuses),
  isTerminated: fc.boolean(),
  nextExpectedAt: fc.option(days, { nil: null }),
  arrivedAt: fc.option(days, { nil: null }),
  lastChangeAt: fc.option(days, { nil: null }),
})

test('a poll interval lies between the minimum and a day plus jitter; only ended containers are not polled', () => {
  fc.assert(
    fc.property(fc.array(anyFacts, { maxLength: 5 }), fc.double({ min: -2, max: 2, noNaN: true }), (all, jitter) => {
      const gapMs = pollGapMs(all, { now, jitter }, { ...rules, nearGapMs: 1 })
      if (gapMs === null) return all.length > 0 && all.every((facts) => facts.isTerminated)
      return gapMs >= rules.gapMinMs && gapMs <= rules.gapMaxMs * 1.1
    }),
  )
})

/** Day, status, and the day of the next expected event, of a plain import of 54 days. */
const plainImport: readonly (readonly [from: number, status: PollFacts['status'], next: number | null])[] = [
  [0, 'new', 14],
  [14, 'on_ship', 39],
  [39, 'grounded', null],
  [43, 'picked_up', null],
  [54, 'empty_returned', null],
]

test('retries a failed poll soon at first, then less often, at last once a day', () => {
  const hours = [0, 1, 2, 3, 4, 5, 6, 7, 40].map((failures) => failureGapMs(failures, rules) / hourMs)
  assert.deepEqual(hours, [0.25, 0.5, 1, 2, 4, 8, 16, 24, 24])
})

test('polls a plain import about four times a day', () => {
  let at = now
  let polls = 0
  for (const [index, [, status, next]] of plainImport.entries()) {
    const until = plainImport[index + 1]?.[0]
    if (until === undefined) break
    while (at < addDays(now, until)) {
      polls += 1
      const nextExpectedAt = next === null ? null : addDays(now, next)
      const gapMs = pollGapMs([{ ...atSea, status, nextExpectedAt, lastChangeAt: at }], {
        now: at,
        jitter: 0,
      })
      at = addMs(at, gapMs ?? hourMs)
    }
  }
  const perDay = polls / 54
  assert.ok(perDay > 3 && perDay < 5, `${perDay}`)
})
