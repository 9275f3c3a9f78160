import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointBetween } from '../../src/core/geography/great-circle.ts'
import {
  type Approach,
  type EtaErrors,
  estimateArrival,
  type OwnEta,
} from '../../src/core/vessels/own-eta.ts'
import type { VesselFix } from '../../src/core/vessels/vessel-arrival.ts'

const rows = (
  of: EtaErrors['of'],
  daysAheadMin: number,
  [p10, p20, p80, p90]: readonly number[],
): EtaErrors => ({
  of,
  daysAheadMin,
  p10: p10 ?? 0,
  p20: p20 ?? 0,
  p80: p80 ?? 0,
  p90: p90 ?? 0,
})
const errors = [
  rows('vessel', 0, [-1, -1, 6, 12]),
  rows('vessel', 3, [-10, -8, 8, 20]),
  rows('line', 0, [-2, -2, 2, 2]),
  rows('line', 10, [-24, -24, 24, 24]),
  rows('both', 0, [-1, -1, 1, 1]),
]
const start = Date.parse('2026-01-10T00:00:00Z')
const hourMs = 3_600_000

/** Fixes of a ship that sails east along the equator, one every two hours. `speeds`: one for each stretch. */
function sail(speeds: readonly number[], everyHours = 2): readonly VesselFix[] {
  let miles = 0
  return [0, ...speeds].map((speed, n) => {
    miles += speed * everyHours
    const at = new Date(start + n * everyHours * hourMs).toISOString()
    const where = pointBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 90 }, miles / 5403.6)
    return { imo: '9321483', heardAt: at, speedKnots: speed, ...where }
  })
}

/** An estimate from positions only. */
const estimate = (from: Pick<Approach, 'fixes' | 'remainingNm'> & Partial<Approach>): OwnEta | null =>
  estimateArrival({ calls: [], line: null, errors, ...from })

/** What a line says: when it says so and which ETA, both in hours from the start. */
const word = (of: { readonly saidAt: number; readonly eta: number; readonly isDayOnly?: boolean }) => ({
  eta: new Date(start + of.eta * hourMs).toISOString(),
  saidAt: new Date(start + of.saidAt * hourMs).toISOString(),
  isDayOnly: of.isDayOnly ?? false,
  sourceCode: 'HLCU',
})
const hoursOf = (text: string | undefined): number => (Date.parse(text ?? '') - start) / hourMs
/** A day at sea at 16 knots with 100 hours to go: by its positions the ship comes at hour 124. */
const atSea = { fixes: sail(Array(12).fill(16)), remainingNm: 1_600 }

test('what remains at the speed made lately, with the band for so many days ahead', () => {
  const eta = estimate({ fixes: sail(Array(12).fill(16)), remainingNm: 1_600 })
  assert.ok(eta !== null)
  assert.equal(eta.fixAt, '2026-01-11T00:00:00.000Z')
  assert.ok(Math.abs(eta.speedKnots - 16) < 0.1)
  const [at, earliest, latest] = [eta.eta, eta.earliest, eta.latest].map((text) => Date.parse(text))
  assert.ok(Math.abs((at ?? 0) - (start + 124 * hourMs)) < 0.5 * hourMs, eta.eta)
  assert.equal((at ?? 0) - (earliest ?? 0), 10 * hourMs)
  assert.equal((latest ?? 0) - (at ?? 0), 20 * hourMs)
})

test('time in port and at anchor is no speed to go on with', () => {
  const eta = estimate({
    fixes: sail([...Array(12).fill(16), ...Array(10).fill(0)]),
    remainingNm: 320,
  })
  assert.ok(eta !== null && Math.abs(eta.speedKnots - 16) < 0.1)
})

test('there is no estimate for a ship with one position, without movement, or without a way to the port', () => {
  assert.equal(estimate({ fixes: sail([]), remainingNm: 100 }), null)
  assert.equal(estimate({ fixes: [], remainingNm: 100 }), null)
  assert.equal(estimate({ fixes: sail(Array(20).fill(0.3)), remainingNm: 100 }), null)
  assert.equal(estimate({ fixes: sail(Array(20).fill(16)), remainingNm: null }), null)
  assert.equal(estimate({ fixes: sail(Array(20).fill(16)), remainingNm: 100, errors: [] }), null)
})

