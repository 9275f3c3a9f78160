import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPlaceByCode, findPlaceById, findPlaceByName, openPlaces } from '../../src/reference/places.ts'
import { allPortOverrides } from '../../src/reference/port-overrides.ts'

test('places are opened at first use, by code, by name and by id, in a fraction of a second each', (t) => {
  const timed = <Value>(what: string, work: () => Value): Value => {
    const heapUsed = process.memoryUsage().heapUsed
    const start = performance.now()
    const value = work()
    const megabytes = (process.memoryUsage().heapUsed - heapUsed) / 1e6
    t.diagnostic(
      `${what}: ${(performance.now() - start).toFixed(0)} ms, ${megabytes.toFixed(0)} MB before collection`,
    )
    return value
  }
  const byCode = timed('by code', () => findPlaceByCode('USLAX'))
  assert.deepEqual(
    timed('by name', () => findPlaceByName({ name: 'Los Angeles', subdivision: 'CA' })),
    byCode,
  )
  assert.deepEqual(
    timed('by id', () => findPlaceById(byCode?.id ?? '')),
    byCode,
  )
  const aliases = allPortOverrides().filter((row) => row.unlocode !== row.canonicalUnlocode)
  // Three more are not written as codes are.
  assert.equal(openPlaces(), 115_983 - aliases.length - 3)
})
