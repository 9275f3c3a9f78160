/** What a reading does to the claims on record. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { absorbObservations } from '../../src/core/claims.ts'
import type { Source } from '../../src/core/observation.ts'
import { claimsOf } from '../support/told-in-text.ts'

const source: Source = { kind: 'shipping_line', code: 'HLCU' }
const live = claimsOf(`
  ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
  EST ARRI -     USLAX 2026-01-25T00:00Z carrier:HLCU
  ACT DISC LADEN USLAX 2026-01-25T10:00Z terminal:T1
`)
const said = (text: string) => claimsOf(text).map(({ observation }) => observation)
const ids = (text: string) => text.split(' ').filter((id) => id !== '')

test('new content under an old key replaces the claim; other claims are left alone', () => {
  const { add, retire, missing } = absorbObservations(
    live,
    said('EST ARRI - USLAX 2026-01-26T00:00Z carrier:HLCU'),
    { source, isFullPicture: false, missingBefore: [] },
  )
  assert.equal(add.length, 1)
  assert.deepEqual([retire, missing], [ids('c2'), []])
})

test('what a whole picture leaves out is missing the first time and withdrawn the second', () => {
  const picture = said('ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU')
  const first = absorbObservations(live, picture, { source, isFullPicture: true, missingBefore: [] })
  assert.deepEqual([first.add, first.retire, first.missing], [[], [], ids('c2')])
  const second = absorbObservations(live, picture, {
    source,
    isFullPicture: true,
    missingBefore: first.missing,
  })
  assert.deepEqual([second.retire, second.missing], [ids('c2'), []])
})

test('what is said again in between is no longer missing', () => {
  const whole = said(`
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
    EST ARRI -     USLAX 2026-01-25T00:00Z carrier:HLCU
  `)
  const { add, retire, missing } = absorbObservations(live, whole, {
    source,
    isFullPicture: true,
    missingBefore: ids('c2'),
  })
  assert.deepEqual([add, retire, missing], [[], [], []])
})

test('a source that does not send the whole picture withdraws nothing by silence', () => {
  const { retire, missing } = absorbObservations(live, [], {
    source,
    isFullPicture: false,
    missingBefore: ids('c1 c2'),
  })
  assert.deepEqual([retire, missing], [[], []])
})
