/** Sea routes over the network in the repository: known lengths, avoided passages, and places without a route. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { distanceNm, type GeoPoint } from '../../src/domain/geography/great-circle.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'
import { openSeaNetwork, pointOf } from '../../src/reference/sea-routes/network.ts'
import { type SeaPassage, seaPassages } from '../../src/reference/sea-routes/passages.ts'
import { findSeaRoute, searchSeaRoute } from '../../src/reference/sea-routes/sea-route.ts'
import { findShortestWay } from '../../src/reference/sea-routes/search.ts'

function at(code: string): GeoPoint {
  const place = findPlaceByCode(code)
  assert.ok(place !== null && place.latitude !== null && place.longitude !== null, code)
  return { latitude: place.latitude, longitude: place.longitude }
}

function lineOf(from: string, to: string, avoid: readonly SeaPassage[] = []) {
  const route = findSeaRoute({ from: at(from), to: at(to), avoid })
  assert.equal(route.kind, 'route')
  return route.kind === 'route' ? route.line : assert.fail()
}

const known = [
  ['CNSHG', 'USLGB', 5_765],
  ['CNSHG', 'NLRTM', 10_531],
  ['KRPUS', 'USSAV', 9_814],
  ['SGSIN', 'USNYC', 10_181],
  ['NLRTM', 'USNYC', 3_299],
] as const
for (const [from, to, lengthNm] of known) {
  test(`the route from ${from} to ${to} is ${lengthNm} nautical miles long, within 3 percent`, () => {
    const line = lineOf(from, to)
    assert.ok(Math.abs(line.lengthNm / lengthNm - 1) < 0.03, `${line.lengthNm} nm`)
    assert.deepEqual(line.points[0], at(from))
    assert.deepEqual(line.points.at(-1), at(to))
  })
}

test('the route from Shanghai to Rotterdam uses Panama if Suez is closed, and the Cape if both are closed', () => {
  const direct = lineOf('CNSHG', 'NLRTM')
  const [overPanama, around] = [lineOf('CNSHG', 'NLRTM', ['suez']), lineOf('CNSHG', 'NLRTM', ['suez', 'panama'])]
  assert.ok(direct.points.every(({ latitude }) => latitude > 0))
  assert.ok(Math.abs(overPanama.lengthNm / 13_495 - 1) < 0.03, `${overPanama.lengthNm} nm`)
  assert.ok(around.points.some(({ latitude }) => latitude < -33))
  assert.ok(around.lengthNm > overPanama.lengthNm)
})

test('the route is longer without Panama, and the Black Sea has no route if all passages are closed', () => {
  assert.ok(lineOf('KRPUS', 'USSAV', ['panama']).lengthNm > lineOf('KRPUS', 'USSAV').lengthNm + 2_000)
  const shut = findSeaRoute({ from: at('ROCND'), to: at('NLRTM'), avoid: seaPassages })
  assert.deepEqual(shut, { kind: 'no_way' })
})

test('a route over the Pacific crosses the 180th meridian once, and no route passes the Arctic', () => {
  const { points } = lineOf('CNSHG', 'USLGB')
  const crossings = points.filter((point, index) => {
    const before = points[index - 1]
    return before !== undefined && Math.abs(before.longitude - point.longitude) > 180
  })
  assert.equal(crossings.length, 1)
  const { latitudes, longitudes } = openSeaNetwork()
  for (const [node, latitude] of latitudes.entries()) {
    const longitude = longitudes[node] ?? 0
    assert.ok(Math.abs(longitude) <= 180)
    assert.ok(latitude < 65 || longitude > -165 || longitude < -170, 'the Bering strait is left out')
  }
})

test('an inland place has no sea route: the result states which end, and how far from the sea it is', () => {
  const route = findSeaRoute({ from: at('CNSHG'), to: at('USDAL') })
  assert.equal(route.kind, 'far_from_sea')
  assert.ok(route.kind === 'far_from_sea' && route.end === 'to' && route.offNm > 190 && route.offNm < 210)
})

test('the route between two neighbouring ports is their direct distance', () => {
  const line = lineOf('USLAX', 'USLGB')
  assert.equal(line.lengthNm, distanceNm(at('USLAX'), at('USLGB')))
})

test('gives the same result for the same request, cached or not', () => {
  const question = { from: at('DEHAM'), to: at('BRSSZ') }
  const first = findSeaRoute(question)
  assert.equal(findSeaRoute(question), first)
  assert.deepEqual(searchSeaRoute(question), first)
})

test('both directions have one length, at least the great circle, and no detour is shorter', () => {
  const { nodeCount } = openSeaNetwork()
  const place = fc
    .tuple(fc.integer({ min: 0, max: nodeCount - 1 }), fc.double({ min: -0.5, max: 0.5, noNaN: true }))
    .map(([node, off]) => {
      const { latitude, longitude } = pointOf(openSeaNetwork(), node)
      return { latitude: Math.max(-89, Math.min(89, latitude + off)), longitude }
    })
  const lengthNm = (from: GeoPoint, to: GeoPoint) => {
    const route = searchSeaRoute({ from, to })
    return route.kind === 'route' ? route.line.lengthNm : assert.fail(route.kind)
  }
  fc.assert(
    fc.property(place, place, place, (a, b, c) => {
      const direct = lengthNm(a, c)
      assert.ok(Math.abs(direct - lengthNm(c, a)) < 1e-6)
      assert.ok(direct >= distanceNm(a, c) - 1e-6)
      assert.ok(direct <= lengthNm(a, b) + lengthNm(b, c) + 1e-6)
    }),
    { numRuns: 300 },
  )
})

test('finds the same route as an exhaustive search, whatever is avoided', () => {
  const { nodeCount } = openSeaNetwork()
  const node = fc.integer({ min: 0, max: nodeCount - 1 })
  const passages = fc.integer({ min: 0, max: 2 ** seaPassages.length - 1 })
  fc.assert(
    fc.property(node, fc.array(node, { minLength: 5, maxLength: 5 }), passages, (from, ends, avoided) => {
      const waysNm = everyWayFrom(from, avoided)
      for (const to of ends) {
        const found = findShortestWay(from, to, avoided)?.lengthNm ?? Number.POSITIVE_INFINITY
        const expected = waysNm[to] ?? Number.POSITIVE_INFINITY
        assert.ok(found === expected || Math.abs(found - expected) < 1e-6, `${found} for ${expected}`)
      }
    }),
    { numRuns: 12 },
  )
})

/** Bellman and Ford: no heap, no estimate, nothing to be clever about. */
function everyWayFrom(start: number, avoided: number): Float64Array {
  const { nodeCount, firstEdge, ends, lengthsNm, passages } = openSeaNetwork()
  const waysNm = new Float64Array(nodeCount).fill(Number.POSITIVE_INFINITY)
  waysNm[start] = 0
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (let node = 0; node < nodeCount; node += 1) {
      for (let edge = firstEdge[node] ?? 0; edge < (firstEdge[node + 1] ?? 0); edge += 1) {
        const passage = passages[edge] ?? 0
        if (passage > 0 && ((avoided >>> (passage - 1)) & 1) === 1) continue
        const nextNm = (waysNm[node] ?? 0) + (lengthsNm[edge] ?? 0)
        if (nextNm >= (waysNm[ends[edge] ?? 0] ?? 0)) continue
        waysNm[ends[edge] ?? 0] = nextNm
        hasChanged = true
      }
    }
  }
  return waysNm
}

test('the licence, the origin and the hash of the network are recorded beside it', () => {
  const folder = new URL('../../src/reference/sea-routes/data/', import.meta.url)
  const source = JSON.parse(readFileSync(new URL('network.bin.gz.SOURCE.json', folder), 'utf8'))
  const bytes = readFileSync(new URL('network.bin.gz', folder))
  assert.equal(source.sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.equal(source.rows, openSeaNetwork().ends.length / 2)
  assert.match(readFileSync(new URL('LICENSE', folder), 'utf8'), /Apache License/)
  assert.match(readFileSync(new URL('NOTICE', folder), 'utf8'), /Oak Ridge National Laboratory.*Eurostat.*EUPL/s)
})
