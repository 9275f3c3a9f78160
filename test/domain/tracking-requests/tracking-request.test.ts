import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { retryDelayMs, defaultLifecycleRules as rules } from '../../../src/domain/tracking-requests/lifecycle-rules.ts'
import type { StopReason, TrackingFacts } from '../../../src/domain/tracking-requests/stop-tracking.ts'
import {
  decideRequest,
  type PollOutcome,
  type TrackingRequestInput,
} from '../../../src/domain/tracking-requests/tracking-request.ts'
import {
  evolveRequest,
  failedReasons,
  newTrackingRequest,
  type RequestType,
  requestStatuses,
  type TrackingRequestEvent,
  type TrackingRequestState,
} from '../../../src/domain/tracking-requests/tracking-request-state.ts'
import { addDays, addMs, compareInstants, msBetween } from '../../../src/domain/values/time.ts'

const t0 = '2026-01-06T00:00:00.000Z'
const facts: TrackingFacts = {
  areAllTerminated: false,
  isBookingCancelled: false,
  arrivedAt: null,
  fullOutAt: null,
  lastUpdateAt: t0,
}

/** A request that gets inputs at given moments. The events that it makes are collected. */
class Life {
  state: TrackingRequestState
  readonly heard: TrackingRequestEvent[] = []

  constructor(requestType: RequestType) {
    this.state = newTrackingRequest(requestType, t0)
  }

  at(now: string, input: TrackingRequestInput): this {
    const events = decideRequest(this.state, input, rules, now)
    this.heard.push(...events)
    this.state = events.reduce(evolveRequest, this.state)
    return this
  }

  look(now: string, kind: PollOutcome['kind']): this {
    return this.at(now, { kind: 'looked', outcome: { kind } })
  }

  /**
   * Polls whenever the request wants a poll, each time with the same outcome, until it wants no more or `times` are
   * over.
   */
  lookOn(kind: PollOutcome['kind'], times = 100): this {
    for (let time = 0; time < times && this.state.nextLookAt !== null; time += 1) this.look(this.state.nextLookAt, kind)
    return this
  }

  kinds(): readonly string[] {
    return this.heard.map((event) => event.kind)
  }
}

const tracked = () => new Life('bill_of_lading').look(t0, 'found').at(t0, { kind: 'journey_read', facts })

test('retries after one minute, then after growing delays, for 24 hours in total', () => {
  const delays = Array.from({ length: 14 }, (_, index) => retryDelayMs(index + 1) / 1_000)
  assert.deepEqual(delays, [60, 98, 158, 257, 418, 680, 1105, 1795, 2917, 4741, 7703, 12518, 20342, 33056])
  const hours = delays.reduce((sum, seconds) => sum + seconds, 0) / 3_600
  assert.ok(hours > 23 && hours < 25, `${hours}`)
})

test('a request whose number is found at the first poll gets the status created', () => {
  const { state } = new Life('container').look(t0, 'found')
  assert.equal(state.status, 'created')
  assert.equal(state.failedReason, null)
  assert.equal(state.nextLookAt, null)
})

test('a line that cannot be reached is retried 14 times, then the request fails with retries_exhausted', () => {
  const life = new Life('bill_of_lading').lookOn('unreachable')
  assert.deepEqual(life.kinds(), [...Array(14).fill('retry_scheduled'), 'failed'])
  assert.equal(life.state.failedReason, 'retries_exhausted')
  assert.equal(life.state.retryCount, 14)
  assert.equal(life.state.isRetrying, false)
})

test('a request that is being retried shows the number of retries and the reason', () => {
  const life = new Life('bill_of_lading').look(t0, 'unreachable')
  assert.equal(life.state.status, 'pending')
  assert.equal(life.state.isRetrying, true)
  assert.equal(life.state.retryCount, 1)
  assert.equal(life.state.failedReason, 'shipping_line_unreachable')
  assert.equal(life.state.nextLookAt, addMs(t0, 60_000))
  life.lookOn('unrecognized', 1)
  assert.equal(life.state.retryCount, 2)
  assert.equal(life.state.failedReason, 'unrecognized_response')
  life.lookOn('internal_error', 1)
  assert.equal(life.state.failedReason, 'internal_processing_error')
  life.lookOn('found', 1)
  assert.equal(life.state.status, 'created')
  assert.equal(life.state.isRetrying, false)
  assert.equal(life.state.failedReason, null)
})

test('a container that the line does not know fails at once', () => {
  const { state } = new Life('container').look(t0, 'not_found')
  assert.equal(state.status, 'failed')
  assert.equal(state.failedReason, 'not_found')
})

