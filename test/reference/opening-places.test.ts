import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPlaceByCode, findPlaceById, findPlaceByName, preloadPlaces } from '../../src/reference/places.ts'
import { allPortOverrides } from '../../src/reference/port-overrides.ts'

test('opens the places at first use, and finds the same place by code, by name and by id', () => {
  const byCode = findPlaceByCode('USLAX')
  assert.deepEqual(findPlaceByName({ name: 'Los Angeles', subdivision: 'CA' }), byCode)
  assert.deepEqual(findPlaceById(byCode?.id ?? ''), byCode)
  const aliases = allPortOverrides().filter((row) => row.unlocode !== row.canonicalUnlocode)
  // Three more are not written as codes are.
  assert.equal(preloadPlaces(), 115_983 - aliases.length - 3)
})
