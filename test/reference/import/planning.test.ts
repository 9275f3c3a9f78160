// The rows read from each list, the rows refused with their field, and the changes that an import would make.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { KnownRecord } from '../../../src/reference/import/difference.ts'
import { planImport, readList } from '../../../src/reference/import/plan.ts'
import { ListFault, type RefreshableList } from '../../../src/reference/import/record.ts'
import { checkSmdg } from '../../../src/reference/import/smdg-check.ts'
import { ownTerminals } from '../../../src/reference/terminals.ts'
import { firmsHeader, smdgHeader, smdgRow, unlocodeRow } from './lists.ts'

const none: ReadonlySet<string> = new Set()

function read(list: RefreshableList, lines: readonly string[], elsewhere = none) {
  return readList(list, Buffer.from(`${lines.join('\n')}\n`), elsewhere)
}

function plan(list: RefreshableList, lines: readonly string[], known: readonly KnownRecord[] = []) {
  const map = new Map(known.map((record) => [record.key, record]))
  return planImport(list, { read: read(list, lines), known: map, isExtract: true })
}

/** `line field value` of each refusal. */
function refused(list: RefreshableList, lines: readonly string[]): readonly string[] {
  return read(list, lines).refusals.map(({ line, field, value, refused: what }) => `${line} ${field} ${value} ${what}`)
}

test('reads SMDG terminals under the canonical code of their port', () => {
  const { rows, records } = read('smdg', [
    smdgHeader,
    smdgRow('CNSGH', 'QUAY7', 'INVENTED QUAY 7', 31.35, 121.6),
    smdgRow('USLAX', 'pier1', 'Invented  Pier One', 33.75, -118.27),
  ])
  assert.equal(rows, 2)
  assert.deepEqual(
    records.map(({ key, values }) => [key, values['name'], values['unlocode'], values['latitude']]),
    [
      ['CNSHG:QUAY7', 'INVENTED QUAY 7', 'CNSHG', 31.35],
      ['USLAX:PIER1', 'Invented Pier One', 'USLAX', 33.75],
    ],
  )
})

test('each refusal of the SMDG list names its line, field and value', () => {
  assert.deepEqual(
    refused('smdg', [
      smdgHeader,
      smdgRow('US-LAX', 'AAA', 'Invented A', 33.75, -118.27),
      smdgRow('MCQQQ', 'BBB', 'Invented B', 33.75, -118.27),
      smdgRow('USLAX', 'TOOLONG', 'Invented C', 33.75, -118.27),
      smdgRow('USLAX', 'DDD', '', 33.75, -118.27),
      smdgRow('USLAX', 'EEE', 'Invented E', 133.75, -118.27),
      smdgRow('USLAX', 'FFF', 'Invented F', 40.68, -74.15),
      smdgRow('USLAX', 'GGG', 'Invented G', 33.75, -118.27),
      smdgRow('USLAX', 'GGG', 'Invented G again', 33.75, -118.27),
      smdgRow('PABOC', 'HHH', 'Over the border', 9.75, -82.85),
    ]),
    [
      '2 UNLOCODE US-LAX row',
      '3 UNLOCODE MCQQQ row',
      '4 Terminal Code TOOLONG row',
      '5 Terminal Facility Name  row',
      '6 Latitude 133.75 -118.27 row',
      '7 Latitude 40.68 -74.15 row',
      '9 key USLAX:GGG row',
      '10 Latitude 9.75 -82.85 value',
    ],
  )
})

test('skips country names, references, removals and aliases in a UN/LOCODE release', () => {
  const { records, refusals } = read('unlocode', [
    ',"US",,".UNITED STATES",,,,,,,,',
    '"=","US",,"Frisco = San Francisco",,,,,,,,',
    unlocodeRow({
      country: 'US',
      location: 'QAA',
      name: 'Invented Harbour',
      function: '1-3-----',
      at: '3345N 11816W',
    }),
    unlocodeRow({ change: 'X', country: 'US', location: 'QAB', name: 'Gone Harbour' }),
    unlocodeRow({ country: 'CN', location: 'SHA', name: 'Shanghai Hongqiao International Apt' }),
    unlocodeRow({
      country: 'US',
      location: 'QAC',
      name: 'Invented Inland',
      function: '--3-----',
      subdivision: 'CA',
    }),
  ])
  assert.deepEqual(refusals, [])
  assert.deepEqual(
    records.map(({ key, values }) => [key, values]),
    [
      [
        'USQAA',
        {
          name: 'Invented Harbour',
          city: 'Invented Harbour',
          subdivision: null,
          kind: 'port',
          latitude: 33.75,
          longitude: -118.2667,
          coordinateSource: 'U',
          coordinateDoubt: null,
          timeZone: 'America/Los_Angeles',
        },
      ],
      [
        'USQAC',
        {
          name: 'Invented Inland',
          city: 'Invented Inland',
          subdivision: 'CA',
          kind: 'metro_area',
          latitude: null,
          longitude: null,
          coordinateSource: null,
          coordinateDoubt: null,
          timeZone: null,
        },
      ],
    ],
  )
})

