/** Laws of the merge that hold for every set of claims, not only for journeys that make sense. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { diffShipment } from '../../../src/domain/changes/diff-shipment.ts'
import { mergeJourney } from '../../../src/domain/journey/journey.ts'
import { nextTimerAt, projectShipment } from '../../../src/domain/shipment/shipment.ts'
import { reconcileClaims } from '../../../src/domain/statements/claims.ts'
import type { Claim, Observation } from '../../../src/domain/statements/observation.ts'
import { readStatement, type Statement } from '../../../src/domain/statements/statement.ts'
import type { ShipmentProjection } from '../../../src/domain/view/projection.ts'
import { defaultProjectionRules as rules } from '../../../src/domain/view/projection-rules.ts'
import { rampAreaOf } from '../../../src/reference/ramps.ts'
import { likelyEvents, likelySources } from '../statements/likely-events.ts'
import { claims as anyClaims } from '../statements/observation-arbitraries.ts'

const now = '2026-02-10T00:00:00.000Z'

function project(claims: readonly Claim[], previous: ShipmentProjection | null = null): ShipmentProjection {
  return projectShipment({
    claims,
    line: { scac: 'HLCU', isAverageWeight: true },
    request: { kind: 'container', number: 'TCNU1234565' },
    now,
    previous,
    rules,
    areaOf: rampAreaOf,
  })
}

const likelyClaims: fc.Arbitrary<readonly Claim[]> = fc
  .array(fc.tuple(likelyEvents, likelySources), { maxLength: 24 })
  .map((stated) =>
    stated.map(([observation, source], index) => ({
      id: `c${index}`,
      source,
      observation: { ...observation, key: `k${index}` },
      readAt: now,
      recordedAt: now,
      standsAt: now,
      hand: 'first',
      deliveryKey: null,
      retiredAt: null,
    })),
  )

const runs = { numRuns: 300 }

test('the order of claims does not change the projection, even if each arrived twice', () => {
  fc.assert(
    fc.property(likelyClaims, fc.infiniteStream(fc.nat()), (received, random) => {
      const claims = [...received, ...received.map((claim) => ({ ...claim, id: `${claim.id} again` }))]
      const keyed = claims.map((claim) => ({ claim, key: random.next().value }))
      const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ claim }) => claim)
      assert.deepEqual(project(shuffled), project(claims))
    }),
    runs,
  )
})

test('the order of statements does not change the journey, whatever their ids', () => {
  fc.assert(
    fc.property(likelyClaims, fc.infiniteStream(fc.nat()), (claims, random) => {
      const statements = claims.map(readStatement).filter((told) => told !== null)
      const keyed = statements.map((told) => ({ told, key: random.next().value }))
      const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ told }) => told)
      assert.deepEqual(mergeJourney(shuffled), mergeJourney(statements))
    }),
    { numRuns: 1_000 },
  )
})

test('a repeated claim changes nothing', () => {
  fc.assert(
    fc.property(likelyClaims, (claims) => {
      assert.deepEqual(project([...claims, ...claims.toReversed()]), project(claims))
    }),
    runs,
  )
})

test('the difference of a projection from itself is empty', () => {
  fc.assert(
    fc.property(likelyClaims, (claims) => {
      const projection = project(claims)
      assert.deepEqual(diffShipment(projection, projection, rules), [])
    }),
    runs,
  )
})

test('projecting again from the same claims gives the same projection, and no event', () => {
  fc.assert(
    fc.property(likelyClaims, (claims) => {
      const once = project(claims)
      const twice = project(claims, once)
      assert.deepEqual(twice, once)
      assert.deepEqual(diffShipment(once, twice, rules), [])
    }),
    runs,
  )
})

test('a stored projection is unchanged when it is read back', () => {
  fc.assert(
    fc.property(likelyClaims, (claims) => {
      const once = project(claims)
      const stored = sortMembers(once) as ShipmentProjection
      assert.deepEqual(diffShipment(stored, project(claims, stored), rules), [])
    }),
    runs,
  )
})

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sortMembers(member)]),
  )
}

test('estimates and plans never remove an actual event', () => {
  fc.assert(
    fc.property(likelyClaims, (claims) => {
      const statements = claims.map(readStatement).filter((told) => told !== null)
      const happened = (told: readonly Statement[]) =>
        mergeJourney(told).calls.flatMap((call) =>
          call.slots.flatMap(({ key, actual }) => (actual === null ? [] : [`${call.key} ${key} ${actual.claim.id}`])),
        )
      const actuals = statements.filter((told) => told.isActual)
      assert.deepEqual(happened(statements).toSorted(), happened(actuals).toSorted())
    }),
    { numRuns: 1_000 },
  )
})

test('projecting never throws, whatever the claims', () => {
  fc.assert(
    fc.property(fc.array(anyClaims, { maxLength: 12 }), (claims) => {
      const projection = project(claims)
      const again = project(claims, projection)
      diffShipment(null, projection, rules)
      diffShipment(projection, again, rules)
      nextTimerAt(again, rules)
    }),
    { numRuns: 400 },
  )
})

test('ingesting the same observations twice adds and removes no claim', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(likelyEvents, fc.nat({ max: 5 })), { maxLength: 12 }),
      likelySources,
      (stated, source) => {
        const observations: readonly Observation[] = stated.map(([event, key]) => ({
          ...event,
          key: `k${key}`,
        }))
        const reading = { source, isFullPicture: true, missingBefore: [] }
        const first = reconcileClaims([], observations, reading)
        const live = first.add.map(
          (observation, index): Claim => ({
            id: `c${index}`,
            source,
            observation,
            readAt: now,
            recordedAt: now,
            standsAt: now,
            hand: 'first',
            deliveryKey: null,
            retiredAt: null,
          }),
        )
        const { add, retire, missing } = reconcileClaims(live, observations.toReversed(), reading)
        assert.deepEqual({ add, retire, missing }, { add: [], retire: [], missing: [] })
      },
    ),
    runs,
  )
})
