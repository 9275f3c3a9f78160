import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone } from '../../src/domain/values/time-zone.ts'
import { findCountryCode, findCountryName } from '../../src/reference/countries.ts'
import { readTableLines } from '../../src/reference/data-files.ts'
import {
  findPlaceByCode,
  findPlaceById,
  findPlaceByName,
  type PlaceName,
  resolvePlace,
  type WrittenPlace,
} from '../../src/reference/places.ts'
import { allPortOverrides } from '../../src/reference/port-overrides.ts'

test('every code of the override table leads to its canonical port', () => {
  assert.equal(allPortOverrides().length, 62)
  for (const { unlocode, canonicalUnlocode, displayName } of allPortOverrides()) {
    const place = findPlaceByCode(unlocode)
    assert.equal(place?.unlocode, canonicalUnlocode)
    assert.equal(place?.kind, 'port')
    assert.equal(place?.name, displayName)
    assert.notEqual(place?.latitude, null)
    assert.notEqual(place?.timeZone, null)
  }
})

test('CNSHA, CNSHG and CNSGH are one Shanghai with one id', () => {
  const ids = ['CNSHA', 'CNSHG', 'CNSGH', 'cn shg'].map((code) => findPlaceByCode(code)?.id)
  assert.deepEqual(new Set(ids), new Set(['88d014cc-df0d-5ed8-8228-18e96959de03']))
  assert.deepEqual(findPlaceByCode('CNSHA'), {
    id: '88d014cc-df0d-5ed8-8228-18e96959de03',
    unlocode: 'CNSHG',
    name: 'Shanghai',
    city: 'Shanghai',
    subdivision: 'SH',
    countryCode: 'CN',
    timeZone: 'Asia/Shanghai',
    latitude: 31.3664,
    longitude: 121.6147,
    kind: 'port',
  })
})

test('finds a place by its id, which never changes', () => {
  assert.equal(findPlaceByCode('USLAX')?.id, '5e644db4-d376-529e-a0d6-30c42882d4e2')
  for (const code of ['USLAX', 'CNSHA', 'NLRTM', 'ADALV', 'ZWWKI']) {
    const place = findPlaceByCode(code)
    assert.ok(place)
    assert.deepEqual(findPlaceById(place.id), place)
    assert.deepEqual(findPlaceById(place.id.toUpperCase()), place)
  }
  for (const id of ['', 'USLAX', '00000000-0000-5000-8000-000000000000', '5e644db4-0000-529e-a0d6-30c42882d4e2']) {
    assert.equal(findPlaceById(id), null)
  }
})

test('an unknown location code finds no place', () => {
  for (const code of ['', 'XXXXX', 'USL', 'USLAX1', 'US0AX', '12345', 'constructor']) {
    assert.equal(findPlaceByCode(code), null, code)
  }
})

test('a place with a sea port is a port, another one a metropolitan area', () => {
  assert.equal(findPlaceByCode('USLAX')?.kind, 'port')
  assert.equal(findPlaceByCode('USEWI')?.kind, 'metro_area')
  assert.equal(findPlaceByCode('MXMEX')?.kind, 'metro_area')
})

test('finds a place by name only when exactly one place has that name', () => {
  const cases: readonly (readonly [PlaceName, string | null])[] = [
    [{ name: 'Shanghai' }, 'CNSHG'],
    [{ name: 'QINGDAO PT' }, 'CNTAO'],
    [{ name: 'Göteborg' }, 'SEGOT'],
    [{ name: 'GOTEBORG', country: 'Sweden' }, 'SEGOT'],
    // Same-named cities.
    [{ name: 'Manzanillo' }, null],
    [{ name: 'Manzanillo', country: 'Panama' }, 'PAMIT'],
    [{ name: 'Rotterdam' }, null],
    [{ name: 'Rotterdam', country: 'The Netherlands' }, 'NLRTM'],
    [{ name: 'Springfield' }, null],
    [{ name: 'Springfield', country: 'US' }, null],
    [{ name: 'Springfield', subdivision: 'IL', country: 'US' }, 'USSPI'],
    [{ name: 'Springfield', subdivision: 'Illinois', country: 'USA' }, 'USSPI'],
    [{ name: 'SPRINGFIELD', subdivision: 'us-il', country: 'United States' }, 'USSPI'],
    [{ name: 'Los Angeles', subdivision: 'California' }, 'USLAX'],
    [{ name: 'St. Louis', subdivision: 'MO', country: 'US' }, 'USSTL'],
    // A province is known under its name with and without the word for province.
    [{ name: 'Ningbo', subdivision: 'Zhejiang', country: 'China' }, 'CNNGB'],
    [{ name: 'Ningbo', subdivision: 'Zhejiang Sheng', country: 'CN' }, 'CNNGB'],
    // The country and state that the source states for the place must not contradict it.
    [{ name: 'Los Angeles', subdivision: 'NY', country: 'US' }, null],
    [{ name: 'Ningbo', country: 'JP' }, null],
    [{ name: 'Ningbo', country: 'Atlantis' }, null],
    // Never the nearest-sounding one.
    [{ name: 'Shanghia' }, null],
    [{ name: 'Shang' }, null],
    [{ name: 'Port of Los Angeles' }, null],
    [{ name: '' }, null],
    [{ name: '???' }, null],
  ]
  for (const [requested, unlocode] of cases) {
    assert.equal(findPlaceByName(requested)?.unlocode ?? null, unlocode, JSON.stringify(requested))
  }
})

