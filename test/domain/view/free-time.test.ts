import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventTime } from '../../../src/domain/values/time.ts'
import { countDays, describeDaysLeft, describeFreeTime, nameDay } from '../../../src/domain/view/day-count.ts'
import { freeDaysOf, hasLeftByRail, lfdDay, lfdInstant, pickupLfd } from '../../../src/domain/view/free-time.ts'

const losAngeles = 'America/Los_Angeles'
const day = (on: string): EventTime => ({ kind: 'day', on })

test('takes the last free day of the line first, then of the terminal, then of the railway', () => {
  const line = day('2022-10-24')
  const terminal = day('2022-10-20')
  const rail = day('2022-10-18')
  assert.equal(pickupLfd({ line, terminal, rail }), line)
  assert.equal(pickupLfd({ line: null, terminal, rail }), terminal)
  assert.equal(pickupLfd({ line: null, terminal: null, rail }), rail)
  assert.equal(pickupLfd({ line: null, terminal: null, rail: null }), null)
})

test('the API shows a last free day as its local midnight in UTC', () => {
  assert.equal(lfdInstant(day('2022-10-24'), losAngeles), '2022-10-24T07:00:00.000Z')
  assert.equal(lfdInstant(day('2022-12-24'), losAngeles), '2022-12-24T08:00:00.000Z')
  assert.equal(lfdInstant(day('2022-10-24'), null), '2022-10-24T00:00:00.000Z')
})

test('reads a last free day with a time of day as the local day at the place of pick-up', () => {
  assert.equal(lfdDay({ kind: 'instant', at: '2022-10-25T06:59:00.000Z' }, losAngeles), '2022-10-24')
  assert.equal(lfdDay({ kind: 'local', local: '2022-10-24T23:59:00' }, losAngeles), '2022-10-24')
  assert.equal(lfdInstant({ kind: 'instant', at: '2022-10-25T06:59:00.000Z' }, losAngeles), '2022-10-24T07:00:00.000Z')
})

test('days are counted in words, and named with the year only when it is another', () => {
  assert.deepEqual([-2, -1, 0, 1, 2].map(describeDaysLeft), [
    '2 days over',
    '1 day over',
    'today',
    'tomorrow',
    '2 days left',
  ])
  assert.equal(countDays('2026-10-24', '2026-10-26'), 2, 'also where the clocks are set back in between')
  assert.equal(nameDay('2026-11-27', '2026-11-28'), 'Fri 27 Nov')
  assert.equal(nameDay('2025-12-31', '2026-01-01'), 'Wed 31 Dec 2025')
  assert.equal(describeFreeTime('2026-11-27', '2026-11-28'), 'Free time ended Fri 27 Nov, 1 day over')
  assert.equal(describeFreeTime('2026-11-29', '2026-11-28'), 'Free time ends Sun 29 Nov, tomorrow')
})

test('the day of the terminal and stopped terms at the port do not count once the container has left by rail', () => {
  const freeTime = { line: day('2022-10-24'), terminal: day('2022-10-20'), rail: null }
  const container = { freeTime, pickupTimeZone: losAngeles, saidBy: { pickup_lfd_terminal: 'user' } } as const
  const calculatedFreeDays = [
    ['terminal storage port', '2022-10-19', 'port', 'stopped'],
    ['railway storage ramp', '2022-10-26', 'ramp', 'free'],
    ['line demurrage port', '2022-10-27', 'until the gate', 'free'],
    ['line detention port', '2022-10-01', 'out', 'free'],
    ['line combined port', null, 'not started', 'unknown'],
  ] as const
  const of = (isGone: boolean) =>
    freeDaysOf(container, { hasLeftByRail: isGone, calculatedFreeDays }).map(({ on, by }) => `${on} ${by}`)
  assert.deepEqual(of(false), [
    '2022-10-19 terms',
    '2022-10-20 terminal',
    '2022-10-24 line',
    '2022-10-26 terms',
    '2022-10-27 terms',
  ])
  assert.deepEqual(of(true), ['2022-10-24 line', '2022-10-26 terms', '2022-10-27 terms'])
  assert.equal(hasLeftByRail('available', ['vessel_discharged', 'rail_loaded', 'rail_unloaded']), true)
  assert.equal(hasLeftByRail('available', ['rail_loaded', 'vessel_loaded', 'vessel_discharged']), false)
  assert.equal(hasLeftByRail('on_rail', []), true)
})
