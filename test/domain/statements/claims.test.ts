/** How new observations change the claims on record. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectiveSinceOf, reconcileClaims } from '../../../src/domain/statements/claims.ts'
import type { Source } from '../../../src/domain/statements/observation.ts'
import { claimsOf } from '../../support/told-in-text.ts'

const source: Source = { kind: 'shipping_line', code: 'HLCU' }
const live = claimsOf(`
  ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
  EST ARRI -     USLAX 2026-01-25T00:00Z carrier:HLCU
  ACT DISC LADEN USLAX 2026-01-25T10:00Z terminal:T1
`)
const stated = (text: string) => claimsOf(text).map(({ observation }) => observation)
const ids = (text: string) => text.split(' ').filter((id) => id !== '')

test('new content under an existing key replaces the claim; other claims do not change', () => {
  const { add, retire, missing } = reconcileClaims(live, stated('EST ARRI - USLAX 2026-01-26T00:00Z carrier:HLCU'), {
    source,
    isFullPicture: false,
    missingBefore: [],
  })
  assert.equal(add.length, 1)
  assert.deepEqual([retire, missing], [ids('c2'), []])
})

test('a claim that two complete answers in a row omit is withdrawn', () => {
  const picture = stated('ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU')
  const first = reconcileClaims(live, picture, { source, isFullPicture: true, missingBefore: [] })
  assert.deepEqual([first.add, first.retire, first.missing], [[], [], ids('c2')])
  const second = reconcileClaims(live, picture, {
    source,
    isFullPicture: true,
    missingBefore: first.missing,
  })
  assert.deepEqual([second.retire, second.missing], [ids('c2'), []])
})

test('a claim that is stated again is no longer missing', () => {
  const whole = stated(`
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
    EST ARRI -     USLAX 2026-01-25T00:00Z carrier:HLCU
  `)
  const { add, retire, missing } = reconcileClaims(live, whole, {
    source,
    isFullPicture: true,
    missingBefore: ids('c2'),
  })
  assert.deepEqual([add, retire, missing], [[], [], []])
})

test('an incomplete answer withdraws no claim that it omits', () => {
  const { retire, missing } = reconcileClaims(live, [], {
    source,
    isFullPicture: false,
    missingBefore: ids('c1 c2'),
  })
  assert.deepEqual([retire, missing], [[], []])
})

const at = (day: number): string => `2026-01-${day}T00:00:00.000Z`
const estimate = (day: number): string => `EST ARRI - USLAX 2026-01-${day}T00:00Z carrier:HLCU`
const told = { source, isFullPicture: false, missingBefore: [] }

test('a message written before the active claim does not replace it', () => {
  const standing = claimsOf(`${estimate(25)} written=2026-01-20T00:00Z`, at(21))
  const late = reconcileClaims(standing, stated(estimate(26)), { ...told, standsAt: at(10) })
  assert.deepEqual([late.add, late.retire, late.left], [[], [], []])
  assert.equal(late.overtaken.length, 1)
  const later = reconcileClaims(standing, stated(estimate(26)), { ...told, standsAt: at(22) })
  assert.deepEqual([later.add.length, later.retire, later.overtaken], [1, ids('c1'), []])
})

test('a message that repeats an active claim moves its effective time forward, never back', () => {
  const standing = claimsOf(`${estimate(25)} written=2026-01-20T00:00Z`, at(21))
  const moved = (day: number) => reconcileClaims(standing, stated(estimate(25)), { ...told, standsAt: at(day) })
  assert.deepEqual([moved(22).seen, moved(22).moved], [ids('c1'), ids('c1')])
  assert.deepEqual([moved(10).seen, moved(10).moved], [ids('c1'), []])
})

test('an answer with other content replaces the claim of an earlier message', () => {
  const standing = claimsOf(`${estimate(25)} written=2026-01-20T00:00Z`, at(21))
  const answer = reconcileClaims(standing, stated(estimate(24)), told)
  assert.deepEqual([answer.add.length, answer.retire], [1, ids('c1')])
  assert.deepEqual(reconcileClaims(standing, stated(estimate(25)), told).moved, [])
})

test('a complete pushed message does not withdraw claims that were stated later', () => {
  const standing = claimsOf(`${estimate(25)} written=2026-01-20T00:00Z`, at(21))
  const older = { ...told, isFullPicture: true, standsAt: at(10), isWithdrawn: () => true }
  const { retire, missing } = reconcileClaims(standing, [], older)
  assert.deepEqual([retire, missing], [[], []])
  const newer = { ...told, isFullPicture: true, standsAt: at(22) }
  assert.deepEqual(reconcileClaims(standing, [], newer).missing, ids('c1'))
})

test('a relayed statement does not replace the source’s own', () => {
  const standing = claimsOf(estimate(25), at(21))
  const relayed = reconcileClaims(standing, stated(estimate(26)), {
    ...told,
    hand: 'relayed',
    standsAt: at(22),
  })
  assert.deepEqual([relayed.add.length, relayed.retire], [1, []])
})

test('a claim is never effective later than its receipt', () => {
  assert.equal(
    effectiveSinceOf({ writtenAt: '2026-01-10T08:00+02:00', recordedAt: at(21) }),
    '2026-01-10T06:00:00.000Z',
  )
  for (const writtenAt of ['2036-01-10T06:00:00Z', null, 'yesterday'])
    assert.equal(effectiveSinceOf({ writtenAt, recordedAt: at(21) }), at(21))
})
