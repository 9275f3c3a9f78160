// Times as the portal shows them: in local time, with the zone, and never with an invented zone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localParts, readerZone, shownZone } from '../../portal/src/parts/time.ts'

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

test('a time with an hour is shown in the zone of the reader if they chose so, and a day never', () => {
  let choice: string | null = null
  Object.assign(globalThis, { localStorage: { getItem: () => choice } })
  assert.equal(shownZone('Asia/Shanghai'), 'Asia/Shanghai')
  assert.equal(shownZone('reader'), readerZone)
  choice = 'reader'
  assert.equal(shownZone('Asia/Shanghai'), readerZone)
  assert.equal(shownZone('Asia/Shanghai', true), 'Asia/Shanghai')
  for (const unknown of [null, undefined, 'Nowhere/At_All']) assert.equal(shownZone(unknown), unknown)
})
