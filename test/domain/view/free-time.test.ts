import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventTime } from '../../../src/domain/values/time.ts'
import { isPastFreeTime, lfdDay, lfdInstant, pickupLfd } from '../../../src/domain/view/free-time.ts'

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

test('free time lasts until the last free day ends at the place of pick-up', () => {
  const lfd = day('2022-10-24')
  assert.equal(isPastFreeTime(lfd, losAngeles, '2022-10-24T07:00:00.000Z'), false)
  assert.equal(isPastFreeTime(lfd, losAngeles, '2022-10-25T06:59:59.999Z'), false)
  assert.equal(isPastFreeTime(lfd, losAngeles, '2022-10-25T07:00:00.000Z'), true)
  assert.equal(isPastFreeTime(lfd, null, '2022-10-25T00:00:00.000Z'), true)
})

test('the day on which clocks are set back has 25 hours of free time', () => {
  const lfd = day('2022-11-06')
  assert.equal(isPastFreeTime(lfd, losAngeles, '2022-11-07T07:30:00.000Z'), false)
  assert.equal(isPastFreeTime(lfd, losAngeles, '2022-11-07T08:00:00.000Z'), true)
})