test('resolves a place by alias, code, facility and name, in that order', () => {
  const cases: readonly (readonly [WrittenPlace, string, string | null])[] = [
    [{ unlocode: 'CNSHA' }, 'override CNSHG', null],
    [{ unlocode: 'CNSHG' }, 'unlocode CNSHG', null],
    [{ unlocode: 'nlrtm', name: 'Shanghai' }, 'unlocode NLRTM', null],
    [{ unlocode: 'USLAX', facilityCode: 'APMT', facilityCodeListProvider: 'SMDG' }, 'unlocode USLAX', 'APM Terminals'],
    [{ unlocode: 'USLAX', facilityCode: 'NONE', facilityCodeListProvider: 'SMDG' }, 'unlocode USLAX', null],
    [
      { facilityCode: 'Y258', facilityCodeListProvider: 'FIRMS', name: 'Rotterdam', country: 'NL' },
      'facility USLAX',
      'TraPac LA',
    ],
    [{ unlocode: 'XXXXX', facilityCode: 'J791', facilityCodeListProvider: 'FIRMS' }, 'facility USXDN', 'Cicero'],
    [{ unlocode: 'US LAX', facilityCode: 'apmt', facilityCodeListProvider: 'SMDG' }, 'unlocode USLAX', 'APM Terminals'],
    [{ unlocode: 'XXXXX', name: 'Rotterdam', country: 'NL' }, 'name NLRTM', null],
    [{ name: 'Some yard', city: 'Long Beach', subdivision: 'CA', country: 'US' }, 'name USLGB', null],
  ]
  for (const [written, found, terminal] of cases) {
    const resolved = resolvePlace(written)
    assert.equal(`${resolved?.rule} ${resolved?.place.unlocode}`, found, JSON.stringify(written))
    assert.equal(resolved?.terminal?.name ?? null, terminal, JSON.stringify(written))
  }
})

test('resolves nothing when no place, or more than one, is named', () => {
  const cases: readonly WrittenPlace[] = [
    {},
    { unlocode: null, name: null, city: null },
    { unlocode: 'XXXXX' },
    { facilityCode: 'APMT', facilityCodeListProvider: 'SMDG' },
    { facilityCode: 'Y258' },
    { facilityCode: 'USLAXAPMT', facilityCodeListProvider: 'BIC' },
    { name: 'Springfield', country: 'US' },
    { name: 'Nowhere at all' },
  ]
  for (const written of cases) assert.equal(resolvePlace(written), null, JSON.stringify(written))
})

test('every zone is known to the runtime, and no place has a zone of another country', () => {
  const zones = new Map<string, Set<string>>()
  for (const line of readTableLines('locations.tsv.gz')) {
    const [unlocode = '', , , , , , zone = ''] = line.split('\t')
    if (zone) zones.set(zone, (zones.get(zone) ?? new Set()).add(unlocode.slice(0, 2)))
  }
  const unknown = [...zones.keys()].filter((zone) => !isTimeZone(zone))
  assert.deepEqual(unknown, [])
  // Stations in Antarctica keep the time of the country that runs them.
  const shared = [...zones].filter(([, countries]) => countries.size > 1 && !countries.has('AQ'))
  assert.deepEqual(shared, [])
  // A Californian place whose listed coordinate lies in China has neither coordinate nor zone.
  const garberville = findPlaceByCode('USGBV')
  assert.deepEqual([garberville?.timeZone, garberville?.latitude, garberville?.longitude], [null, null, null])
  assert.equal(findPlaceByCode('USMES')?.timeZone, null)
})

test('every country of a place has a name, and the name leads back to it', () => {
  const countries = new Set(readTableLines('locations.tsv.gz').map((line) => line.slice(0, 2)))
  for (const code of countries) {
    const name = findCountryName(code)
    assert.ok(name, code)
    assert.equal(findCountryCode(name), code)
    assert.equal(findCountryCode(code.toLowerCase()), code)
  }
  assert.equal(findCountryCode('Korea, Republic of'), 'KR')
  assert.equal(findCountryCode('Turkiye'), 'TR')
  assert.equal(findCountryCode('Atlantis'), null)
})
