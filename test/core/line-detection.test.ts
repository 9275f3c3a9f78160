// The search for the line of a number, as pure functions: which line is asked next, what ends the search, and what a
// missing answer means.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultLifecycleRules as rules } from '../../src/core/requests/lifecycle-rules.ts'
import { lineAsked, type SearchRules, startDetection } from '../../src/core/requests/line-detection.ts'
import { decide, type LookOutcome } from '../../src/core/requests/tracking-request.ts'
import {
  evolve,
  newTrackingRequest,
  type TrackingRequestState,
} from '../../src/core/requests/tracking-request-state.ts'

const t0 = '2026-01-06T00:00:00.000Z'

function searching(scacs: readonly string[], search?: SearchRules): TrackingRequestState {
  const candidates = scacs.map((scac) => ({ scac, number: 'TCNU7241354', subjectId: `subject of ${scac}` }))
  return newTrackingRequest('container', t0, startDetection(candidates, search))
}

const search: SearchRules = { patienceMs: 120_000, leftOut: [] }

function look(
  state: TrackingRequestState,
  kind: LookOutcome['kind'],
  isTripOver = false,
): TrackingRequestState {
  const now = state.nextLookAt ?? t0
  return decide(state, { kind: 'looked', outcome: { kind }, isTripOver }, rules, now).reduce(evolve, state)
}

function ring(state: TrackingRequestState, now: string): TrackingRequestState {
  return decide(state, { kind: 'timer' }, rules, now).reduce(evolve, state)
}

const asked = ({ detection }: TrackingRequestState): string | null =>
  detection === undefined ? null : (lineAsked(detection)?.scac ?? null)

test('the lines are asked in order until one knows the number', () => {
  const second = look(searching(['MSCU', 'MAEU', 'CMDU']), 'not_found')
  assert.deepEqual([asked(second), second.status, second.nextLookAt], ['MAEU', 'pending', t0])
  const third = look(second, 'invalid_number')
  assert.equal(asked(third), 'CMDU')
  const found = look(third, 'found')
  assert.deepEqual([found.status, found.detection, found.failedReason], ['created', undefined, null])
})

test('when all say no it has failed, and who said so is kept', () => {
  const failed = look(look(searching(['MSCU', 'MAEU']), 'not_found'), 'not_found')
  assert.deepEqual([failed.status, failed.failedReason], ['failed', 'scac_auto_detect_failed'])
  assert.deepEqual(failed.detection?.ruledOut, ['MSCU', 'MAEU'])
})

test('a line that knows the number but has no data is its line', () => {
  const bill = { ...searching(['MSCU']), requestType: 'bill_of_lading' } as const
  const waiting = look(bill, 'known_without_data')
  assert.deepEqual(
    [waiting.status, waiting.isKnown, waiting.detection],
    ['awaiting_manifest', true, undefined],
  )
})

test('if no line can be asked, the timer ends the search', () => {
  const state = searching([])
  const failed = decide(state, { kind: 'timer' }, rules, t0).reduce(evolve, state)
  assert.equal(failed.failedReason, 'scac_auto_detect_failed')
  const busy = searching(['MSCU'])
  assert.deepEqual(decide(busy, { kind: 'timer' }, rules, t0), [])
})

test('a line that knows only a past trip is skipped; the only such line is asked once more and chosen, of two such lines none is', () => {
  const past = look(searching(['MSCU', 'MAEU'], search), 'found', true)
  assert.deepEqual([past.status, asked(past)], ['pending', 'MAEU'])
  const alone = look(past, 'not_found')
  assert.deepEqual([alone.status, asked(alone)], ['pending', 'MSCU'])
  assert.equal(look(alone, 'found', true).status, 'created')
  const both = look(past, 'found', true)
  assert.deepEqual([both.status, both.failedReason], ['failed', 'scac_auto_detect_failed'])
  assert.deepEqual(
    both.detection?.idle?.map(({ scac }) => scac),
    ['MSCU', 'MAEU'],
  )
})

test('the search does not wait for a line while others can still be asked, and waits as long as necessary when none can', () => {
  const first = searching(['MSCU', 'MAEU'], search)
  assert.equal(first.timerAt, '2026-01-06T00:02:00.000Z')
  assert.equal(ring(first, '2026-01-06T00:01:59.000Z'), first)
  const second = ring(first, '2026-01-06T00:02:00.000Z')
  assert.deepEqual([asked(second), second.detection?.unanswered.map(({ scac }) => scac)], ['MAEU', ['MSCU']])
  const last = look(second, 'not_found')
  assert.deepEqual([asked(last), last.timerAt, last.isRetrying], ['MSCU', null, true])
  assert.equal(look(last, 'found').timerAt, null)
})

test('each round has twice the patience of the one before, so that a long queue comes to its end', () => {
  const again = look(look(searching(['MSCU', 'MAEU'], search), 'unreachable'), 'unreachable')
  const at = Date.parse(again.nextLookAt ?? '')
  assert.equal(again.retryCount, 1)
  assert.equal(again.timerAt, new Date(at + 240_000).toISOString())
})

test('a search from before all lines were asked has no patience to lose, and folds as it did', () => {
  const state = searching(['MSCU', 'MAEU'])
  assert.equal(state.timerAt, null)
  assert.deepEqual(look(state, 'not_found').detection, {
    candidates: state.detection?.candidates.slice(1),
    unanswered: [],
    ruledOut: ['MSCU'],
  })
})

const outcomes = fc.constantFrom<LookOutcome['kind']>(
  'found',
  'known_without_data',
  'not_found',
  'cancelled',
  'invalid_number',
  'unreachable',
  'unrecognized',
  'internal_error',
)

test('a search ends, names every line at most once as ruled out, and fails for want of a line only after every no', () => {
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
          const line = asked(state)
          if (state.status !== 'pending' || line === null) break
          if (kind === 'not_found' || kind === 'invalid_number') noes.add(line)
          state = look(state, kind)
        }
        assert.notEqual(
          state.status,
          'pending',
          'eighty answers are more than four lines with fourteen retries take',
        )
        if (state.failedReason === 'scac_auto_detect_failed') assert.deepEqual(noes, new Set(lines))
        if (state.failedReason === 'retries_exhausted') assert.ok(noes.size < lines.length)
      },
    ),
  )
})