test('a speed made along a coast is no guide to days of open sea', () => {
  const fixes = sail(Array(20).fill(6))
  assert.ok(estimate({ fixes, remainingNm: 60 }) !== null)
  assert.equal(estimate({ fixes, remainingNm: 5_000 }), null)
})

test('the band never begins before the last position', () => {
  const eta = estimate({ fixes: sail(Array(12).fill(16)), remainingNm: 4 })
  assert.equal(eta?.earliest, eta?.fixAt)
})

test('weather evens out: the further ahead, the longer the time that is looked back over', () => {
  const fixes = sail([...Array(96).fill(16), ...Array(24).fill(20)])
  const near = estimate({ fixes, remainingNm: 400 })
  const far = estimate({ fixes, remainingNm: 4_800 })
  assert.ok(near !== null && far !== null)
  assert.ok(near.speedKnots > 19.5 && far.speedKnots < 18, `${near.speedKnots} and ${far.speedKnots} knots`)
})

test('what the line says and what the ship does are weighed by how far off each usually is', () => {
  const eta = estimate({ ...atSea, line: word({ saidAt: 20, eta: 140 }) })
  // The line is off by 2 hours to the early side, the ship by 8 hours to the late side.
  assert.equal(eta?.madeOf?.lineWeight, 0.94)
  assert.equal(eta?.madeOf?.line?.sourceCode, 'HLCU')
  assert.ok(Math.abs(hoursOf(eta?.madeOf?.vesselEta) - 124) < 0.5)
  assert.ok(Math.abs(hoursOf(eta?.eta) - (124 + (16 * 64) / 68)) < 0.5, eta?.eta)
})

test('what the line said long ago weighs less', () => {
  const eta = estimate({ ...atSea, line: word({ saidAt: -200, eta: 140 }) })
  assert.equal(eta?.madeOf?.lineWeight, 0.1)
})

test('a day weighs less than an hour of that day', () => {
  const eta = estimate({ ...atSea, line: word({ saidAt: 20, eta: 140, isDayOnly: true }) })
  assert.equal(eta?.madeOf?.lineWeight, 0.3)
})

test('the band is wider where the line and the ship contradict each other', () => {
  const widthOf = (line: number): number => {
    const eta = estimate({ ...atSea, line: word({ saidAt: 20, eta: line }) })
    return hoursOf(eta?.latest) - hoursOf(eta?.earliest)
  }
  assert.ok(widthOf(200) > 3 * widthOf(126), `${widthOf(126)} and ${widthOf(200)} hours`)
})

test('the line is not believed where the ship would have to fly', () => {
  const line = word({ saidAt: 20, eta: 24 + 1_600 / 31 })
  const [told, untold] = [estimate({ ...atSea, line }), estimate(atSea)]
  assert.equal(told?.madeOf?.line, null)
  assert.equal(told?.eta, untold?.eta)
})

test('the stay at a port before is added, and an unknown stay makes the range wider', () => {
  const call = (isStayTold: boolean) => [{ unlocode: 'JPYOK', stayHours: 17, isStayTold }]
  const [none, told, untold] = [
    estimate(atSea),
    estimate({ ...atSea, calls: call(true) }),
    estimate({ ...atSea, calls: call(false) }),
  ]
  assert.equal(hoursOf(told?.eta) - hoursOf(none?.eta), 17)
  assert.equal(untold?.eta, told?.eta)
  assert.equal(hoursOf(told?.latest) - hoursOf(told?.eta), 20)
  assert.ok(
    hoursOf(untold?.latest) > hoursOf(told?.latest) && hoursOf(untold?.earliest) < hoursOf(told?.earliest),
  )
  assert.deepEqual(told?.madeOf?.calls, call(true))
})