test('refuses a point that lies in no zone of the country, and makes up no zone from it', () => {
  const { difference, refusals } = plan('unlocode', [
    unlocodeRow({ country: 'US', location: 'QAA', name: 'Invented', at: '5230N 01324E' }),
    unlocodeRow({ country: 'US', location: 'QAB', name: 'Unreadable', at: '3361N 11816W' }),
    unlocodeRow({ country: 'US', location: 'Q0B', name: 'Zero' }),
    unlocodeRow({ country: 'QX', location: 'QAB', name: 'Nowhere' }),
    unlocodeRow({ country: 'US', location: 'QAD', name: 'Function', function: '1-9' }),
  ])
  assert.deepEqual(
    difference.added.map(({ key, values }) => [key, values['latitude'], values['timeZone']]),
    [
      ['USQAA', null, null],
      ['USQAB', null, null],
    ],
  )
  assert.deepEqual(
    refusals.map(({ line, field, refused: what }) => `${line} ${field} ${what}`),
    ['1 coordinates value', '2 coordinates value', '3 location row', '4 country row', '5 function row'],
  )
})

test('reads a UN/LOCODE release in Windows-1252, and refuses damaged letters, UTF-16 and archives', () => {
  const line = unlocodeRow({ country: 'SE', location: 'QAA', name: 'Påhittad Hamn' })
  const { records } = readList('unlocode', Buffer.from(line, 'latin1'), none)
  assert.equal(records[0]?.values['name'], 'Påhittad Hamn')
  const twice = Buffer.from(Buffer.from(line, 'utf8').toString('latin1'), 'utf8')
  for (const bytes of [twice, Buffer.from(line.replace('å', '\ufffd'))]) {
    const [refusal] = readList('unlocode', bytes, none).refusals
    assert.deepEqual([refusal?.line, refusal?.field, refusal?.refused], [1, 'name', 'row'])
    assert.match(refusal?.why ?? '', /damaged letters/)
  }
  for (const [bytes, told] of [
    [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(line, 'utf16le')]), /UTF-16/],
    [Buffer.from('PK\u0003\u0004'), /ZIP archive/],
  ] as const)
    assert.throws(() => readList('unlocode', bytes, none), told)
  assert.throws(() => readList('vessels', Buffer.from('imo,name\n9321483,M\xe6rsk\n', 'latin1'), none), /not UTF-8/)
})

test('reads a compressed list, and refuses a list that lacks a required column', () => {
  const packed = gzipSync('imo,name\n9321483,INVENTED STAR\n')
  assert.equal(readList('vessels', packed, none).records[0]?.key, '9321483')
  assert.throws(() => read('vessels', ['imo,title', '9321483,X']), /no column name\. It has: imo, title/)
  assert.throws(() => read('vessels', ['imo,name']), /holds no rows/)
  assert.throws(() => read('vessels', ['imo,name', '9321483,A,B']), /not CSV/)
})

test('reads a list of ships under the usual headings, whatever other columns it has', () => {
  for (const [header, row] of [
    ['imo,name,former_names,built', '9321483,INVENTED SUN,INVENTED MOON|INVENTED STAR,2006'],
    ['Vessel Name,IMO Number,Ex Names,Built', 'INVENTED SUN,IMO 9321483,INVENTED MOON; INVENTED STAR,2006'],
    ['Ship name,Flag,IMO No.,Previous names', 'INVENTED SUN,LR,9321483,INVENTED MOON|INVENTED STAR'],
  ] as const) {
    const { records, refusals } = read('vessels', [header, row])
    assert.deepEqual(refusals, [], header)
    assert.deepEqual(
      records.map(({ key, values }) => [key, values['name'], values['formerNames']]),
      [['9321483', 'INVENTED SUN', 'INVENTED MOON|INVENTED STAR']],
      header,
    )
  }
})

test('refuses a ship with a wrong check digit, no name or an impossible MMSI', () => {
  const { records, refusals } = read('vessels', [
    'imo,name,mmsi',
    'IMO 9321483,INVENTED STAR,244123456',
    '9321484,WRONG DIGIT,',
    '93214,SHORT,',
    '9074729,,',
    '9074729,NO SHIP STATION,002440000',
  ])
  assert.deepEqual(
    records.map(({ key, values }) => [key, values['mmsi']]),
    [
      ['9321483', '244123456'],
      ['9074729', null],
    ],
  )
  assert.deepEqual(
    refusals.map(({ line, field, value }) => `${line} ${field} ${value}`),
    ['3 imo 9321484', '4 imo 93214', '5 name ', '6 mmsi 002440000'],
  )
})

