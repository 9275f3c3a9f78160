import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEdifactProfile } from '../../../src/connectors/edifact/profile.ts'
import { meaningOf } from '../../../src/connectors/edifact/status-codes.ts'
import { findTerminal } from '../../../src/reference/terminals.ts'
import { type Asked, cut, eventLines, eventsIn, factLines, interchange, observationsIn, readAll } from './reading.ts'

/** One consignment with one status; `more` stands behind the status's own segments. */
function status(sts: string, more = '', of: { readonly version?: string; readonly load?: string } = {}): string {
  const lines = [
    'BGM+23+S1+9',
    'CNI+1',
    'RFF+BM:BILLONE001',
    sts,
    'DTM+334:202603170930:203',
    'LOC+175+USLAX:139:6',
    ...more.split('\n').filter((line) => line !== ''),
    `EQD+CN+TRHU1000010+45G1+++${of.load ?? '5'}`,
  ]
  return interchange('IFTSTA', lines.join('\n'), of.version)
}
const issuesIn = (text: string, requested: Asked = {}) =>
  readAll(text, requested).flatMap(({ issues }) => issues.map(({ kind, lost }) => `${kind} ${lost}`))

test('the status codes of list 9011 are read as events', () => {
  const cases: readonly (readonly [sts: string, more: string, load: string, said: string])[] = [
    ['STS+1+1', 'TDT+20+014W+1', '5', 'ARRI LADEN VESSEL'],
    ['STS+1+24', 'TDT+20+014W+1', '5', 'DEPA LADEN VESSEL'],
    ['STS+1+24', 'TDT+1++2', '5', 'DEPA LADEN RAIL'],
    ['STS+1+48', 'TDT+20+014W+1', '5', 'LOAD LADEN VESSEL'],
    ['STS+1+48', 'TDT+20++8', '5', 'LOAD LADEN BARGE'],
    ['STS+1+29', '', '5', 'DISC LADEN -'],
    ['STS+1+59', 'TDT+20+014W+1', '8', 'DISC LADEN VESSEL'],
    ['STS+1+70', 'TDT+1++2', '5', 'LOAD LADEN RAIL'],
    ['STS+1+70', '', '5', '- LADEN -'],
    ['STS+1+26', 'TDT+1++2', '5', 'DISC LADEN RAIL'],
    ['STS+1+26', 'TDT+1++3', '5', '- LADEN TRUCK'],
    ['STS+1+27', 'TDT+1++2', '5', 'DEPA LADEN RAIL'],
    ['STS+1+27', '', '5', '- LADEN -'],
    ['STS+1+13', 'TDT+1++3', '4', 'GTOT EMPTY TRUCK'],
    ['STS+1+13', '', '5', 'GTOT LADEN -'],
    ['STS+1+74', 'TDT+20+014W+1', '5', 'GTIN LADEN -'],
    ['STS+1+82', '', '4', 'GTIN EMPTY -'],
    ['STS+1+82', '', '5', '- LADEN -'],
    ['STS+1+93', '', '5', 'STUF LADEN -'],
    ['STS+1+100', '', '5', '- LADEN -'],
    ['STS+1+50', '', '5', '- LADEN -'],
  ]
  for (const [sts, more, load, stated] of cases)
    assert.deepEqual(eventLines(status(sts, more, { load })), [`ACT ${stated} USLAX TRHU1000010 2026-03-17T09:30`], sts)
})

test('a status that moves no container keeps its number and text, and gives one issue', () => {
  const [reading] = readAll(status('STS+1+50::LN:Manifested'))
  assert.deepEqual(
    reading?.issues.map(({ kind, detail }) => `${kind} ${detail}`),
    ['unmapped_code "50" with 10 characters of text is not about a move of a container'],
  )
  assert.equal(eventsIn(status('STS+1+50::LN:Manifested'))[0]?.original, '50 Manifested')
  assert.deepEqual([reading?.events.aside, reading?.events.understood], [1, 0])
  assert.equal(reading?.outcome, 'known_without_data')
})

test('every status number of list 9011 has a known meaning, and every code outside it is unmapped', () => {
  const of = {
    profile: { codes: [], numbersOf9011: 'by_directory' } as never,
    speaker: 'shipping_line' as const,
  }
  const read = (code: string, version = 'D.95B') =>
    meaningOf({ code, original: code, reasons: [], text: '' }, version, of).kind
  for (let number = 1; number <= 103; number += 1) assert.notEqual(read(String(number)), 'unmapped')
  for (const code of ['0', '104', '007', 'AE', '', '24A']) assert.equal(read(code), 'unmapped')
  for (const version of ['D.93A', 'D.98A', 'D.98B', 'D.99A']) assert.equal(read('24', version), 'event')
  for (const version of ['D.99B', 'D.00B', 'D.16A', '1.921', '.', 'D.95C'])
    assert.equal(read('24', version), 'unmapped')
})

