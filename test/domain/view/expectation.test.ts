// What should happen next to a container: which event, counted from what, how late it may be, and in which words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nowhere } from '../../../src/domain/statements/observation.ts'
import {
  type Expectation,
  expect,
  isSameExpectation,
  nextStepOf,
  proofOf,
  sourceStateOf,
  type UsualTime,
  usualTimeOf,
} from '../../../src/domain/view/expectation.ts'
import { type FollowedContainer, movesOf, stepTimesOf } from '../../../src/domain/view/expected-steps.ts'
import type { Milestone, MilestoneName } from '../../../src/domain/view/projection.ts'

const place = (unlocode: string) => ({ ...nowhere, unlocode, timeZone: 'UTC' })
const happened = (name: MilestoneName, unlocode: string, at: string): Milestone => ({
  kind: 'actual',
  name,
  callKey: `${unlocode}#1`,
  time: { kind: 'instant', at: `2026-${at}:00.000Z` },
  place: place(unlocode),
  vessel: null,
  voyage: null,
  source: 'shipping_line',
  claimId: 'claim',
})
const container = (milestones: readonly Milestone[], more: Partial<FollowedContainer> = {}): FollowedContainer => ({
  status: 'grounded',
  milestones,
  portOfDischarge: { place: place('USLAX'), etd: null, atd: null, eta: null, ata: null },
  destination: null,
  podEta: null,
  ...more,
})
const usual: UsualTime = { by: 'prior', cases: 100, usualHours: 29, limitHours: 72 }
const eta = {
  podEta: { time: { kind: 'instant', at: '2026-01-20T08:00:00.000Z' }, placeKey: 'USLAX', claimId: null },
} as const
const sailed = happened('vessel_departed', 'CNSHA', '01-02T06:00')
const arrived = happened('vessel_arrived', 'USLAX', '01-20T09:00')
const landed = happened('vessel_discharged', 'USLAX', '01-21T06:00')
const nextOf = (of: FollowedContainer, told: Readonly<Record<string, string>> = {}) => nextStepOf(of, movesOf(of, told))

test('the line’s estimate is what the arrival is measured by, and the passage where there is none', () => {
  const known = nextOf(container([sailed], eta))
  assert.deepEqual(
    [known?.leg, known?.expected, known?.step, known?.estimateAt],
    ['at_sea', 'vessel_arrived', 'estimate>vessel_arrived', '2026-01-20T08:00:00.000Z'],
  )
  const unknown = nextOf(container([sailed]))
  assert.deepEqual(
    [unknown?.step, unknown?.estimateAt, unknown?.place, unknown?.isOfPlaceAlone],
    ['vessel_departed>vessel_arrived', null, 'CNSHA-USLAX', true],
  )
})

test('each leg has its next event, until the container is back', () => {
  const legs = (
    [
      ['transshipment_discharged', 'transshipment_loaded'],
      ['vessel_arrived', 'vessel_discharged'],
      ['vessel_discharged', 'full_out'],
      ['rail_departed', 'rail_arrived'],
      ['full_out', 'empty_in'],
    ] as const
  ).map(([name, expected]) => [nextOf(container([happened(name, 'USLAX', '01-20T09:00')])), expected] as const)
  for (const [next, expected] of legs) assert.equal(next?.expected, expected)
  assert.deepEqual(
    legs.map(([next]) => next?.leg),
    ['at_transshipment', 'at_terminal', 'at_terminal', 'on_rail', 'to_be_returned'],
  )
  assert.equal(nextOf(container([landed], { status: 'awaiting_inland_transfer' }))?.expected, 'rail_loaded')
  assert.equal(nextOf(container([happened('empty_in', 'USLAX', '01-30T09:00')])), null)
  assert.equal(nextOf(container([happened('full_in', 'CNSHA', '01-01T09:00')])), null)
  assert.equal(nextOf(container([happened('available', 'USLAX', '01-22T09:00')])), null)
})

