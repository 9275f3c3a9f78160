// The search for the line of a number, as pure functions: which line is polled next, what ends the search, and what a
// missing answer means.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultLifecycleRules as rules } from '../../../src/domain/tracking-requests/lifecycle-rules.ts'
import { polledLine, type SearchRules, startDetection } from '../../../src/domain/tracking-requests/line-detection.ts'
import { decideRequest, type PollOutcome } from '../../../src/domain/tracking-requests/tracking-request.ts'
import {
  evolveRequest,
  newTrackingRequest,
  type TrackingRequestState,
} from '../../../src/domain/tracking-requests/tracking-request-state.ts'

const t0 = '2026-01-06T00:00:00.000Z'

function searching(scacs: readonly string[], search?: SearchRules): TrackingRequestState {
  const candidates = scacs.map((scac) => ({ scac, number: 'TCNU7241354', subjectId: `subject of ${scac}` }))
  return newTrackingRequest('container', t0, startDetection(candidates, search))
}

const search: SearchRules = { patienceMs: 120_000, leftOut: [] }

function poll(state: TrackingRequestState, kind: PollOutcome['kind'], isTripOver = false): TrackingRequestState {
  const now = state.nextLookAt ?? t0
  return decideRequest(state, { kind: 'looked', outcome: { kind }, isTripOver }, rules, now).reduce(
    evolveRequest,
    state,
  )
}

function ring(state: TrackingRequestState, now: string): TrackingRequestState {
  return decideRequest(state, { kind: 'timer' }, rules, now).reduce(evolveRequest, state)
}

const requested = ({ detection }: TrackingRequestState): string | null =>
  detection === undefined ? null : (polledLine(detection)?.scac ?? null)

test('polls the lines in order until one knows the number', () => {
  const second = poll(searching(['MSCU', 'MAEU', 'CMDU']), 'not_found')
  assert.deepEqual([requested(second), second.status, second.nextLookAt], ['MAEU', 'pending', t0])
  const third = poll(second, 'invalid_number')
  assert.equal(requested(third), 'CMDU')
  const found = poll(third, 'found')
  assert.deepEqual([found.status, found.detection, found.failedReason], ['created', undefined, null])
})

test('fails when every line rules the number out, and stores which lines did', () => {
  const failed = poll(poll(searching(['MSCU', 'MAEU']), 'not_found'), 'not_found')
  assert.deepEqual([failed.status, failed.failedReason], ['failed', 'scac_auto_detect_failed'])
  assert.deepEqual(failed.detection?.ruledOut, ['MSCU', 'MAEU'])
})

test('selects a line that knows the number, even if the line has no data', () => {
  const bill = { ...searching(['MSCU']), requestType: 'bill_of_lading' } as const
  const waiting = poll(bill, 'known_without_data')
  assert.deepEqual([waiting.status, waiting.isKnown, waiting.detection], ['awaiting_manifest', true, undefined])
})

test('if no line can be polled, the timer ends the search', () => {
  const state = searching([])
  const failed = decideRequest(state, { kind: 'timer' }, rules, t0).reduce(evolveRequest, state)
  assert.equal(failed.failedReason, 'scac_auto_detect_failed')
  const busy = searching(['MSCU'])
  assert.deepEqual(decideRequest(busy, { kind: 'timer' }, rules, t0), [])
})

test('fails when two lines know only a past trip of the number', () => {
  const past = poll(searching(['MSCU', 'MAEU'], search), 'found', true)
  assert.deepEqual([past.status, requested(past)], ['pending', 'MAEU'])
  const alone = poll(past, 'not_found')
  assert.deepEqual([alone.status, requested(alone)], ['pending', 'MSCU'])
  assert.equal(poll(alone, 'found', true).status, 'created')
  const both = poll(past, 'found', true)
  assert.deepEqual([both.status, both.failedReason], ['failed', 'scac_auto_detect_failed'])
  assert.deepEqual(
    both.detection?.idle?.map(({ scac }) => scac),
    ['MSCU', 'MAEU'],
  )
})

test('moves on from a line that does not answer while others remain, and waits when none do', () => {
  const first = searching(['MSCU', 'MAEU'], search)
  assert.equal(first.timerAt, '2026-01-06T00:02:00.000Z')
  assert.equal(ring(first, '2026-01-06T00:01:59.000Z'), first)
  const second = ring(first, '2026-01-06T00:02:00.000Z')
  assert.deepEqual([requested(second), second.detection?.unanswered.map(({ scac }) => scac)], ['MAEU', ['MSCU']])
  const last = poll(second, 'not_found')
  assert.deepEqual([requested(last), last.timerAt, last.isRetrying], ['MSCU', null, true])
  assert.equal(poll(last, 'found').timerAt, null)
})

test('each round of polls waits twice as long for a line as the round before', () => {
  const again = poll(poll(searching(['MSCU', 'MAEU'], search), 'unreachable'), 'unreachable')
  const at = Date.parse(again.nextLookAt ?? '')
  assert.equal(again.retryCount, 1)
  assert.equal(again.timerAt, new Date(at + 240_000).toISOString())
})

test('a search without a time limit per line sets no timer', () => {
  const state = searching(['MSCU', 'MAEU'])
  assert.equal(state.timerAt, null)
  assert.deepEqual(poll(state, 'not_found').detection, {
    candidates: state.detection?.candidates.slice(1),
    unanswered: [],
    ruledOut: ['MSCU'],
  })
})

const outcomes = fc.constantFrom<PollOutcome['kind']>(
  'found',
  'known_without_data',
  'not_found',
  'cancelled',
  'invalid_number',
  'unreachable',
  'unrecognized',
  'internal_error',
)

test('a line search always ends, and fails as not found only after every line denied the number', () => {
  const scacs = ['MSCU', 'MAEU', 'CMDU', 'ONEY']
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(outcomes, { minLength: 80, maxLength: 80 }),
      fc.boolean(),
      (count, told, hasPatience) => {
        const lines = scacs.slice(0, count)
        let state = searching(lines, hasPatience ? search : undefined)
        const noes = new Set<string>()
        for (const kind of told) {
          const line = requested(state)
          if (state.status !== 'pending' || line === null) break
          if (kind === 'not_found' || kind === 'invalid_number') noes.add(line)
          state = poll(state, kind)
        }
        assert.notEqual(state.status, 'pending', 'eighty answers are more than four lines with fourteen retries take')
        if (state.failedReason === 'scac_auto_detect_failed') assert.deepEqual(noes, new Set(lines))
        if (state.failedReason === 'retries_exhausted') assert.ok(noes.size < lines.length)
      },
    ),
  )
})
