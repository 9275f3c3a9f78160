import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { readTable, readTableLines } from '../../src/reference/data-files.ts'
import { findPlaceByCode, findTerminalZone } from '../../src/reference/places.ts'
import {
  allTerminals,
  findTerminal,
  findTerminalById,
  oceanTerminalId,
  oceanTerminalsAt,
  terminalsAt,
} from '../../src/reference/terminals.ts'

test('every SMDG and FIRMS code of the ocean terminals leads to its terminal', () => {
  const rows = readTable('terminals.tsv', (cells) => ({
    name: cells(0),
    unlocode: cells(1),
    firms: cells(2) ?? cells(3),
    smdg: cells(4),
  }))
  assert.equal(rows.length, 555)
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

test('an unknown terminal code finds no terminal', () => {
  for (const code of ['', 'ZZZZ', 'constructor', 'STA', 'STO']) {
    assert.equal(findTerminal({ provider: 'FIRMS', code }), null, code)
    assert.equal(findTerminal({ provider: 'SMDG', code, unlocode: 'USLGB' }), null, code)
  }
  assert.equal(findTerminal({ provider: 'BIC', code: 'USLAXAPMT', unlocode: 'USLAX' }), null)
  assert.equal(findTerminalById('00000000-0000-5000-8000-000000000000'), null)
})

test('a FIRMS code that customs has deactivated leads to its terminal but is not shown', () => {
  const terminal = findTerminal({ provider: 'FIRMS', code: 'X335' })
  assert.equal(terminal?.name, 'West Sitcum Terminal (Matson)')
  assert.equal(terminal?.firmsCode, null)
})

test('the id of a terminal never changes, is unique and finds its terminal', () => {
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
  assert.equal(allTerminals().length, 555 + 166)
  assert.equal(new Set(allTerminals().map((terminal) => terminal.id)).size, 555 + 166)
  for (const terminal of allTerminals()) assert.deepEqual(findTerminalById(terminal.id), terminal)
})

test('the terminals of our first list keep their ids', () => {
  const first = readTable('terminals.tsv', (cells) => [cells(1), cells(4), cells(0)] as const).slice(0, 102)
  const ids = first.map(([unlocode, smdgCode, name]) =>
    oceanTerminalId({ unlocode: unlocode ?? '', smdgCode, name: name ?? '' }),
  )
  // Recorded when the list had no others.
  const recorded = 'c4068718fd588a70a2e1c19eaf7cd3ce9ed783fb636283f041fb0159ed07ae0a'
  assert.equal(createHash('sha256').update(ids.join('\n')).digest('hex'), recorded)
  for (const id of ids) assert.ok(findTerminalById(id), id)
})

test('a terminal is listed once in its port, whatever its names and sources', () => {
  const named = (unlocode: string) =>
    oceanTerminalsAt(unlocode)
      .map(({ name }) => name)
      .toSorted()
  assert.deepEqual(named('DEHAM'), [
    'Eurogate Container Terminal Hamburg',
    'HHLA Container Terminal Altenwerder',
    'HHLA Container Terminal Burchardkai',
    'HHLA Container Terminal Tollerort',
  ])
  assert.deepEqual(named('PLGDY'), ['Baltic Container Terminal Gdynia', 'Gdynia Container Terminal'])
  assert.deepEqual(named('IQUQR'), ['Basra Gateway Terminal East', 'Basra Gateway Terminal West'])
  assert.deepEqual(named('AEJEA').length, 4)
  assert.ok(!named('SGSIN').some((name) => name.includes('Tanjong Pagar')), 'closed')
})

test('a terminal has coordinates only if the source gives its own, not the coordinates of the harbour', () => {
  const altenwerder = findTerminal({ provider: 'BIC', code: 'dehamsrjq' })
  assert.deepEqual(
    [altenwerder?.name, altenwerder?.smdgCode, altenwerder?.nickname, altenwerder?.bicFacilityCode],
    ['HHLA Container Terminal Altenwerder', 'CTA', 'CTA', 'DEHAMSRJQ'],
  )
  // The list has points of the harbour for a third of them: a ship at anchor there has not arrived at the terminal.
  const placed = allTerminals().filter(
    ({ facilityType, latitude }) => facilityType === 'ocean_terminal' && latitude !== null,
  )
  assert.deepEqual(
    placed.map(({ name }) => name),
    ['PSA Europa Terminal', 'Lekki Freeport Terminal'],
  )
  assert.ok(placed.every((terminal) => findTerminalZone(terminal) !== null))
})

test('every ocean terminal lies in a port that we know, with a zone', () => {
  for (const terminal of allTerminals().filter(({ facilityType }) => facilityType === 'ocean_terminal')) {
    const place = findPlaceByCode(terminal.unlocode ?? '')
    assert.deepEqual([place?.unlocode, place?.kind], [terminal.unlocode, 'port'], terminal.name)
    assert.ok(findTerminalZone(terminal), terminal.name)
  }
})

test('each row of the terminal table has both a grade and a source, or neither', () => {
  const rows = readTable('terminals.tsv', (cells) => [cells(13), cells(14)] as const)
  for (const [grade, source] of rows) {
    if (grade === null) assert.equal(source, null)
    else assert.match(`${grade} ${source}`, /^[SDCM] \S.{8,}/)
  }
  assert.ok(!rows.some(([, source]) => /text index|reference\//.test(source ?? '')))
})

test('a terminal has its address, with the state by name and by code', () => {
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
    'Goodman DP World Hong Kong',
    'Hong Kong International Terminals',
    'Hong Kong Modern Terminals',
  ])
  assert.ok(namesAt('USLAX').includes('Hobart Yard Los Angeles'))
  // Cicero lies in a city of its own and serves Chicago.
  assert.ok(namesAt('USXDN').includes('Cicero') && namesAt('USCHI').includes('Cicero'))
  assert.deepEqual(namesAt('XXXXX'), [])
})

test('finds other customs facilities by code: a pier is an ocean terminal, the rest are off dock', () => {
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
