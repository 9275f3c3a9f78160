// Accounts learn from others only in groups: the order of outcomes makes no difference, and no count is detailed enough
// to show one account.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ancestorKeys, isShareable } from '../../../src/inference/node-key.ts'
import { createSharedEvidence, type SharedOutcome } from '../../../src/modules/inference/shared-evidence.ts'

const outcomes = fc.array(
  fc.record({
    accountId: fc.constantFrom('a', 'b', 'c', 'd'),
    node: fc.constantFrom('c:TCNU7241', 'c:TCNU7242', 'c:TCNU7300', 'c:TCNU9', 's:L3D7:SIJ12', 's:L3D7:SIJ'),
    scac: fc.constantFrom('MSCU', 'WHLC'),
    weight: fc.constantFrom(1, 0.5, -0.25),
    month: fc.constant(2026 * 12),
    bill: fc.constantFrom(null, '1', '2', '3', '4', '5', '6'),
  }),
  { maxLength: 60 },
)

function placesAfter(given: readonly SharedOutcome[]): ReadonlyMap<number, string> {
  const placed = new Map<SharedOutcome, string>()
  const shared = createSharedEvidence((outcome, from, to) => {
    assert.equal(placed.get(outcome) ?? null, from, 'it moves from where it was')
    placed.set(outcome, to)
  })
  for (const outcome of given) shared.add(outcome)
  for (const outcome of given) assert.equal(shared.placeOf(outcome.node), placed.get(outcome) ?? null)
  return new Map([...placed].map(([outcome, place]) => [given.indexOf(outcome), place]))
}

test('shared evidence is stored under the longest number prefix with three accounts or five bills behind it', () => {
  fc.assert(
    fc.property(outcomes, (given) => {
      const isBehindCrowd = (key: string): boolean => {
        const behind = given.filter(({ node, weight }) => weight > 0 && [node, ...ancestorKeys(node)].includes(key))
        const bills = behind.filter(({ bill }) => bill !== null).map(({ accountId, bill }) => `${accountId} ${bill}`)
        return new Set(behind.map(({ accountId }) => accountId)).size >= 3 || new Set(bills).size >= 5
      }
      const expected = given.flatMap(({ node }, index) => {
        const place = [node, ...ancestorKeys(node)].filter(isShareable).find(isBehindCrowd)
        return place === undefined ? [] : [[index, place] as const]
      })
      assert.deepEqual(
        [...placesAfter(given)].toSorted(([a], [b]) => a - b),
        expected,
      )
      assert.ok(expected.every(([, place]) => place.length <= 's:L3D7:SIJ12'.length && !/c:TCNU\d{4}/.test(place)))
    }),
  )
})

test('the order of outcomes does not change the counts', () => {
  fc.assert(
    fc.property(outcomes, (given) => {
      const countsOf = (ordered: readonly SharedOutcome[]): unknown => {
        const { evidence, add } = createSharedEvidence(() => {})
        for (const outcome of ordered) add(outcome)
        const written = (tally: { carriers: number[]; weights: number[] }): unknown =>
          tally.carriers
            .map((carrier, at) => [carrier, tally.weights[at] ?? 0] as const)
            .filter(([, weight]) => weight !== 0)
            .toSorted(([a], [b]) => a - b)
        const owners = [...evidence.owners].flatMap(([code, { nodes }]) =>
          [...nodes].map(([node, tally]) => [`${code} ${node}`, written(tally)] as const),
        )
        const shipments = [...evidence.shipments].map(([key, tally]) => [key, written(tally)] as const)
        return [...owners, ...shipments]
          .filter(([, counts]) => (counts as unknown[]).length > 0)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
      }
      // Old outcomes count less, so weights are fractions, and sums in another order differ in the last bits.
      const rounded = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'number' ? Math.round(each * 1e6) / 1e6 : each))
      assert.deepEqual(rounded(countsOf(given.toReversed())), rounded(countsOf(given)))
    }),
  )
})
