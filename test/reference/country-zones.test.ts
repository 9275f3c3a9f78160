// A zone is found by coordinate only among the zones that the country has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findZoneAt, isInAnotherCountry } from '../../src/reference/country-zones.ts'

const at = (countryCode: string, latitude: number, longitude: number) => ({
  countryCode,
  latitude,
  longitude,
})

test('gives a point a zone of its country, even where the map of zones shows another one', () => {
  assert.equal(findZoneAt(at('US', 33.745, -118.262)), 'America/Los_Angeles')
  assert.equal(findZoneAt(at('VN', 20.865, 106.684)), 'Asia/Ho_Chi_Minh')
  assert.equal(isInAnotherCountry(at('VN', 20.865, 106.684)), false)
})

test('a point at sea or outside its stated country has no time zone', () => {
  assert.equal(findZoneAt(at('US', 52.5, 13.4)), null)
  assert.equal(isInAnotherCountry(at('US', 52.5, 13.4)), true)
  assert.equal(findZoneAt(at('US', 30, -140)), null)
  assert.equal(isInAnotherCountry(at('US', 30, -140)), false)
  assert.equal(findZoneAt(at('QX', 52.5, 13.4)), null)
})
