import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hoursOnEarlierVoyages } from '../../../src/domain/vessels/earlier-voyages.ts'
import type { VesselFix } from '../../../src/domain/vessels/vessel-arrival.ts'

const port = { unlocode: 'USLAX', port: { latitude: 0, longitude: 40 }, terminals: [] }
const startMs = Date.parse('2026-01-01T00:00:00Z')

/** A fix every six hours at these longitudes on the equator. A ship that stays where it was lies still. */
const track = (longitudes: readonly number[]): readonly VesselFix[] =>
  longitudes.map((longitude, n) => ({
    imo: '9321483',
    heardAt: new Date(startMs + n * 6 * 3_600_000).toISOString(),
    latitude: 0,
    longitude,
    speedKnots: longitudes[n - 1] === longitude ? 0 : 15,
  }))
const out = [40, 40, 38, 36, 34, 32, 30, 30, 30]
const home = [32, 34, 36, 38, 39.5, 39.5, 39.5, 40, 40]
const here = { latitude: 0, longitude: 34.3 }

test('measures the time from the same point to the port, with the wait outside, on the way in and not on the way out', () => {
  // From 34° to the berth: seven steps of six hours, with the wait at 39.5°.
  assert.deepEqual(hoursOnEarlierVoyages(track([...out, ...home]), { here, port }), [42])
})

test('gives each earlier voyage, and nothing for the voyage that is not over or never passed here', () => {
  const twice = track([...out, ...home, ...out.slice(2), ...home, ...out.slice(2), 32, 34])
  assert.deepEqual(hoursOnEarlierVoyages(twice, { here, port }), [42, 42])
  assert.deepEqual(hoursOnEarlierVoyages(twice, { here: { latitude: 20, longitude: 34 }, port }), [])
  assert.deepEqual(hoursOnEarlierVoyages([], { here, port }), [])
})