test('a container that the line knows without data fails as data_unavailable', () => {
  assert.equal(new Life('container').look(t0, 'known_without_data').state.failedReason, 'data_unavailable')
})

test('polls an unknown bill daily, announces the wait once, and fails on day 7 as not_found', () => {
  const life = new Life('bill_of_lading').look(t0, 'not_found')
  assert.equal(life.state.status, 'awaiting_manifest')
  assert.equal(life.state.failedReason, 'awaiting_manifest')
  assert.equal(life.state.nextLookAt, addDays(t0, 1))
  life.lookOn('not_found', 6)
  assert.equal(life.state.status, 'awaiting_manifest')
  assert.equal(life.state.nextLookAt, addDays(t0, 7))
  life.lookOn('not_found', 1)
  assert.deepEqual(life.kinds(), ['manifest_awaited', ...Array(6).fill('manifest_asked_again'), 'failed'])
  assert.equal(life.state.failedReason, 'not_found')
})

test('a request for a booking that was known but never had data expires', () => {
  const life = new Life('booking_number').look(t0, 'not_found').lookOn('known_without_data', 1).lookOn('not_found')
  assert.equal(life.state.failedReason, 'expired')
  assert.equal(new Life('booking_number').lookOn('known_without_data').state.failedReason, 'expired')
})

test('a request whose bill is found on day 6 gets the status created', () => {
  const life = new Life('bill_of_lading').lookOn('not_found', 6).look(addDays(t0, 6), 'found')
  assert.equal(life.state.status, 'created')
  assert.equal(life.state.failedReason, null)
})

test('an outage of the line at the end of the wait does not fail the request as not_found', () => {
  const life = new Life('bill_of_lading').lookOn('not_found', 7).lookOn('unreachable', 1)
  assert.equal(life.state.status, 'awaiting_manifest')
  assert.equal(life.state.isRetrying, true)
  assert.equal(
    new Life('bill_of_lading').lookOn('not_found', 7).lookOn('unreachable').state.failedReason,
    'retries_exhausted',
  )
  assert.equal(life.lookOn('not_found', 1).state.failedReason, 'not_found')
})

test('an answer of the line resets the number of retries', () => {
  const life = new Life('bill_of_lading').lookOn('unreachable', 5).lookOn('not_found', 1)
  assert.equal(life.state.retryCount, 0)
  assert.equal(life.state.isRetrying, false)
  assert.equal(life.lookOn('unreachable', 1).state.retryCount, 1)
})

test('a cancelled booking, an invalid number and a late duplicate fail at once', () => {
  assert.equal(new Life('booking_number').look(t0, 'cancelled').state.failedReason, 'booking_cancelled')
  assert.equal(new Life('booking_number').look(t0, 'invalid_number').state.failedReason, 'invalid_number')
  assert.equal(new Life('booking_number').at(t0, { kind: 'duplicate_found' }).state.failedReason, 'duplicate')
})

const later = (days: number) => addDays(t0, days)
const stops: readonly (readonly [what: Partial<TrackingFacts>, on: string, reason: StopReason | null])[] = [
  [{}, later(55), null],
  [{}, later(56), 'no_updates_at_line'],
  [{ areAllTerminated: true }, later(1), 'all_containers_terminated'],
  [{ isBookingCancelled: true }, later(1), 'booking_cancelled'],
  [{ arrivedAt: later(20), lastUpdateAt: later(30) }, later(75), null],
  [{ arrivedAt: later(20), lastUpdateAt: later(30) }, later(76), 'past_arrival_window'],
  [{ arrivedAt: later(20), fullOutAt: later(25), lastUpdateAt: later(30) }, later(80), null],
  [{ arrivedAt: later(20), fullOutAt: later(25), lastUpdateAt: later(30) }, later(81), 'past_full_out_window'],
  [{ arrivedAt: later(20), lastUpdateAt: later(20) }, later(76), 'past_arrival_window'],
]

test('tracking stops when all containers are returned, the booking is cancelled, or a window of 56 days ends', () => {
  for (const [what, on, reason] of stops) {
    const { state } = tracked().at(on, { kind: 'journey_read', facts: { ...facts, ...what } })
    assert.equal(state.stoppedReason, reason, `${JSON.stringify(what)} ${on}`)
    assert.equal(state.status, reason === null ? 'created' : 'tracking_stopped')
  }
})