test('imports only active piers, stations and inspection sites of the customs list', () => {
  const { records, refusals } = read(
    'firms',
    [
      firmsHeader,
      'Q001,INVENTED PIER,Active,03,Pier,,1 Quay St,Long Beach,CA,90802,US,2704',
      'Q002,OLD PIER,Deactivated,03,Pier,,2 Quay St,Long Beach,CA,90802,US,2704',
      'Q003,IMPORTER,Active,06,Importer,,3 Quay St,Long Beach,CA,90802,US,2704',
      'Q004,OURS,Active,03,Pier,,4 Quay St,Long Beach,CA,90802,US,2704',
      'Q5,SHORT,Active,03,Pier,,5 Quay St,Long Beach,CA,90802,US,2704',
      'Q006,NO CITY KNOWN,Active,05,Inspection,,6 St,Inventedville,CA,90802,US,2704',
    ],
    new Set(['Q004']),
  )
  assert.deepEqual(
    records.map(({ key, values }) => [key, values['facilityType'], values['unlocode']]),
    [
      ['Q001', 'ocean_terminal', 'USLGB'],
      ['Q006', 'off_dock', null],
    ],
  )
  assert.deepEqual(
    refusals.map(({ line, field, value }) => `${line} ${field} ${value}`),
    ['6 firms_code Q5'],
  )
})

test('the difference lists new records, changes with old and new values, and records missing from the list', () => {
  const known: KnownRecord[] = [
    { key: 'USLAX:AAA', values: terminal('Invented A', 'AAA', 33.75), isRetired: false },
    { key: 'USLAX:BBB', values: terminal('Invented B', 'BBB', 33.75), isRetired: false },
    { key: 'USLAX:CCC', values: terminal('Invented C', 'CCC', 33.75), isRetired: true },
    { key: 'USLAX:DDD', values: terminal('Invented D', 'DDD', 33.75), isRetired: false },
  ]
  const lines = [
    smdgHeader,
    smdgRow('USLAX', 'AAA', 'Invented A', 33.75, -118.27),
    smdgRow('USLAX', 'BBB', 'Renamed B', 33.75, -118.27),
    smdgRow('USLAX', 'CCC', 'Invented C', 33.75, -118.27),
    smdgRow('USLAX', 'EEE', 'Invented E', 33.75, -118.27),
  ]
  const given = { read: read('smdg', lines), known: new Map(known.map((each) => [each.key, each])) }
  const { difference } = planImport('smdg', { ...given, isExtract: true })
  assert.deepEqual(
    difference.added.map(({ key }) => key),
    ['USLAX:EEE'],
  )
  assert.deepEqual(
    difference.changed.map(({ key, fields, before, after, comesBack }) => [
      key,
      fields,
      before['name'],
      after['name'],
      comesBack,
    ]),
    [
      ['USLAX:BBB', ['name'], 'Invented B', 'Renamed B', false],
      ['USLAX:CCC', [], 'Invented C', 'Invented C', true],
    ],
  )
  assert.equal(difference.unchanged, 1)
  assert.deepEqual(difference.retired, [], 'an extract retires nothing')
})

test('a complete list retires the terminals that it lacks, except for hand-maintained ones', () => {
  const rows = Array.from({ length: 950 }, (_, at) => smdgRow('USLAX', `Q${at}`, `Invented ${at}`, 33.75, -118.27))
  const readAll = read('smdg', [smdgHeader, ...rows])
  const known = new Map(
    [...readAll.records, { key: 'USLAX:GONE', values: {} }, { key: 'HKHKG:HITHK', values: {} }].map(
      ({ key, values }) => [key, { key, values, isRetired: false }] as const,
    ),
  )
  const { difference } = planImport('smdg', { read: readAll, known, isExtract: false })
  assert.deepEqual(
    difference.retired.map(({ key }) => key),
    ['USLAX:GONE'],
  )
  assert.equal(difference.unchanged, 950)
  const half = { ...readAll, records: readAll.records.slice(0, 500) }
  assert.throws(() => planImport('smdg', { read: half, known, isExtract: false }), /500 usable rows; 855 to 1189/)
})

