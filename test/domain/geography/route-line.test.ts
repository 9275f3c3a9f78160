/** Lines over the globe: lengths, points along them, and how they are cut and unwrapped for a flat map. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { densifyLine, splitAtAntimeridian, unwrapLine } from '../../../src/domain/geography/drawn-line.ts'
import { bearingDegrees, distanceNm, type GeoPoint, pointBetween } from '../../../src/domain/geography/great-circle.ts'
import { makeRouteLine, nearestOnLine, pointAlong, sliceLine } from '../../../src/domain/geography/route-line.ts'

const shanghai = { latitude: 31.23, longitude: 121.47 }
const longBeach = { latitude: 33.75, longitude: -118.2 }
const point = fc.record({
  latitude: fc.double({ min: -80, max: 80, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})
/** Neighbours are never each other's antipodes: between antipodes there is no single shortest way. */
const path = fc
  .array(point, { minLength: 2, maxLength: 8 })
  .filter((points) =>
    points.every((each, index) => index === 0 || distanceNm(each, points[index - 1] ?? each) < 10_000),
  )

test('a minute of latitude is one nautical mile within 0.2 percent, and a quarter of the equator is 5,404', () => {
  assert.ok(Math.abs(distanceNm({ latitude: 10, longitude: 5 }, { latitude: 11, longitude: 5 }) - 60) < 0.12)
  assert.equal(
    Math.round(distanceNm({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 90 })),
    Math.round((6_371.0088 * Math.PI) / 2 / 1.852),
  )
})

test('the route from Shanghai to Long Beach starts to the north-east, and its middle is near the 180th meridian', () => {
  const bearing = bearingDegrees(shanghai, longBeach)
  assert.ok(bearing > 40 && bearing < 60, String(bearing))
  const middle = pointBetween(shanghai, longBeach, 0.5)
  assert.ok(middle.latitude > 45 && Math.abs(middle.longitude) > 170)
})

test('a point at a distance along a line has that distance from the start, and the parts add up to the length', () => {
  fc.assert(
    fc.property(path, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (points, part) => {
      const line = makeRouteLine(points)
      const at = line.lengthNm * part
      const parts = [sliceLine(line, { fromNm: 0, toNm: at }), sliceLine(line, { fromNm: at, toNm: line.lengthNm })]
      assert.ok(Math.abs((parts[0]?.lengthNm ?? 0) - at) < 0.01)
      assert.ok(Math.abs((parts[1]?.lengthNm ?? 0) - (line.lengthNm - at)) < 0.01)
      const found = nearestOnLine(line, pointAlong(line, at))
      assert.ok(found.offNm < 5)
    }),
    { numRuns: 60 },
  )
})

test('a curved route line keeps its length, and a line that is split at 180 degrees keeps its points', () => {
  fc.assert(
    fc.property(path, (points) => {
      const bent = densifyLine(points)
      const length = (of: readonly GeoPoint[]) => makeRouteLine(of).lengthNm
      assert.ok(Math.abs(length(bent) - length(points)) < 0.01 * points.length)
      const parts = splitAtAntimeridian(bent)
      for (const part of parts) {
        for (const [index, { longitude }] of part.entries()) {
          assert.ok(Math.abs(longitude) <= 180)
          const before = part[index - 1]
          if (before !== undefined) assert.ok(Math.abs(longitude - before.longitude) <= 180)
        }
      }
      const unwrapped = unwrapLine(bent)
      for (const [index, { longitude }] of unwrapped.entries()) {
        const before = unwrapped[index - 1]
        if (before !== undefined) assert.ok(Math.abs(longitude - before.longitude) <= 180 + 1e-9)
      }
    }),
    { numRuns: 100 },
  )
})

test('a line across the Pacific is split in two at the 180th meridian, and can be unwrapped past 180 degrees', () => {
  const parts = splitAtAntimeridian(densifyLine([shanghai, longBeach]))
  assert.equal(parts.length, 2)
  const [end, start] = [parts[0]?.at(-1), parts[1]?.[0]]
  assert.equal(end?.longitude, 180)
  assert.equal(start?.longitude, -180)
  assert.equal(end?.latitude, start?.latitude)
  const unwrapped = unwrapLine([shanghai, longBeach])
  assert.equal(unwrapped[1]?.longitude, 241.8)
})

test('does not cut a line that ends on the 180th meridian', () => {
  const parts = splitAtAntimeridian([
    { latitude: 0, longitude: 170 },
    { latitude: 0, longitude: 180 },
  ])
  assert.deepEqual(
    parts.map((part) => part.length),
    [2],
  )
})
