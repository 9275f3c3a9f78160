// Reference data in the database: loaded once, loaded again without changes, retired instead of deleted, and replaced
// by imports.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../../src/db/database.ts'
import { isReferenceLoaded, loadShippedReference } from '../../../src/modules/reference-data/load-shipped.ts'
import { recordEdition, retirePlaces } from '../../../src/modules/reference-data/reference-editions-sql.ts'
import { loadImports } from '../../../src/modules/reference-data/reference-keeper.ts'
import {
  type PlaceRow,
  putAliases,
  putPlaces,
  putTerminals,
  putVessels,
  type TerminalRow,
} from '../../../src/modules/reference-data/reference-rows-sql.ts'
import { applyOverlay } from '../../../src/reference/overlay.ts'
import {
  findPlaceByCode,
  findPlaceById,
  findPlaceByName,
  placeId,
  resolvePlace,
} from '../../../src/reference/places.ts'
import { findTerminal, findTerminalById, oceanTerminalId, terminalsAt } from '../../../src/reference/terminals.ts'
import { findVesselByImo, vesselId } from '../../../src/reference/vessels.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let test1: TestService
let loaded: readonly number[]
before(async () => {
  test1 = await openTestService()
  // Two processes that start at the same moment.
  loaded = await Promise.all([loadShippedReference(test1.service), loadShippedReference(test1.service)])
})
after(async () => {
  applyOverlay({ aliases: [], places: [], terminals: [], vessels: [] })
  await test1.close()
})

async function ask<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await test1.service.pool.query<Row>(text, [...values])).rows
}

const sums = `select (select md5(string_agg(p::text, '|' order by id)) from places p) as places,
  (select md5(string_agg(t::text, '|' order by id)) from terminals t) as terminals,
  (select md5(string_agg(v::text, '|' order by id)) from vessels v) as vessels,
  (select md5(string_agg(a::text, '|' order by alias)) from place_aliases a) as aliases`

const forgetEditions = (table = 'places') => ask(`delete from reference_editions where file = '${table}'`)

test('one of two concurrent loads does the work and the other finds it done', async () => {
  assert.deepEqual(
    loaded.toSorted((a, b) => a - b),
    [0, loaded[0] || loaded[1]],
  )
  const [count] = await ask<object>(
    `select (select count(*) from places) as places, (select count(*) from place_aliases) as aliases,
            (select count(*) from terminals) as terminals, (select count(*) from vessels) as vessels,
            (select count(*) from reference_editions) as editions`,
  )
  assert.deepEqual(count, {
    // Without the aliases and three codes that do not have the form of a code.
    places: 115_983 - 19 - 3,
    aliases: 19,
    terminals: 555 + 166 + 7_828,
    vessels: 2_983,
    editions: 3,
  })
  assert.ok(await isReferenceLoaded(test1.service.pool))
})

test('ids are the same in the database, in memory and in every installation', async () => {
  for (const code of ['CNSHG', 'NLRTM', 'USCHI']) {
    const [row] = await ask<{ id: string }>(`select id from places where unlocode = $1`, [code])
    assert.equal(row?.id, findPlaceByCode(code)?.id)
  }
  const [ship] = await ask<{ id: string }>(`select id from vessels where imo = '9304734'`)
  assert.equal(ship?.id, vesselId('9304734'))
})

test('a rail ramp whose city has no known time zone gets the zone of its coordinates', async () => {
  const rows = await ask<{ name: string; zone: string | null }>(
    `select name, time_zone as zone from terminals where facility_type = 'rail_terminal' and name in ('Twin Cities', 'Santa Teresa', 'Pantaco')`,
  )
  assert.deepEqual(Object.fromEntries(rows.map(({ name, zone }) => [name, zone])), {
    'Twin Cities': 'America/Chicago',
    'Santa Teresa': 'America/Denver',
    Pantaco: 'America/Mexico_City',
  })
})

test('loading the same files again changes no row, not even when their editions were forgotten', async () => {
  const [first] = await ask(sums)
  assert.equal(await loadShippedReference(test1.service), 0)
  await forgetEditions()
  assert.equal(await isReferenceLoaded(test1.service.pool), false)
  assert.equal(await loadShippedReference(test1.service), 0)
  const [again] = await ask(sums)
  assert.deepEqual(again, first)
})