test('the timer is set to the end of the window, and stops tracking then', () => {
  const life = tracked()
  assert.equal(life.state.timerAt, later(56))
  life.at(later(10), {
    kind: 'journey_read',
    facts: { ...facts, arrivedAt: later(9), lastUpdateAt: later(10) },
  })
  assert.equal(life.state.timerAt, later(65))
  life.at(addMs(later(65), -1), { kind: 'timer' })
  assert.equal(life.state.status, 'created')
  life.at(later(65), { kind: 'timer' })
  assert.equal(life.state.stoppedReason, 'past_arrival_window')
  assert.equal(life.state.timerAt, null)
})

test('a tracking request makes no event when an unchanged journey is read again', () => {
  assert.deepEqual(decideRequest(tracked().state, { kind: 'journey_read', facts }, rules, later(1)), [])
})

test('a user can stop and resume tracking, and repeating either changes nothing', () => {
  const life = tracked().at(later(1), { kind: 'stopped_by_user' }).at(later(1), { kind: 'stopped_by_user' })
  assert.equal(life.state.stoppedReason, 'cancelled_by_user')
  life.at(later(2), { kind: 'resumed_by_user' }).at(later(2), { kind: 'resumed_by_user' })
  assert.equal(life.state.status, 'created')
  assert.equal(life.state.stoppedReason, null)
  assert.deepEqual(life.kinds(), ['created', 'facts_noted', 'tracking_stopped', 'tracking_resumed'])
})

test('resuming a request starts its tracking window again', () => {
  const life = tracked().at(later(56), { kind: 'timer' }).at(later(60), { kind: 'resumed_by_user' })
  assert.equal(life.state.timerAt, later(116))
  assert.equal(life.at(later(115), { kind: 'timer' }).state.status, 'created')
  assert.equal(life.at(later(116), { kind: 'timer' }).state.stoppedReason, 'no_updates_at_line')
})

test('a request that a user resumed after the empty return stops only when the container is returned again', () => {
  const back = { ...facts, areAllTerminated: true }
  const life = tracked().at(later(1), { kind: 'journey_read', facts: back }).at(later(2), { kind: 'resumed_by_user' })
  life.at(later(3), { kind: 'journey_read', facts: { ...back, lastUpdateAt: later(3) } })
  assert.equal(life.state.status, 'created')
  life.at(later(4), { kind: 'journey_read', facts: { ...facts, lastUpdateAt: later(4) } })
  life.at(later(5), { kind: 'journey_read', facts: { ...back, lastUpdateAt: later(5) } })
  assert.equal(life.state.stoppedReason, 'all_containers_terminated')
})

test('a fact that contradicts the empty return resumes tracking with an event; a user’s stop stays', () => {
  const back = { ...facts, areAllTerminated: true }
  const life = tracked().at(later(1), { kind: 'journey_read', facts: back })
  life.at(later(2), { kind: 'journey_read', facts: { ...facts, lastUpdateAt: later(2) } })
  assert.equal(life.state.status, 'created')
  assert.deepEqual(life.heard.at(-1), {
    kind: 'tracking_resumed',
    because: 'contrary_fact',
    at: later(2),
    mutedReasons: [],
    timerAt: later(58),
  })
  const stopped = tracked().at(later(1), { kind: 'stopped_by_user' })
  stopped.at(later(2), { kind: 'journey_read', facts: { ...facts, lastUpdateAt: later(2) } })
  assert.equal(stopped.state.status, 'tracking_stopped')
})

test('a booking cancelled while tracked stops tracking, and a user can resume it', () => {
  const life = tracked().look(later(1), 'cancelled')
  assert.equal(life.state.stoppedReason, 'booking_cancelled')
  life.at(later(2), { kind: 'resumed_by_user' }).look(later(3), 'cancelled')
  assert.equal(life.state.status, 'created')
})

test('a poll that fails while tracked does not change the request', () => {
  const { state } = tracked()
  for (const kind of ['unreachable', 'unrecognized', 'not_found', 'internal_error', 'found'] as const) {
    assert.deepEqual(decideRequest(state, { kind: 'looked', outcome: { kind } }, rules, later(1)), [])
  }
})

