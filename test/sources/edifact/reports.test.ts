import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readClaims } from '../../../src/core/shipment/reading.ts'
import { type Asked, cut, eventLines, eventsIn, factLines, interchange, readAll } from './reading.ts'

function gate(report: string, equipment: string, more = ''): string {
  return interchange(
    'CODECO',
    `BGM+${report}+G1+9
TDT+20+014W+1++LINE:172:20+++9321483:146:11:KING
NAD+CF+LINE:160:20
EQD+CN+${equipment}
RFF+BN:BOOKING77
DTM+7:202603180915:203
LOC+165+USLAX:139:6+PIER:TER:ZZZ
${more}`,
  )
}
function quay(report: string, status: string, more = ''): string {
  return interchange(
    'COARRI',
    `BGM+${report}+Q1+9
TDT+20+014W+1++LINE:172:20+++9321483:146:11:KING
LOC+9+CNNGB:139:6
LOC+11+USLAX:139:6
EQD+CN+TRHU1000010+45G1:102:5++${status}+5
RFF+BM:BILLONE001
DTM+203:202603170930:203
${more}`,
  )
}
const issuesIn = (text: string, asked: Asked = {}) =>
  readAll(text, asked).flatMap(({ issues }) => issues.map(({ kind, lost }) => `${kind} ${lost}`))

test('the four moves through a gate: empty out, full in, full out, empty in', () => {
  const move = (report: string, load: string) => eventLines(gate(report, `TRHU1000010+45G1:102:5++2+${load}`))
  assert.deepEqual(move('36', '4'), ['ACT GTOT EMPTY - USLAX TRHU1000010 2026-03-18T09:15'])
  assert.deepEqual(move('34', '5'), ['ACT GTIN LADEN - USLAX TRHU1000010 2026-03-18T09:15'])
  assert.deepEqual(move('36', '5'), ['ACT GTOT LADEN - USLAX TRHU1000010 2026-03-18T09:15'])
  assert.deepEqual(move('34', '4'), ['ACT GTIN EMPTY - USLAX TRHU1000010 2026-03-18T09:15'])
  assert.deepEqual(move('34', ''), ['ACT GTIN - - USLAX TRHU1000010 2026-03-18T09:15'])
})

test('the mode of a gate is that of what fetched the box, never the ship that it is meant for', () => {
  const mode = (tdt: string) =>
    eventsIn(gate('36', 'TRHU1000010+++3+5', tdt)).map(({ mode: by, vessel }) => [by, vessel])
  assert.deepEqual(mode('TDT+1++3+31+TRUCKER'), [['TRUCK', null]])
  assert.deepEqual(mode('TDT+1++2'), [['RAIL', null]])
  assert.deepEqual(mode('TDT+1++1'), [[null, null]])
  assert.deepEqual(mode(''), [[null, null]])
})

test('a gate report tells of weight, seal, size, chassis and ports, and leaves damage out', () => {
  const more = `MEA+AAE+T+KGM:3900
MEA+AAE+G+KGM:21500
MEA+AAE+VGM+KGM:21430,5
SEL+LATER+SH
SEL+ABC123+CA
EQA+CH+ACME 4711
DAM+1+DEN
LOC+9+CNNGB:139:6
LOC+11+USLAX:139:6
LOC+7+USCHI:139:6
LOC+99+USLGB:139:6`
  assert.deepEqual(factLines(gate('36', 'TRHU1000010+45G1:102:5++3+5', more)), [
    'booking_number BOOKING77 -',
    'chassis_number ACME4711 TRHU1000010',
    'empty_return_place USLGB TRHU1000010',
    'place_of_delivery USCHI TRHU1000010',
    'port_of_discharge USLAX TRHU1000010',
    'seal_number ABC123 TRHU1000010',
    'size_type 45G1 TRHU1000010',
    'weight_kg 21430.5 TRHU1000010',
  ])
  const weight = (measure: string) =>
    factLines(gate('34', 'TRHU1000010+++2+5', measure)).filter((line) => line.startsWith('weight'))
  assert.deepEqual(weight('MEA+AAE+G+TNE:21.5'), ['weight_kg 21500 TRHU1000010'])
  assert.deepEqual(weight('MEA+AAE+G+LBR:1000'), ['weight_kg 453.592 TRHU1000010'])
  for (const none of ['MEA+AAE+G+KGM:0', 'MEA+AAE+G+KGM:1E9', 'MEA+AAE+G+XXX:100', 'MEA+AAE+T+KGM:3900'])
    assert.deepEqual(weight(none), [], none)
  const empty = factLines(gate('34', 'TRHU1000010+++2+4', 'MEA+AAE+G+KGM:3900'))
  assert.ok(!empty.some((line) => line.startsWith('weight')))
})

