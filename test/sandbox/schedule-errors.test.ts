/** The sandbox's lines are as wrong as a real line was, and its ships as unsteady. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingsBeside, seaSailings } from '../../qa/bench/schedule-readings.ts'
import { firstCall, lastCall } from '../../sandbox/sailing.ts'

const hourMs = 3_600_000
const sailings = [11, 12].flatMap((seed) => seaSailings(seed, 32))

test('estimates are as wrong as those of a real schedule in every row of days ahead, within a fifth', (t) => {
  for (const { real, sandbox } of readingsBeside([7, 11, 12, 13], 12)) {
    const row = `${real.daysAheadMin} to ${real.daysAheadMax} days ahead`
    const [ours, its] = [sandbox, real].map(({ p10, p25, p50, p75, p90 }) =>
      [p10, p25, p50, p75, p90].map((hours) => hours.toFixed(0)).join(' '),
    )
    t.diagnostic(
      `${row}: ${sandbox.meanAbsolute.toFixed(1)} h, schedule ${real.meanAbsolute} h; quantiles ${ours}, schedule ${its}`,
    )
    const ratio = sandbox.meanAbsolute / real.meanAbsolute
    assert.ok(ratio > 0.8 && ratio < 1.2, `${row}: ${ratio.toFixed(2)} of the schedule's`)
    assert.ok(Math.abs(sandbox.p50 - real.p50) < 2, row)
    assert.ok(Math.abs(sandbox.p10 - real.p10) < 6 && Math.abs(sandbox.p25 - real.p25) < 6, row)
    assert.ok(Math.abs(sandbox.p75 - real.p75) < 15 && Math.abs(sandbox.p90 - real.p90) < 20, row)
  }
})

test('ships come early too, and a few sailings omit a call, swap ships or are split', () => {
  const early = sailings.filter((sailing) => lastCall(sailing).arrival < lastCall(sailing).plannedArrival - 3 * hourMs)
  const share = (some: readonly unknown[], of: readonly unknown[] = sailings): number => some.length / of.length
  assert.ok(share(early) > 0.1 && share(early) < 0.4, `${share(early)} early`)
  const withCalls = sailings.filter(({ chain }) => chain.places.length > 2)
  const shares = [
    share(sailings.filter(({ plannedVessel, vessel }) => plannedVessel?.imo !== vessel?.imo)),
    share(
      withCalls.filter(({ calls, chain }) => calls.length < chain.places.length),
      withCalls,
    ),
    share(
      withCalls.filter(({ parts }) => parts.length === 2),
      withCalls,
    ),
  ]
  for (const each of shares) assert.ok(each > 0.01 && each < 0.06, shares.join())
})

test('no ship leaves before it arrived, loads what is not landed yet, or is on two sailings at once', () => {
  const byShip = new Map<string, { from: number; until: number }[]>()
  for (const sailing of sailings) {
    const parts = sailing.parts.length > 0 ? sailing.parts : [sailing]
    for (const { calls, vessel } of parts) {
      calls.forEach(({ arrival, departure }, n) => {
        assert.ok(departure > arrival && arrival > (calls[n - 1]?.departure ?? 0), sailing.key)
      })
      const ship = { from: calls[0]?.departure ?? 0, until: calls.at(-1)?.arrival ?? 0 }
      if (vessel !== null && sailing.key.startsWith('11|'))
        byShip.set(vessel.imo, [...(byShip.get(vessel.imo) ?? []), ship])
    }
    const [one, two] = parts
    if (one === undefined || two === undefined) continue
    assert.ok(firstCall(two).departure >= lastCall(one).arrival + 42 * hourMs)
  }
  for (const [imo, voyages] of byShip) {
    voyages.sort((a, b) => a.from - b.from)
    voyages.forEach(({ from }, n) => {
      assert.ok(from >= (voyages[n - 1]?.until ?? 0), imo)
    })
  }
})
