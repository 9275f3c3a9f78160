/**
 * How fast the core merges and compares a long journey on one core, compared with writing and reading its claims as
 * JSON.
 */

import { parseDcsaProfile, standardProfile } from '../src/connectors/dcsa/profile.ts'
import { readSnapshot } from '../src/connectors/dcsa/read-snapshot.ts'
import { diffShipment } from '../src/domain/changes/diff-shipment.ts'
import { projectShipment } from '../src/domain/shipment/shipment.ts'
import type { Claim } from '../src/domain/statements/observation.ts'
import type { ShipmentProjection } from '../src/domain/view/projection.ts'
import { defaultProjectionRules } from '../src/domain/view/projection-rules.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../src/platform/ids.ts'
import { rampAreaOf } from '../src/reference/ramps.ts'
import { journeysStartAt, longJourney, longJourneyBill } from './journeys.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'

const rounds = 7
const secondsPerSide = 1
const rules = defaultProjectionRules
const now = new Date(journeysStartAt).toISOString()

export async function benchMerge(): Promise<readonly Figure[]> {
  const claims = claimsOf(longJourney())
  // The last three events are new: for each journey a projection is made and compared with the earlier one.
  const before = project(claims.slice(0, -3), null)
  const changes = diffShipment(before, project(claims, before), rules)
  if (changes.length === 0) throw new Error('the last events of the journey changed nothing')
  const events = claims.filter(({ observation }) => observation.kind === 'event').length
  progress(`merge: ${claims.length} claims (${events} events), ${changes.length} changes`)
  const merge = () => diffShipment(before, project(claims, before), rules)
  const copy = () => JSON.parse(JSON.stringify(claims)) as unknown
  for (const work of [merge, copy]) await timesPerSecond(work, 0.5)
  const sides = await alternate(rounds, {
    ours: () => timesPerSecond(merge, secondsPerSide),
    limit: () => timesPerSecond(copy, secondsPerSide),
  })
  const figure = median(sides.ours)
  return [
    {
      bench: 'merge',
      what: `Merge and diff of a journey of ${events} events`,
      unit: 'journeys/s per core',
      figure,
      limit: { what: 'JSON.stringify and JSON.parse of the same claims', value: median(sides.limit) },
      ratio: medianRatio(sides),
      aim: 'more than 2,000 journeys/s',
      isMet: figure > 2_000,
      note: `${rounds} rounds of ${secondsPerSide} s; ${spread(sides.ours)} against ${spread(sides.limit)}; ${claims.length} claims`,
      postgres: null,
    },
  ]
}

function project(claims: readonly Claim[], previous: ShipmentProjection | null): ShipmentProjection {
  return projectShipment({
    claims,
    line: { scac: 'ONEY', isAverageWeight: false },
    request: { kind: 'bill_of_lading', number: longJourneyBill, requestedAt: null },
    now,
    previous,
    rules,
    areaOf: rampAreaOf,
  })
}

/** The claims that the reader makes from a line's answer. */
function claimsOf(answer: readonly unknown[]): readonly Claim[] {
  const profile = parseDcsaProfile({ ...standardProfile, scac: 'ONEY', base: 'https://line.invalid' })
  if (!profile.ok) throw new Error(profile.reason)
  const { observations } = readSnapshot(
    {
      status: 200,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(answer)),
      fetchedAt: now,
    },
    { scac: 'ONEY', kind: 'bill_of_lading', number: longJourneyBill },
    profile.value,
  )
  return observations.map((observation, index) => ({
    id: uuidV5(LANDFALL_NAMESPACE, `bench:${index}`),
    source: { kind: 'shipping_line', code: 'ONEY' },
    observation,
    readAt: now,
    recordedAt: now,
    standsAt: now,
    hand: 'first',
    deliveryKey: null,
    retiredAt: null,
  }))
}

async function timesPerSecond(work: () => unknown, seconds: number): Promise<number> {
  let times = 0
  const took = await secondsOf(async () => {
    for (const until = performance.now() + seconds * 1_000; performance.now() < until; times += 1) work()
  })
  return times / took
}