test('it is overdue after the limit, and not before a day has passed since the last event was told', () => {
  const next = nextOf(container([arrived]))
  const late = nextOf(container([arrived]), { 'vessel_arrived USLAX#1': '2026-02-01T00:00:00.000Z' })
  assert.ok(next && late)
  assert.equal(expect(next, usual).dueAt, '2026-01-23T09:00:00.000Z')
  assert.equal(expect(late, usual).dueAt, '2026-02-02T00:00:00.000Z')
})

test('the proof says what is usual, what 95 of 100 keep to, and how long it is now', () => {
  const next = nextOf(container([arrived]))
  assert.ok(next)
  assert.equal(
    proofOf(expect(next, usual), '2026-01-25T09:00:00.000Z'),
    'Usually 1.2 days after the arrival at the port of discharge, 95 of 100 within 3; now 5.',
  )
  const bySea = nextOf(container([sailed], eta))
  assert.ok(bySea)
  assert.equal(
    proofOf(expect(bySea, { ...usual, usualHours: -24, limitHours: 12 }), '2026-01-22T08:00:00.000Z'),
    'Usually 1 day before the estimate of the line, 95 of 100 within 0.5; now 2.',
  )
  assert.match(proofOf(expect(bySea, usual), '2026-01-18T08:00:00.000Z'), /within 3; the estimate is in 2 days\.$/)
})

test('fewer than thirty cases say nothing; of more, at most five in a hundred are above the limit', () => {
  assert.equal(usualTimeOf(Array.from({ length: 29 }, (_, n) => n)), null)
  assert.deepEqual(usualTimeOf(Array.from({ length: 99 }, (_, n) => n + 1)), {
    cases: 99,
    usualHours: 50,
    limitHours: 95,
  })
})

test('another estimate, or another time of the event before, is another expectation', () => {
  const of = (milestones: readonly Milestone[], more = {}): Expectation => {
    const next = nextOf(container(milestones, more))
    assert.ok(next)
    return expect(next, usual)
  }
  const other: Expectation = { ...of([arrived]), limitHours: 5, cases: 2 }
  assert.ok(isSameExpectation(of([arrived]), other))
  assert.ok(!isSameExpectation(of([arrived]), of([happened('vessel_arrived', 'USLAX', '01-19T09:00')])))
  const later = { podEta: { ...eta.podEta, time: { kind: 'instant', at: '2026-01-25T08:00:00.000Z' } } }
  assert.ok(!isSameExpectation(of([sailed], eta), of([sailed], later)))
})

test('a step counts until the next event is told, and only if its beginning was told when it happened', () => {
  const told = {
    'vessel_departed CNSHA#1': '2026-01-02T12:00:00.000Z',
    'vessel_arrived USLAX#1': '2026-01-20T15:00:00.000Z',
    'vessel_discharged USLAX#1': '2026-01-21T15:00:00.000Z',
  }
  const of = container([sailed, arrived, landed], eta)
  assert.deepEqual(
    stepTimesOf(of, movesOf(of, told)).map(({ step, hours, place: where }) => [step, hours, where]),
    [
      ['vessel_departed>vessel_arrived', 441, 'CNSHA-USLAX'],
      ['estimate>vessel_arrived', 7, 'CNSHA-USLAX'],
      ['vessel_arrived>vessel_discharged', 30, 'USLAX'],
    ],
  )
  const history = Object.fromEntries(Object.keys(told).map((key) => [key, '2026-03-01T00:00:00.000Z']))
  assert.deepEqual(stepTimesOf(of, movesOf(of, history)), [])
  assert.deepEqual(stepTimesOf(of, movesOf(of, {})), [])
})

test('of events at one moment the last counts', () => {
  const atOnce = container([arrived, { ...landed, time: arrived.time }])
  assert.deepEqual(
    movesOf(atOnce, {}).map(({ name }) => name),
    ['vessel_discharged'],
  )
})

test('a line that has not answered for two days is silent, and one that is not polled is unknown', () => {
  const now = '2026-01-25T09:00:00.000Z'
  assert.equal(sourceStateOf('2026-01-23T09:00:00.000Z', now), 'silent')
  assert.equal(sourceStateOf('2026-01-23T10:00:00.000Z', now), 'answering')
  assert.equal(sourceStateOf(null, now), 'unknown')
})