test('a status from D.99B on is unmapped until the partner’s profile defines its meaning', () => {
  const departed = (version: string) => status('STS+1+24', 'TDT+20+014W+1', { version })
  assert.deepEqual(eventLines(departed('D:00B')), ['ACT - LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30'])
  assert.deepEqual(issuesIn(departed('D:00B')), ['unmapped_code nothing'])
  assert.deepEqual(eventLines(departed('D:00B'), { profile: { numbersOf9011: 'always' } }), [
    'ACT DEPA LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30',
  ])
})

test('the most specific entry in the code table of a partner decides the meaning of a status', () => {
  const event = (code: 'DEPA' | 'ARRI' | 'LOAD', mode: 'RAIL' | 'VESSEL') => ({ kind: 'event', code, mode }) as const
  const codes = [
    { code: 'P', means: { kind: 'nothing' } },
    { code: 'p', text: 'Rail  departed', means: event('DEPA', 'RAIL') },
    { code: 'P', reason: '7', means: event('LOAD', 'VESSEL') },
    { code: 'AV', means: { kind: 'available', value: true } },
    { code: 'HC', means: { kind: 'hold', name: 'customs', status: 'hold' } },
  ] as const
  const parsed = parseEdifactProfile({ codes })
  assert.ok(parsed.ok)
  const requested = { profile: parsed.value }
  const of = { version: 'D:00B' }
  const lines = (sts: string) => eventLines(status(sts, '', of), requested)
  assert.deepEqual(lines('STS+1+P::HS:RAIL Departed'), ['ACT DEPA LADEN RAIL USLAX TRHU1000010 2026-03-17T09:30'])
  assert.deepEqual(lines('STS+1+P+7'), ['ACT LOAD LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30'])
  assert.deepEqual(lines('STS+1+P::HS:Something'), [])
  assert.ok(factLines(status('STS+1+AV', '', of), requested).includes('available true TRHU1000010'))
  assert.ok(factLines(status('STS+1+HC', '', of), requested).includes('hold customs hold TRHU1000010'))
  assert.deepEqual(issuesIn(status('STS+1+P::HS:Something', '', of), requested), [])
  assert.equal(parseEdifactProfile({ codes: [{ code: 'P', means: { kind: 'event', code: 'GONE' } }] }).ok, false)
  assert.equal(parseEdifactProfile({ somethingElse: true }).ok, false)
  assert.equal(parseEdifactProfile([]).ok, false)
})

test('the release of a customs or freight hold has the same key as the hold', () => {
  const facts = (sts: string, speaker: Asked['speaker'] = 'shipping_line') =>
    observationsIn(status(sts), { speaker }).flatMap((stated) =>
      stated.kind === 'fact' && stated.fact === 'hold' ? [`${stated.key} ${stated.value.status}`] : [],
    )
  assert.deepEqual(facts('STS+1+17'), ['BILLONE001|hold|customs|TRHU1000010 hold'])
  assert.deepEqual(facts('STS+1+12'), ['BILLONE001|hold|customs|TRHU1000010 released'])
  assert.deepEqual(facts('STS+1+55+46'), ['BILLONE001|hold|freight|TRHU1000010 hold'])
  assert.deepEqual(facts('STS+1+38'), ['BILLONE001|hold|freight|TRHU1000010 released'])
  assert.deepEqual(facts('STS+1+78'), ['BILLONE001|hold|freight|TRHU1000010 released'])
  assert.deepEqual(facts('STS+1+78', 'terminal'), [])
  assert.deepEqual(facts('STS+1+10'), ['BILLONE001|hold|USDA|TRHU1000010 released'])
  assert.deepEqual(facts('STS+1+55+24+37'), [
    'BILLONE001|hold|other:documents|TRHU1000010 hold',
    'BILLONE001|hold|other:examination|TRHU1000010 hold',
  ])
  const abroad = factLines(status('STS+1+10').replace('USLAX', 'NLRTM'))
  assert.ok(abroad.includes('hold other released TRHU1000010'))
  const later = status('STS+1+55+46', '', { version: 'D:00B' })
  assert.ok(!factLines(later).some((line) => line.startsWith('hold')))
})

test('a cancelled booking is stated for the booking', () => {
  const [reading] = readAll(status('STS+1+7').replace('RFF+BM:BILLONE001', 'RFF+BN:BOOKING77'))
  assert.equal(reading?.outcome, 'cancelled')
  assert.ok(
    reading?.observations.some(
      (stated) => stated.kind === 'fact' && stated.fact === 'booking_cancelled' && stated.equipment === null,
    ),
  )
})

