// Coordinates that were corrected by hand are in the table, and none of them lies in another country.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findZoneAt } from '../../src/reference/country-zones.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'

const mends = readFileSync(new URL('../../tools/place-mends.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))

test('every corrected coordinate is used for its place and has a reason', () => {
  assert.equal(mends.length, 17)
  for (const [unlocode = '', latitude = '', longitude = '', from = '', why = ''] of mends) {
    const place = findPlaceByCode(unlocode)
    assert.ok(place, unlocode)
    assert.notEqual(why, '', unlocode)
    if (latitude === '') assert.equal(place.latitude, null, unlocode)
    else {
      assert.deepEqual([place.latitude, place.longitude], [Number(latitude), Number(longitude)], unlocode)
      assert.notEqual(from, '', unlocode)
      assert.notEqual(place.timeZone, null, unlocode)
    }
  }
})

test('no corrected coordinate is in another country', () => {
  for (const [unlocode = '', latitude, longitude] of mends) {
    if (latitude === '') continue
    const point = {
      latitude: Number(latitude),
      longitude: Number(longitude),
      countryCode: unlocode.slice(0, 2),
    }
    assert.notEqual(findZoneAt(point), null, unlocode)
  }
})