const moments = fc.integer({ min: 0, max: 200 * 24 }).map((hours) => addMs(t0, hours * 3_600_000))
const momentOrNull = fc.option(moments, { nil: null })
const someFacts: fc.Arbitrary<TrackingFacts> = fc.record({
  areAllTerminated: fc.boolean(),
  isBookingCancelled: fc.boolean(),
  arrivedAt: momentOrNull,
  fullOutAt: momentOrNull,
  lastUpdateAt: moments,
})
const outcomeKinds = [
  'found',
  'known_without_data',
  'not_found',
  'cancelled',
  'invalid_number',
  'unreachable',
  'unrecognized',
  'internal_error',
] as const
const outcomes = fc.constantFrom(...outcomeKinds).map((kind): PollOutcome => ({ kind }))
const inputs: fc.Arbitrary<TrackingRequestInput> = fc.oneof(
  { weight: 5, arbitrary: outcomes.map((outcome): TrackingRequestInput => ({ kind: 'looked', outcome })) },
  {
    weight: 3,
    arbitrary: someFacts.map((given): TrackingRequestInput => ({ kind: 'journey_read', facts: given })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('timer', 'stopped_by_user', 'resumed_by_user', 'duplicate_found')
      .map((kind): TrackingRequestInput => ({ kind })),
  },
)
const histories = fc
  .array(fc.tuple(moments, inputs), { maxLength: 60 })
  .map((history) => [...history].sort(([a], [b]) => compareInstants(a, b)))
const types = fc.constantFrom<RequestType>('bill_of_lading', 'booking_number', 'container')

function assertSound(state: TrackingRequestState): void {
  assert.ok(requestStatuses.includes(state.status))
  assert.ok(state.failedReason === null || failedReasons.includes(state.failedReason))
  assert.ok(state.retryCount <= 14)
  assert.equal(state.status === 'tracking_stopped', state.stoppedReason !== null)
  assert.equal(state.status === 'pending' || state.status === 'awaiting_manifest', state.nextLookAt !== null)
  if (state.status === 'failed') assert.notEqual(state.failedReason, null)
  if (state.status === 'created' || state.status === 'tracking_stopped') assert.equal(state.failedReason, null)
  if (state.status !== 'created') assert.equal(state.timerAt, null)
  if (state.isRetrying) assert.ok(state.nextLookAt !== null && state.retryCount > 0)
}

test('a request stays valid under any inputs in any order, and a failed one stays failed', () => {
  fc.assert(
    fc.property(types, histories, (type, history) => {
      const life = new Life(type)
      for (const [now, input] of history) {
        const before = life.state
        life.at(now, input)
        assertSound(life.state)
        if (before.status === 'failed') assert.equal(life.state, before)
      }
      assert.ok(life.heard.filter((event) => event.kind === 'manifest_awaited').length <= 1)
      assert.ok(life.heard.filter((event) => event.kind === 'created').length <= 1)
    }),
    { numRuns: 1_000 },
  )
})

test('after any event, any request is still valid', () => {
  const anyEvents: readonly TrackingRequestEvent[] = [
    { kind: 'retry_scheduled', reason: 'shipping_line_unreachable', retry: 3, nextLookAt: t0 },
    { kind: 'manifest_awaited', since: t0, isKnown: false, nextLookAt: t0 },
    { kind: 'manifest_asked_again', isKnown: true, nextLookAt: t0 },
    { kind: 'created' },
    { kind: 'failed', reason: 'not_found' },
    { kind: 'facts_noted', facts, timerAt: t0 },
    { kind: 'tracking_stopped', reason: 'no_updates_at_line' },
    { kind: 'tracking_resumed', because: 'user', at: t0, mutedReasons: [], timerAt: null },
  ]
  fc.assert(
    fc.property(types, fc.array(fc.constantFrom(...anyEvents), { maxLength: 20 }), (type, events) => {
      let state = newTrackingRequest(type, t0)
      for (const event of events) {
        const after = evolveRequest(state, event)
        assertSound(after)
        if (state.status === 'failed') assert.equal(after, state)
        state = after
      }
    }),
  )
})

test('a line that never answers never makes a number not_found', () => {
  fc.assert(
    fc.property(
      types,
      fc.array(fc.constantFrom('unreachable', 'unrecognized', 'internal_error'), { maxLength: 30 }),
      (type, kinds) => {
        const life = new Life(type)
        for (const kind of kinds) life.lookOn(kind, 1)
        assert.ok(life.state.failedReason !== 'not_found' && life.state.failedReason !== 'expired')
      },
    ),
  )
})

test('every next poll lies in the future, at most a day or the longest retry away', () => {
  fc.assert(
    fc.property(types, fc.array(outcomes, { maxLength: 40 }), (type, list) => {
      const life = new Life(type)
      for (const { kind } of list) {
        const now = life.state.nextLookAt
        if (now === null) return
        life.look(now, kind)
        if (life.state.nextLookAt === null) return
        const gapMs = msBetween({ from: now, to: life.state.nextLookAt })
        assert.ok(gapMs > 0 && gapMs <= 86_400_000, `${gapMs}`)
      }
    }),
  )
})
