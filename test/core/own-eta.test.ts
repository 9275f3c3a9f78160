import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointBetween } from '../../src/core/great-circle.ts'
import { estimateArrival } from '../../src/core/own-eta.ts'
import type { VesselFix } from '../../src/core/vessel-arrival.ts'

const errors = [
  { daysAheadMin: 0, p10Hours: -1, p90Hours: 12 },
  { daysAheadMin: 3, p10Hours: -10, p90Hours: 20 },
]
const start = Date.parse('2026-01-10T00:00:00Z')
const hourMs = 3_600_000

/** East along the equator, a fix each two hours; `speeds` one for each. */
function sail(speeds: readonly number[], everyHours = 2): readonly VesselFix[] {
  let miles = 0
  return [0, ...speeds].map((speed, n) => {
    miles += speed * everyHours
    const at = new Date(start + n * everyHours * hourMs).toISOString()
    const where = pointBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 90 }, miles / 5403.6)
    return { imo: '9321483', heardAt: at, speedKnots: speed, ...where }
  })
}

test('what remains at the speed made lately, with the band for so many days ahead', () => {
  const eta = estimateArrival({ fixes: sail(Array(12).fill(16)), remainingNm: 1_600, errors })
  assert.ok(eta !== null)
  assert.equal(eta.fixAt, '2026-01-11T00:00:00.000Z')
  assert.ok(Math.abs(eta.speedKnots - 16) < 0.1)
  const [at, earliest, latest] = [eta.eta, eta.earliest, eta.latest].map((text) => Date.parse(text))
  assert.ok(Math.abs((at ?? 0) - (start + 124 * hourMs)) < 0.5 * hourMs, eta.eta)
  assert.equal((at ?? 0) - (earliest ?? 0), 10 * hourMs)
  assert.equal((latest ?? 0) - (at ?? 0), 20 * hourMs)
})

test('time in port and at anchor is no speed to go on with', () => {
  const eta = estimateArrival({
    fixes: sail([...Array(12).fill(16), ...Array(10).fill(0)]),
    remainingNm: 320,
    errors,
  })
  assert.ok(eta !== null && Math.abs(eta.speedKnots - 16) < 0.1)
})

test('nothing is estimated of a ship that was heard once, lay still all the time, or has no way to the port', () => {
  assert.equal(estimateArrival({ fixes: sail([]), remainingNm: 100, errors }), null)
  assert.equal(estimateArrival({ fixes: [], remainingNm: 100, errors }), null)
  assert.equal(estimateArrival({ fixes: sail(Array(20).fill(0.3)), remainingNm: 100, errors }), null)
  assert.equal(estimateArrival({ fixes: sail(Array(20).fill(16)), remainingNm: null, errors }), null)
  assert.equal(estimateArrival({ fixes: sail(Array(20).fill(16)), remainingNm: 100, errors: [] }), null)
})

test('a speed made along a coast is no guide to days of open sea', () => {
  const fixes = sail(Array(20).fill(6))
  assert.ok(estimateArrival({ fixes, remainingNm: 60, errors }) !== null)
  assert.equal(estimateArrival({ fixes, remainingNm: 5_000, errors }), null)
})

test('the band never begins before the last position', () => {
  const eta = estimateArrival({ fixes: sail(Array(12).fill(16)), remainingNm: 4, errors })
  assert.equal(eta?.earliest, eta?.fixAt)
})

test('weather evens out: the further ahead, the longer the time that is looked back over', () => {
  const fixes = sail([...Array(96).fill(16), ...Array(24).fill(20)])
  const near = estimateArrival({ fixes, remainingNm: 400, errors })
  const far = estimateArrival({ fixes, remainingNm: 4_800, errors })
  assert.ok(near !== null && far !== null)
  assert.ok(near.speedKnots > 19.5 && far.speedKnots < 18, `${near.speedKnots} and ${far.speedKnots} knots`)
})