test('retires entries that the files no longer contain, and restores entries that return', async () => {
  await ask(
    `insert into places (id, unlocode, name, country_code, kind, plain_names, origin, edition)
     values (gen_random_uuid(), 'NLZZZ', 'Gone', 'NL', 'port', 'GONE', 'shipped', 'old')`,
  )
  await ask(`update vessels set retired_at = now() where imo = '9304734'`)
  await forgetEditions()
  await forgetEditions('vessels')
  assert.equal(await loadShippedReference(test1.service), 2)
  const rows = await ask<{ is: boolean }>(
    `select retired_at is not null as is from places where unlocode = 'NLZZZ'
     union all select retired_at is not null from vessels where imo = '9304734'`,
  )
  assert.deepEqual(
    rows.map((row) => row.is),
    [true, false],
  )
  await ask(`delete from places where unlocode = 'NLZZZ'`)
})

test('an older installation gets new terminals, keeps the ids of its own, and retires removed ones', async () => {
  const [whole] = await ask<{ sum: string }>(`select md5(string_agg(t::text, '|' order by id)) as sum from terminals t`)
  const rows = `facility_type = 'ocean_terminal' and not is_customs_facility`
  const had = await ask<{ id: string }>(
    `delete from terminals where ${rows} and unlocode in ('CNSHG', 'KRPUS', 'NLRTM') returning id`,
  )
  assert.ok(had.length > 15)
  await ask(`update terminals set nickname = null, bic_facility_code = null, edition = 'old' where ${rows}`)
  const stored = await ask<{ id: string }>(`select id from terminals where ${rows} order by id`)
  await ask(
    `insert into terminals (id, facility_type, is_customs_facility, unlocode, name, country_code, plain_names, origin, edition)
     values (gen_random_uuid(), 'ocean_terminal', false, 'NLRTM', 'Gone Quay', 'NL', 'GONE QUAY', 'shipped', 'old')`,
  )
  await forgetEditions('terminals')
  await loadShippedReference(test1.service)
  const now = await ask<{ id: string; name: string; gone: boolean }>(
    `select id, name, retired_at is not null as gone from terminals where ${rows} order by id`,
  )
  assert.deepEqual(
    now.filter(({ gone }) => gone).map(({ name }) => name),
    ['Gone Quay'],
  )
  const ids = new Set(now.filter(({ gone }) => !gone).map(({ id }) => id))
  assert.equal(ids.size, 555)
  for (const { id } of [...stored, ...had]) assert.ok(ids.has(id))
  await ask(`delete from terminals where name = 'Gone Quay'`)
  // Row for row what a first start makes, except the name of the edition.
  await ask(`update terminals set edition = (select max(edition) from terminals where edition <> 'old')`)
  const [again] = await ask<{ sum: string }>(`select md5(string_agg(t::text, '|' order by id)) as sum from terminals t`)
  assert.equal(again?.sum, whole?.sum)
})

test('an interrupted load changes nothing', async () => {
  await forgetEditions()
  await ask(`update places set name = 'Changed' where unlocode = 'NLRTM'`)
  await assert.rejects(loadShippedReference(test1.service, AbortSignal.abort()), { name: 'AbortError' })
  const [row] = await ask<{ name: string }>(`select name from places where unlocode = 'NLRTM'`)
  assert.equal(row?.name, 'Changed')
  assert.equal(await isReferenceLoaded(test1.service.pool), false)
  assert.equal(await loadShippedReference(test1.service), 1)
})

const newPort: PlaceRow = {
  id: placeId('NLXYZ'),
  unlocode: 'NLXYZ',
  name: 'Nieuwhaven',
  city: 'Nieuwhaven',
  subdivision: 'ZH',
  countryCode: 'NL',
  timeZone: null,
  latitude: 51.95,
  longitude: 4.1,
  coordinateSource: 'U',
  coordinateDoubt: null,
  kind: 'port',
  names: ['Nieuwhaven', 'Newhaven aan Zee'],
}

function newTerminal(overrides: Partial<TerminalRow>): TerminalRow {
  return {
    id: oceanTerminalId({ unlocode: 'NLXYZ', smdgCode: 'NHV', name: '' }),
    name: 'Nieuwhaven Container Terminal',
    nickname: null,
    facilityType: 'ocean_terminal',
    firmsCode: null,
    formerFirmsCode: null,
    smdgCode: 'NHV',
    bicFacilityCode: 'NLXYZ00001A',
    railCarrierScac: null,
    street: null,
    city: null,
    stateAbbr: null,
    zip: null,
    countryCode: 'NL',
    unlocode: 'NLXYZ',
    metroUnlocode: null,
    latitude: null,
    longitude: null,
    timeZone: null,
    isCustomsFacility: false,
    ...overrides,
  }
}