test('a chassis of its own beside the only box is the one that it left on; beside several nobody knows', () => {
  const one = gate('36', 'TRHU1000010+++3+5', 'EQD+CH+ACMZ 4711')
  assert.ok(factLines(one).includes('chassis_number ACMZ4711 TRHU1000010'))
  const two = gate(
    '36',
    'TRHU1000010+++3+5',
    'EQD+CN+CAIU2000017+++3+5\nDTM+7:202603180915:203\nEQD+CH+ACMZ4711',
  )
  assert.ok(!factLines(two).some((line) => line.startsWith('chassis')))
})

test('quay reports are loads and discharges by the ship of the head, at the port of its call', () => {
  for (const report of ['46', '122'])
    assert.deepEqual(eventLines(quay(report, '2')), [
      'ACT LOAD LADEN VESSEL CNNGB TRHU1000010 2026-03-17T09:30',
    ])
  for (const report of ['44', '98', '119'])
    assert.deepEqual(eventLines(quay(report, '3')), [
      'ACT DISC LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30',
    ])
  const [event] = eventsIn(quay('119', '3'))
  assert.deepEqual(
    [event?.vessel, event?.voyage, event?.original],
    [{ imo: '9321483', name: 'KING' }, '014W', '119/3'],
  )
})

test('which way a report of any quay move means is known by the partner or by the box, else not at all', () => {
  assert.deepEqual(eventLines(quay('270', '22')), [
    'ACT LOAD LADEN VESSEL CNNGB TRHU1000010 2026-03-17T09:30',
  ])
  assert.deepEqual(eventLines(quay('270', '3')), ['ACT - LADEN VESSEL - TRHU1000010 2026-03-17T09:30'])
  assert.deepEqual(issuesIn(quay('270', '3')), ['unmapped_code nothing'])
  const profile = { reports: { '270': 'discharge' as const } }
  assert.deepEqual(eventLines(quay('270', '3'), { profile }), [
    'ACT DISC LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30',
  ])
  for (const name of ['__proto__', 'constructor', ''])
    assert.deepEqual(issuesIn(quay(name, '3')), ['unmapped_code nothing'])
})

test('a report that contradicts itself says nothing of the way the box went', () => {
  assert.deepEqual(issuesIn(quay('46', '3')), ['unmapped_code nothing'])
  assert.deepEqual(issuesIn(quay('119', '2')), ['unmapped_code nothing'])
})

test('a box that changes ships is said to go on, so that the port is not taken for the end', () => {
  assert.ok(factLines(quay('119', '6')).includes('undated_departure USLAX TRHU1000010'))
  assert.ok(factLines(quay('122', '6')).includes('undated_arrival CNNGB TRHU1000010'))
  assert.ok(!factLines(quay('119', '3')).some((line) => line.startsWith('undated')))
})

test('boxes that did not move are set aside', () => {
  for (const status of ['4', '5', '7', '14', '30']) {
    const [reading] = readAll(quay('119', status))
    assert.deepEqual(
      reading?.observations.filter(({ kind }) => kind === 'event'),
      [],
      status,
    )
    assert.equal(reading?.events.aside, 1)
  }
  assert.deepEqual(eventLines(gate('34', 'TRHU1000010+++10+4')), [])
})

test('when the report was written is not when the box moved', () => {
  const undated = quay('119', '3').replace('DTM+203', 'DTM+137')
  assert.deepEqual(eventLines(undated), [])
  assert.deepEqual(issuesIn(undated), ['missing_field event'])
})

test('a number that is none loses its box and no other', () => {
  const text = gate('36', 'TRHU1000019+++3+5', 'EQD+CN+CAIU2000017+++3+5\nDTM+7:202603180915:203')
  assert.deepEqual(issuesIn(text), ['bad_equipment event'])
  assert.deepEqual(
    eventsIn(text).map(({ equipment }) => equipment),
    ['CAIU2000017'],
  )
  const unnamed = cut(text.replace("RFF+BN:BOOKING77'\n", ''))
  assert.deepEqual(
    unnamed.faults.map(({ kind }) => kind),
    ['count_mismatch', 'missing_field'],
  )
})

test('what is read can be folded by the core', () => {
  const observations = readAll(quay('119', '6')).flatMap((reading) => reading.observations)
  const claims = observations.map((observation, index) => ({
    id: `c-${index}`,
    source: { kind: 'terminal', code: 'PIER' } as const,
    observation,
    readAt: '2026-04-01T00:00:00.000Z',
    recordedAt: '2026-04-01T00:00:00.000Z',
    standsAt: '2026-04-01T00:00:00.000Z',
    hand: 'first' as const,
    deliveryKey: null,
    retiredAt: null,
  }))
  const { byBox, issues } = readClaims(claims, '2026-04-01T00:00:00.000Z')
  assert.equal(byBox.get('TRHU1000010')?.statements.length, 1)
  assert.deepEqual(issues, [])
})
