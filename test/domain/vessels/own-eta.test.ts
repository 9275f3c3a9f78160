import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointBetween } from '../../../src/domain/geography/great-circle.ts'
import type { EtaErrors } from '../../../src/domain/vessels/eta-errors.ts'
import { type ArrivalEstimateInput, estimateArrival, type OwnEta } from '../../../src/domain/vessels/own-eta.ts'
import type { VesselFix } from '../../../src/domain/vessels/vessel-arrival.ts'
import { isRangeStanding } from '../../../src/modules/shipments/get-shipment.ts'

const rows = (of: EtaErrors['of'], daysAheadMin: number, [p10, p20, p80, p90]: readonly number[]): EtaErrors => ({
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
const estimate = (
  from: Pick<ArrivalEstimateInput, 'fixes' | 'remainingNm'> & Partial<ArrivalEstimateInput>,
): OwnEta | null => estimateArrival({ calls: [], line: null, errors, ...from })

/** An ETA of a line: when it was stated and its value, both in hours from the start. */
const word = (of: { readonly saidAt: number; readonly eta: number; readonly isDayOnly?: boolean }) => ({
  eta: new Date(start + of.eta * hourMs).toISOString(),
  saidAt: new Date(start + of.saidAt * hourMs).toISOString(),
  isDayOnly: of.isDayOnly ?? false,
  sourceCode: 'HLCU',
})
const hoursOf = (text: string | undefined): number => (Date.parse(text ?? '') - start) / hourMs
/** A day at sea at 16 knots with 100 hours to go: by its positions the ship comes at hour 124. */
const atSea = { fixes: sail(Array(12).fill(16)), remainingNm: 1_600 }

test('estimates the arrival from the recent speed, with the error band for that many days ahead', () => {
  const eta = estimate({ fixes: sail(Array(12).fill(16)), remainingNm: 1_600 })
  assert.ok(eta !== null)
  assert.equal(eta.fixAt, '2026-01-11T00:00:00.000Z')
  assert.ok(Math.abs(eta.speedKnots - 16) < 0.1)
  const [at, earliest, latest] = [eta.eta, eta.earliest, eta.latest].map((text) => Date.parse(text))
  assert.ok(Math.abs((at ?? 0) - (start + 124 * hourMs)) < 0.5 * hourMs, eta.eta)
  assert.equal((at ?? 0) - (earliest ?? 0), 10 * hourMs)
  assert.equal((latest ?? 0) - (at ?? 0), 20 * hourMs)
})

test('excludes time in port and at anchor from the speed', () => {
  const eta = estimate({
    fixes: sail([...Array(12).fill(16), ...Array(10).fill(0)]),
    remainingNm: 320,
  })
  assert.ok(eta !== null && Math.abs(eta.speedKnots - 16) < 0.1)
})

test('gives no estimate for a ship with one position, no movement, or no route to the port', () => {
  assert.equal(estimate({ fixes: sail([]), remainingNm: 100 }), null)
  assert.equal(estimate({ fixes: [], remainingNm: 100 }), null)
  assert.equal(estimate({ fixes: sail(Array(20).fill(0.3)), remainingNm: 100 }), null)
  assert.equal(estimate({ fixes: sail(Array(20).fill(16)), remainingNm: null }), null)
  assert.equal(estimate({ fixes: sail(Array(20).fill(16)), remainingNm: 100, errors: [] }), null)
})

test('does not extend a slow coastal speed to days of open sea', () => {
  const fixes = sail(Array(20).fill(6))
  assert.ok(estimate({ fixes, remainingNm: 60 }) !== null)
  assert.equal(estimate({ fixes, remainingNm: 5_000 }), null)
})

test('the earliest estimated arrival is never before the last position report', () => {
  const eta = estimate({ fixes: sail(Array(12).fill(16)), remainingNm: 4 })
  assert.equal(eta?.earliest, eta?.fixAt)
})

test('averages the speed over a longer time the further the port is', () => {
  const fixes = sail([...Array(96).fill(16), ...Array(24).fill(20)])
  const near = estimate({ fixes, remainingNm: 400 })
  const far = estimate({ fixes, remainingNm: 4_800 })
  assert.ok(near !== null && far !== null)
  assert.ok(near.speedKnots > 19.5 && far.speedKnots < 18, `${near.speedKnots} and ${far.speedKnots} knots`)
})

const weightOf = (line: ReturnType<typeof word>): number => estimate({ ...atSea, line })?.madeOf?.lineWeight ?? 0

test('believes the line near what the ship shows, and the ship the more the later it is than its line', () => {
  const eta = estimate({ ...atSea, line: word({ saidAt: 20, eta: 130 }) })
  assert.equal(eta?.madeOf?.line?.sourceCode, 'HLCU')
  assert.ok(Math.abs(hoursOf(eta?.madeOf?.vesselEta) - 124) < 0.5)
  const weight = eta?.madeOf?.lineWeight ?? 0
  assert.ok(Math.abs(hoursOf(eta?.eta) - (124 + weight * 6)) < 0.5, eta?.eta)
  // The line's errors are larger than the ship's here: 24 hours to either side.
  const all = [...errors.filter(({ of }) => of !== 'line'), rows('line', 0, [-24, -12, 12, 24])]
  const weights = [120, 110, 100, 90].map(
    (hour) => estimate({ ...atSea, errors: all, line: word({ saidAt: 20, eta: hour }) })?.madeOf?.lineWeight ?? 0,
  )
  assert.deepEqual(
    weights,
    weights.toSorted((a, b) => b - a),
  )
  assert.ok((weights[0] ?? 0) > 0.85 && (weights[3] ?? 1) < 0.45, weights.join())
})

test('an ETA that the line still gives counts as made now, however old it is', () => {
  assert.equal(weightOf(word({ saidAt: -200, eta: 140 })), weightOf(word({ saidAt: 20, eta: 140 })))
})

test('an ETA given as a day weighs less than one with an hour', () => {
  assert.ok(weightOf(word({ saidAt: 20, eta: 140, isDayOnly: true })) < weightOf(word({ saidAt: 20, eta: 140 })) / 2)
})

test('the band is wider when the line and the vessel contradict each other', () => {
  const widthOf = (line: number): number => {
    const eta = estimate({ ...atSea, line: word({ saidAt: 20, eta: line }) })
    return hoursOf(eta?.latest) - hoursOf(eta?.earliest)
  }
  assert.ok(widthOf(200) > 3 * widthOf(126), `${widthOf(126)} and ${widthOf(200)} hours`)
})

test('ignores an ETA of the line that would need an impossible speed', () => {
  const line = word({ saidAt: 20, eta: 24 + 1_600 / 31 })
  const [told, untold] = [estimate({ ...atSea, line }), estimate(atSea)]
  assert.equal(told?.madeOf?.line, null)
  assert.equal(told?.eta, untold?.eta)
})

test('adds the stay at an earlier port, and widens the range when the stay is unknown', () => {
  const call = (isStayTold: boolean) => [{ unlocode: 'JPYOK', stayHours: 17, isStayTold }]
  const [none, told, untold] = [
    estimate(atSea),
    estimate({ ...atSea, calls: call(true) }),
    estimate({ ...atSea, calls: call(false) }),
  ]
  assert.equal(hoursOf(told?.eta) - hoursOf(none?.eta), 17)
  assert.equal(untold?.eta, told?.eta)
  assert.equal(hoursOf(told?.latest) - hoursOf(told?.eta), 20)
  assert.ok(hoursOf(untold?.latest) > hoursOf(told?.latest) && hoursOf(untold?.earliest) < hoursOf(told?.earliest))
  assert.deepEqual(told?.madeOf?.calls, call(true))
})

test('without an ETA of the line, the time of earlier voyages from the same point counts a half', () => {
  const eta = estimate({ ...atSea, earlierHours: [130, 150] })
  assert.ok(Math.abs(hoursOf(eta?.eta) - (24 + (100 + 140) / 2)) < 0.5, eta?.eta)
  assert.equal(eta?.madeOf?.earlierHours, 140)
  const line = word({ saidAt: 20, eta: 126 })
  assert.equal(estimate({ ...atSea, line, earlierHours: [130, 150] })?.eta, estimate({ ...atSea, line })?.eta)
})

test('the band follows the past of the account, the more arrivals it has', () => {
  const past = (arrivals: number) => [
    { of: 'own' as const, scac: 'HLCU', daysAheadMin: 0, arrivals, p10: -30, p20: -20, p80: 40, p90: 60 },
  ]
  const line = word({ saidAt: 20, eta: 126 })
  const widthOf = (arrivals: number): number => {
    const eta = estimate({ ...atSea, line, past: past(arrivals) })
    assert.equal(eta?.madeOf?.arrivals, arrivals)
    return hoursOf(eta?.latest) - hoursOf(eta?.earliest)
  }
  const shipped = estimate({ ...atSea, line })
  const widths = [0, 20, 2_000].map(widthOf)
  assert.equal(widths[0], hoursOf(shipped?.latest) - hoursOf(shipped?.earliest))
  assert.ok(Math.abs((widths[1] ?? 0) - ((widths[0] ?? 0) + 90) / 2) < 0.1, widths.join())
  assert.ok(Math.abs((widths[2] ?? 0) - 90) < 1.5, widths.join())
})

test('the past of another line does not count, that of positions counts for all lines', () => {
  const past = (of: 'own' | 'vessel', scac: string | null) => [
    { of, scac, daysAheadMin: 0, arrivals: 500, p10: -50, p20: -50, p80: 50, p90: 50 },
  ]
  const line = word({ saidAt: 20, eta: 126 })
  assert.equal(estimate({ ...atSea, line, past: past('own', 'MAEU') })?.latest, estimate({ ...atSea, line })?.latest)
  const alone = estimate({ ...atSea, past: past('vessel', null) })
  assert.ok(hoursOf(alone?.latest) - hoursOf(alone?.eta) > 45)
})

test('a range stands while the position is not older than the range is wide, and at least half a day', () => {
  const eta = { fixAt: '2026-01-11T00:00:00Z', earliest: '2026-01-15T00:00:00Z', latest: '2026-01-16T06:00:00Z' }
  assert.ok(isRangeStanding(eta, '2026-01-12T06:00:00Z'))
  assert.ok(!isRangeStanding(eta, '2026-01-12T06:00:01Z'))
  const narrow = { ...eta, latest: '2026-01-15T01:00:00Z' }
  assert.ok(isRangeStanding(narrow, '2026-01-11T12:00:00Z') && !isRangeStanding(narrow, '2026-01-11T13:00:00Z'))
})
