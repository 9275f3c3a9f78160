import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTable, readTableLines } from '../../src/reference/data-files.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'
import { allTerminals, findTerminal, findTerminalById, terminalsAt } from '../../src/reference/terminals.ts'

test('every SMDG and FIRMS code of the ocean terminals leads to its terminal', () => {
  const rows = readTable('terminals.tsv', (cells) => ({
    name: cells(0),
    unlocode: cells(1),
    firms: cells(2) ?? cells(3),
    smdg: cells(4),
  }))
  assert.equal(rows.length, 102)
  for (const { name, unlocode, firms, smdg } of rows) {
    if (smdg) assert.equal(findTerminal({ provider: 'SMDG', code: smdg, unlocode })?.name, name)
    if (firms) assert.equal(findTerminal({ provider: 'FIRMS', code: firms })?.name, name)
    assert.ok(findPlaceByCode(unlocode ?? ''), name ?? '')
  }
})

test('every FIRMS code of the rail ramps leads to its ramp', () => {
  const rows = readTable('rail-terminals.tsv', (cells) => ({
    carrier: cells(0),
    name: cells(1),
    firms: cells(4),
  }))
  assert.equal(rows.length, 166)
  assert.equal(rows.filter((row) => row.firms).length, 117)
  for (const { carrier, name, firms } of rows) {
    if (!firms) continue
    const terminal = findTerminal({ provider: 'FIRMS', code: firms.toLowerCase() })
    assert.deepEqual(
      [terminal?.railCarrierScac, terminal?.name, terminal?.facilityType],
      [carrier, name, 'rail_terminal'],
    )
  }
})

test('a SMDG code names a terminal only together with its port, whichever alias the port is sent under', () => {
  assert.equal(findTerminal({ provider: 'SMDG', code: 'APMT' }), null)
  assert.equal(findTerminal({ provider: 'SMDG', code: 'APMT', unlocode: 'USSEA' }), null)
  const ports = ['USLAX', 'USNYC', 'USMOB', 'MXLZC', 'OMSLL']
  const ids = ports.map((unlocode) => findTerminal({ provider: 'SMDG', code: 'APMT', unlocode })?.id)
  assert.equal(new Set(ids).size, ports.length)
  assert.ok(!ids.includes(undefined))
})

test('unknown codes stay unknown', () => {
  for (const code of ['', 'ZZZZ', 'constructor', 'STA', 'STO']) {
    assert.equal(findTerminal({ provider: 'FIRMS', code }), null, code)
    assert.equal(findTerminal({ provider: 'SMDG', code, unlocode: 'USLGB' }), null, code)
  }
  assert.equal(findTerminal({ provider: 'BIC', code: 'USLAXAPMT', unlocode: 'USLAX' }), null)
  assert.equal(findTerminalById('00000000-0000-5000-8000-000000000000'), null)
})

test('a FIRMS code that customs has deactivated leads to its terminal but is not given out', () => {
  const terminal = findTerminal({ provider: 'FIRMS', code: 'X335' })
  assert.equal(terminal?.name, 'West Sitcum Terminal (Matson)')
  assert.equal(terminal?.firmsCode, null)
})

test('ids follow from the natural key, are all different and lead back', () => {
  const pinned: readonly (readonly [string, string, string | null])[] = [
    ['e09724ff-9e38-5714-8e70-01efdf1fed66', 'APM Terminals', 'W185'],
    ['d734efb8-9b34-5cf9-9ce7-4abe1818420e', 'Cicero', 'J791'],
    ['a002e577-9465-518c-97dc-e1177c600c66', 'MATSON NAVIGATION CO., INC.', 'W933'],
    ['98d95f66-9f49-57bf-a39b-6e39b0c34140', 'Chittagong Port', null],
  ]
  for (const [id, name, firmsCode] of pinned) {
    const terminal = findTerminalById(id.toUpperCase())
    assert.deepEqual([terminal?.id, terminal?.name, terminal?.firmsCode], [id, name, firmsCode])
  }
  assert.equal(allTerminals().length, 102 + 166)
  assert.equal(new Set(allTerminals().map((terminal) => terminal.id)).size, 102 + 166)
  for (const terminal of allTerminals()) assert.deepEqual(findTerminalById(terminal.id), terminal)
})

test('a terminal has its address, with the state by name and by letters', () => {
  assert.deepEqual(findTerminal({ provider: 'FIRMS', code: 'Y258' }), {
    id: findTerminal({ provider: 'SMDG', code: 'TRAP', unlocode: 'USLAX' })?.id,
    name: 'TraPac LA',
    nickname: null,
    facilityType: 'ocean_terminal',
    firmsCode: 'Y258',
    smdgCode: 'TRAP',
    bicFacilityCode: null,
    street: '920 W HARRY BRIDGES BLVD',
    city: 'WILMINGTON',
    state: 'California',
    stateAbbr: 'CA',
    zip: '90744-5230',
    countryCode: 'US',
    country: 'United States',
    unlocode: 'USLAX',
    metroUnlocode: null,
    railCarrierScac: null,
    latitude: null,
    longitude: null,
  })
})

test('a port has its ocean terminals and the ramps of its area', () => {
  const namesAt = (unlocode: string) => terminalsAt(unlocode).map((terminal) => terminal.name)
  assert.deepEqual(namesAt('HKHKG').toSorted(), [
    'Asia Container Terminals',
    'COSCO-HIT',
    'Hong Kong International Terminals',
    'Hong Kong Modern Terminals',
  ])
  assert.ok(namesAt('USLAX').includes('Hobart Yard Los Angeles'))
  // Cicero lies in a city of its own and serves Chicago.
  assert.ok(namesAt('USXDN').includes('Cicero') && namesAt('USCHI').includes('Cicero'))
  assert.deepEqual(namesAt('XXXXX'), [])
})

test("customs' other facilities are found by code: a pier is an ocean terminal, the rest lies off dock", () => {
  assert.equal(findTerminal({ provider: 'FIRMS', code: 'W933' })?.facilityType, 'ocean_terminal')
  assert.equal(findTerminal({ provider: 'FIRMS', code: 'W933' })?.unlocode, 'USOAK')
  assert.equal(findTerminal({ provider: 'FIRMS', code: 'W614' })?.facilityType, 'off_dock')
  assert.equal(findTerminal({ provider: 'FIRMS', code: 'B640' }), null, 'passenger clearance in Montreal')
  const own = new Set(allTerminals().map((terminal) => terminal.firmsCode))
  for (const line of readTableLines('firms.tsv.gz')) {
    const [code = '', , type = '', unlocode = ''] = line.split('\t')
    assert.ok(['01', '03', '05'].includes(type) && !own.has(code), code)
    if (unlocode) assert.equal(findPlaceByCode(unlocode)?.unlocode, unlocode)
  }
})