async function importAll(): Promise<void> {
  const of = (origin: 'unlocode' | 'smdg' | 'vessels') => ({ origin, edition: 'test' })
  const { place: rotterdam } = { place: findPlaceByCode('NLRTM') }
  assert.ok(rotterdam)
  const losAngeles = terminalsAt('USLAX').find(({ smdgCode }) => smdgCode === 'TRAP')
  assert.ok(losAngeles)
  await inTransaction(test1.service.pool, async (db) => {
    await putPlaces(db, of('unlocode'), [
      newPort,
      { ...newPort, id: placeId('NLXYW'), unlocode: 'NLXYW', coordinateDoubt: 'sea', names: ['Afgelegen'] },
      {
        ...rotterdam,
        name: 'Rotterdam (new)',
        coordinateSource: null,
        coordinateDoubt: null,
        names: ['Rotterdam'],
      },
    ])
    await putAliases(db, of('unlocode'), [{ alias: 'NLNHV', unlocode: 'NLXYZ', name: 'Nieuwhaven' }])
    await putTerminals(db, of('smdg'), [newTerminal({}), newTerminal({ ...losAngeles, name: 'TraPac renamed' })])
    await putVessels(db, of('vessels'), [
      { id: vesselId('9074729') ?? '', imo: '9074729', mmsi: '244000000', name: 'NEW SHIP', formerNames: [] },
    ])
    await recordEdition(db, {
      ...of('unlocode'),
      file: 'unlocode',
      sha256: '0',
      format: 1,
      rows: 3,
      added: 2,
      changed: 1,
      retired: 0,
      publisher: null,
      licence: null,
      loadedAt: '2026-01-01T00:00:00.000Z',
      loadedBy: 'test',
    })
  })
}

test('every lookup finds imported reference data after this process has reloaded the imports', async () => {
  const seen = await loadImports(test1.service, 0)
  assert.equal(findPlaceByCode('NLXYZ'), null)
  await importAll()
  assert.equal((await loadImports(test1.service, seen)) > seen, true)
  assert.equal(findPlaceByCode('NLRTM')?.name, 'Rotterdam (new)')
  assert.equal(findPlaceByCode('NLNHV')?.unlocode, 'NLXYZ')
  assert.equal(findPlaceById(placeId('NLXYZ'))?.unlocode, 'NLXYZ')
  assert.equal(findPlaceByName({ name: 'newhaven aan zee', country: 'NL' })?.unlocode, 'NLXYZ')
  assert.equal(resolvePlace({ unlocode: 'NLNHV' })?.rule, 'override')
  const byFacility = resolvePlace({ facilityCode: 'NLXYZ00001A', facilityCodeListProvider: 'BIC' })
  assert.deepEqual([byFacility?.rule, byFacility?.place.unlocode], ['facility', 'NLXYZ'])
  assert.equal(findTerminal({ provider: 'SMDG', code: 'nhv', unlocode: 'NLNHV' })?.unlocode, 'NLXYZ')
  assert.deepEqual(
    terminalsAt('NLXYZ').map(({ name }) => name),
    ['Nieuwhaven Container Terminal'],
  )
  assert.equal(findTerminal({ provider: 'FIRMS', code: 'Y258' })?.name, 'TraPac renamed')
  assert.equal(terminalsAt('USLAX').filter(({ smdgCode }) => smdgCode === 'TRAP').length, 1)
  assert.equal(findVesselByImo('9074729')?.name, 'NEW SHIP')
})

test('derives a missing time zone of an imported place from its coordinates', () => {
  assert.equal(findPlaceByCode('NLXYZ')?.timeZone, 'Europe/Amsterdam')
  assert.equal(findPlaceByCode('NLXYW')?.timeZone, null)
})

test('our own files never change imported data', async () => {
  await ask(`delete from reference_editions where origin = 'shipped'`)
  assert.equal(await loadShippedReference(test1.service), 0)
  const [row] = await ask<{ name: string; origin: string }>(`select name, origin from places where unlocode = 'NLRTM'`)
  assert.deepEqual(row, { name: 'Rotterdam (new)', origin: 'unlocode' })
})

test('finds a place that an import retires by code and id but no longer by name', async () => {
  const retired = { origin: 'unlocode', edition: 'test 2', at: '2026-01-02T00:00:00.000Z' } as const
  assert.equal(await retirePlaces(test1.service.pool, { ...retired, ids: [newPort.id] }), 1)
  await loadImports(test1.service, 0)
  assert.equal(findPlaceByCode('NLXYZ')?.name, 'Nieuwhaven')
  assert.equal(findPlaceById(newPort.id)?.name, 'Nieuwhaven')
  assert.equal(findPlaceByName({ name: 'Nieuwhaven', country: 'NL' }), null)
  assert.ok(findTerminalById(oceanTerminalId({ unlocode: 'NLXYZ', smdgCode: 'NHV', name: '' })))
})
