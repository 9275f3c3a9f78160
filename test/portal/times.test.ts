// Times as the portal shows them: in local time, with the zone, and never with an invented zone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromNow, localParts, slipHours, slipWords } from '../../portal/src/parts/time.ts'

test('a time is shown in the local time of the place, with its zone', () => {
  assert.deepEqual(localParts('2026-08-30T17:43:00.000Z', 'America/Los_Angeles'), {
    day: '30 Aug 2026',
    hour: '10:43',
    zone: 'PDT',
  })
  assert.equal(localParts('2026-08-30T17:43:00.000Z', 'Asia/Shanghai').day, '31 Aug 2026')
})

test('a time at a place without a known zone is shown unconverted and without a zone', () => {
  for (const zone of [null, undefined, 'Nowhere/At_All']) {
    assert.deepEqual(localParts('2026-08-30T17:43:00.000Z', zone), {
      day: '30 Aug 2026',
      hour: '17:43',
      zone: null,
    })
  }
})

test('a changed arrival time shows the difference from the first estimate', () => {
  const slip = (at: string | null, original: string | null): string | null => {
    const hours = slipHours(at, original)
    return hours === null ? null : slipWords(hours)
  }
  assert.equal(slip('2026-01-04T00:00:00Z', '2026-01-01T00:00:00Z'), '3 d later than first said')
  assert.equal(slip('2026-01-01T00:00:00Z', '2026-01-01T05:00:00Z'), '5 h earlier than first said')
  assert.equal(slip('2026-01-01T00:00:00Z', '2026-01-01T00:10:00Z'), null)
  assert.equal(slip('2026-01-01T00:00:00Z', null), null)
})

test('a relative time uses a suitable unit', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  assert.equal(fromNow('2026-01-01T00:20:00Z', now), 'in 20 min')
  assert.equal(fromNow('2026-01-02T12:00:00Z', now), 'in 36 h')
  assert.equal(fromNow('2025-12-28T00:00:00Z', now), '4 d ago')
})