test('accepts the same list again and refuses half of it, however many terminals are hand-maintained', () => {
  const own = ownTerminals().filter(({ facilityType }) => facilityType === 'ocean_terminal')
  const named = [
    ...own.map(({ unlocode, smdgCode, name }, at) => [unlocode, smdgCode ?? `Q${at}`, name] as const),
    ...Array.from({ length: 500 }, (_, at) => ['USLAX', `Z${at}`, `INVENTED ${at}`] as const),
  ]
  const records = named.map(([unlocode, smdgCode, name], at) => ({
    line: at + 2,
    key: `${unlocode}:${smdgCode}`,
    values: { unlocode, smdgCode, name },
  }))
  const rows = { rows: records.length, refusals: [] }
  const known = new Map(records.map(({ key, values }) => [key, { key, values, isRetired: false }]))
  const again = planImport('smdg', { read: { ...rows, records }, known, isExtract: false })
  assert.deepEqual([again.difference.unchanged, again.difference.retired], [records.length, []])
  const half = records.filter(({ line }) => line <= own.length + 250)
  assert.throws(
    () => planImport('smdg', { read: { ...rows, records: half }, known, isExtract: false }),
    /The file has \d+ usable rows; 450 to 625 were expected, for 500 are known/,
  )
})

test('refuses a point that moves a port over 25 km, and imports the rest of the row', () => {
  const known: KnownRecord = {
    key: 'USLAX',
    values: {
      name: 'Old Name',
      city: 'Old Name',
      coordinateSource: 'W',
      subdivision: 'CA',
      kind: 'port',
      latitude: 33.745,
      longitude: -118.262,
      timeZone: 'America/Los_Angeles',
    },
    isRetired: false,
  }
  const near = plan('unlocode', [unlocodeRow({ country: 'US', location: 'QAA', name: 'Invented' })])
  assert.equal(near.difference.added.length, 1)
  const moved = plan(
    'unlocode',
    [unlocodeRow({ country: 'US', location: 'QAD', name: 'New Name', at: '3500N 11600W' })],
    [{ ...known, key: 'USQAD' }],
  )
  assert.deepEqual(
    moved.refusals.map(({ line, key, field, why, refused: what }) => [line, key, field, why, what]),
    [[1, 'USQAD', 'coordinates', 'it would move 250 km, more than 25', 'value']],
  )
  assert.deepEqual(
    moved.difference.changed.map(({ fields }) => fields),
    [['name', 'city', 'kind']],
  )
  const steady = plan(
    'unlocode',
    [
      unlocodeRow({
        country: 'US',
        location: 'QAD',
        name: 'Old Name',
        function: '1-------',
        at: '3343N 11815W',
      }),
    ],
    [{ ...known, key: 'USQAD' }],
  )
  assert.deepEqual(steady.refusals, [])
  assert.equal(steady.difference.unchanged, 1, 'ours is as good: it stays')
})

test('a renamed ship keeps its former names, and values that the list lacks stay', () => {
  const known: KnownRecord = {
    key: '9321483',
    values: { name: 'INVENTED STAR', formerNames: 'INVENTED MOON', mmsi: '244123456' },
    isRetired: false,
  }
  const { difference } = plan('vessels', ['imo,name', '9321483,INVENTED SUN'], [known])
  assert.deepEqual(difference.changed[0]?.after, {
    name: 'INVENTED SUN',
    formerNames: 'INVENTED MOON|INVENTED STAR',
    mmsi: '244123456',
  })
})

test('refuses a file completely if many of its rows are faulty', () => {
  const lines = Array.from({ length: 12 }, (_, at) => `${1_000_000 + at},SHIP ${at}`)
  assert.throws(
    () => plan('vessels', ['imo,name', ...lines]),
    (error) =>
      error instanceof ListFault && /of 12 rows are faulty, the first on line 2: imo "1000000"/.test(error.message),
  )
})

test('the check of SMDG points counts the ports within 25 km and lists the others with the reason', () => {
  const check = checkSmdg(
    Buffer.from(
      [
        smdgHeader,
        smdgRow('USLAX', 'AAA', 'Invented A', 33.75, -118.27),
        smdgRow('USLAX', 'BBB', 'Far but one of two', 34.75, -118.27),
        smdgRow('NLHEN', 'CCC', 'Invented C', 52.25, 6.79),
        smdgRow('MCQQQ', 'DDD', 'Invented D', 52.25, 6.79),
      ].join('\n'),
    ),
  )
  assert.deepEqual([check.ports, check.near], [3, 1])
  assert.deepEqual(
    check.far.map(({ unlocode, nearestKm, why }) => [
      unlocode,
      nearestKm === null ? null : Math.round(nearestKm),
      why === null,
    ]),
    [
      ['NLHEN', 157, false],
      ['MCQQQ', null, true],
    ],
  )
})

function terminal(name: string, code: string, latitude: number): KnownRecord['values'] {
  return { name, unlocode: 'USLAX', smdgCode: code, latitude, longitude: -118.27 }
}