test('a message is read whether it lists containers first or consignments first', () => {
  const boxesFirst = interchange(
    'IFTSTA',
    `BGM+23+S1+9
RFF+BN:BOOKING77
EQD+CN+TRHU1000010+45G1+++5
STS+1+24
DTM+334:202603170930:203
LOC+175+USLAX:139:6
TDT+20+014W+1
EQD+CN+CAIU2000017+22G1+++4
RFF+BN:BOOKING88
STS+1+74
DTM+334:20260318:102
LOC+175+NLRTM:139:6
CNI+1`,
    'D:10B',
  )
  const profile = { numbersOf9011: 'always' } as const
  assert.deepEqual(eventLines(boxesFirst, { profile }), [
    'ACT DEPA LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30',
    'ACT GTIN EMPTY - NLRTM CAIU2000017 2026-03-18',
  ])
  assert.deepEqual(
    cut(boxesFirst).parts.map(({ about }) => about.map(({ number }) => number).join()),
    ['BOOKING77,TRHU1000010', 'BOOKING88,CAIU2000017'],
  )
  assert.equal(eventLines(status('STS+1+24', '', { version: 'D:10B' }), { profile }).length, 1)
})

test('a time keeps its precision: an instant with a zone, a local time, or a day', () => {
  const time = (dtm: string, profile: Asked['profile'] = {}) =>
    eventLines(status('STS+1+29').replace('DTM+334:202603170930:203', dtm), { profile }).map((line) =>
      line.split(' ').at(-1),
    )
  assert.deepEqual(time('DTM+334:20260317:102'), ['2026-03-17'])
  assert.deepEqual(time('DTM+7:20260317093015:204'), ['2026-03-17T09:30'])
  assert.deepEqual(time('DTM+203:2603170930:201'), ['2026-03-17T09:30'])
  assert.deepEqual(time('DTM+334:202603170930UTC:303'), ['2026-03-17T09:30:00.000Z'])
  assert.deepEqual(time('DTM+334:20260317093015GMT:304'), ['2026-03-17T09:30:15.000Z'])
  assert.deepEqual(time('DTM+334:202603170930?+0800:205'), ['2026-03-17T01:30:00.000Z'])
  assert.deepEqual(time('DTM+334:202603170930CST:303'), ['2026-03-17'])
  assert.deepEqual(time('DTM+334:202603170930'), ['2026-03-17T09:30'])
  assert.deepEqual(time('DTM+334:202603172400:203'), ['2026-03-18T00:00'])
  assert.deepEqual(time('DTM+334:202603172400?+0800:205'), ['2026-03-17T16:00:00.000Z'])
  assert.deepEqual(time('DTM+334:202603170930:203', { zonelessTimes: 'utc' }), ['2026-03-17T09:30:00.000Z'])
  for (const bad of [
    'DTM+334:202602300930:203',
    'DTM+334:202603172430:203',
    'DTM+334:19000101:102',
    'DTM+334:20260317:718',
    'DTM+137:202603170930:203',
  ])
    assert.deepEqual(time(bad), [], bad)
  assert.deepEqual(issuesIn(status('STS+1+29').replace('DTM+334', 'DTM+137')), ['missing_field event'])
})

test('an estimate of the ship in its own segment is read as an estimate', () => {
  const text = status('STS+1+1', 'TDT+20+014W+1').replace('DTM+334', 'DTM+132')
  assert.deepEqual(eventLines(text), ['EST ARRI LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30'])
})

test('the times of the ship are read beside the status', () => {
  const leg = (tdt: string) => `${tdt}
LOC+9+CNNGB:139:6
DTM+133:202603050800:203
DTM+186:202603051100:203
LOC+11+USLAX:139:6
DTM+132:202603200600:203
LOC+7+USCHI:139:6
DTM+132:202603280600:203`
  assert.deepEqual(eventLines(status('STS+1+48', leg('TDT+20+014W+1+13++++9321483:146:11:KING'))), [
    'ACT DEPA - VESSEL CNNGB TRHU1000010 2026-03-05T11:00',
    'ACT LOAD LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30',
    'EST ARRI - VESSEL USLAX TRHU1000010 2026-03-20T06:00',
    'EST DEPA - VESSEL CNNGB TRHU1000010 2026-03-05T08:00',
  ])
  assert.equal(eventLines(status('STS+1+24', leg('TDT+1++2'))).length, 1)
  assert.equal(eventLines(status('STS+1+24', leg('TDT+20++2'))).length, 1)
})

test('a ship is identified by a qualified IMO number, not by a call sign', () => {
  const vessel = (tdt: string) => eventsIn(status('STS+1+24', tdt))[0]?.vessel
  assert.deepEqual(vessel('TDT+20+014W+1+13++++9321483:146:11:KING'), { imo: '9321483', name: 'KING' })
  assert.deepEqual(vessel('TDT+20+014W+1+13++++9321483:103::KING'), { imo: null, name: 'KING' })
  assert.deepEqual(vessel('TDT+20+014W+1+13++++9321483'), null)
  assert.deepEqual(vessel('TDT+20+014W+1+13++++9321484:146:11:KING'), { imo: null, name: 'KING' })
  assert.deepEqual(vessel('TDT+1++2+25++++:::A RAILWAY'), null)
  assert.deepEqual(eventsIn(status('STS+1+24', 'TDT+20+014W+1\nTDT+1++2'))[0]?.mode, null)
})

test('an unknown place stays unknown, and a party code is no UN/LOCODE', () => {
  const place = (loc: string) => eventsIn(status('STS+1+29').replace('LOC+175+USLAX:139:6', loc))[0]?.place
  assert.deepEqual(place('LOC+175+QQQQQ:139:6:NOWHERE')?.unlocode, null)
  assert.deepEqual(place('LOC+175+QQQQQ:139:6:NOWHERE')?.name, 'NOWHERE')
  assert.deepEqual(place('LOC+175+USLAX:ZZZ:ZZZ')?.unlocode, null)
  assert.deepEqual(place('LOC+175+uslax:139:6')?.timeZone, 'America/Los_Angeles')
  assert.deepEqual(place('LOC+175+:::Rotterdam+NL:162')?.unlocode, 'NLRTM')
  assert.deepEqual(place('LOC+175+:::Rotterdam')?.unlocode, null)
})

test('a terminal is known by its SMDG code, or by a name that carriers write, within its port', () => {
  const terminal = (loc: string) =>
    eventsIn(status('STS+1+29').replace('LOC+175+USLAX:139:6', loc))[0]?.place.terminalId
  const known = findTerminal({ provider: 'SMDG', code: 'SHENG', unlocode: 'CNSHG' })?.id
  assert.ok(known)
  assert.equal(terminal('LOC+175+CNSHA:139:6+SHENG:TER:306'), known)
  assert.equal(terminal('LOC+175+CNSHA:139:6+YS1:TER:ZZZ:YANGSHAN DEEP WATER PORT PHASE1 TER'), known)
  assert.equal(terminal('LOC+175+CNNGB:139:6+YS1:TER:ZZZ:YANGSHAN DEEP WATER PORT PHASE1 TER'), null)
})

test('a status in a later interchange replaces the earlier status of the same move', () => {
  const keys = (text: string) => eventsIn(text).map(({ key }) => key)
  const later = status('STS+1+24', 'TDT+20+014W+1').replaceAll('+88', '+99').replace('0930', '1145')
  assert.deepEqual(keys(later), keys(status('STS+1+24', 'TDT+20+014W+1')))
  const bare = (day: string) => keys(status('STS+1+13').replace("RFF+BM:BILLONE001'\n", '').replace('20260317', day))
  assert.notDeepEqual(bare('20260317'), bare('20260917'))
  assert.deepEqual(bare('20260317'), ['-|ACT|GTOT|LADEN|-|USLAX|TRHU1000010|2026-03-17'])
})

test('a cancelling message retracts an earlier one of the same content', () => {
  const cancel = status('STS+1+24').replace('BGM+23+S1+9', 'BGM+23+S1+1')
  const [stated, back] = [eventsIn(status('STS+1+24'))[0], eventsIn(cancel)[0]]
  assert.deepEqual([stated?.isRetracted, back?.isRetracted], [false, true])
  assert.equal(stated?.key, back?.key)
})

test('reading for one container leaves out the others, and gives nothing for an unknown number', () => {
  const text = status('STS+1+24').replace("'\nUNT", "'\nEQD+CN+CAIU2000017'\nUNT").replace('UNT+9', 'UNT+10')
  const containers = (number: string) =>
    eventsIn(text, { subject: { kind: 'container', number } }).map(({ equipment }) => equipment)
  assert.deepEqual(containers('CAIU2000017'), ['CAIU2000017'])
  assert.deepEqual(containers('TEMU5000014'), [])
  const [reading] = readAll(text, { subject: { kind: 'bill_of_lading', number: 'OTHER0001' } })
  assert.equal(reading?.outcome, 'other_number')
})

test('a consignment number is read as a bill or booking only if the profile of the partner states so', () => {
  const text = status('STS+1+24').replace('CNI+1', 'CNI+1+CONS12345').replace("RFF+BM:BILLONE001'\n", '')
  const about = (consignmentNumber: 'none' | 'bill_of_lading' | 'booking') =>
    cut(text, { consignmentNumber }).parts[0]?.about.map(({ kind, number }) => `${kind} ${number}`)
  assert.deepEqual(about('none'), ['container TRHU1000010'])
  assert.deepEqual(about('bill_of_lading'), ['bill_of_lading CONS12345', 'container TRHU1000010'])
  assert.deepEqual(about('booking'), ['booking CONS12345', 'container TRHU1000010'])
})
