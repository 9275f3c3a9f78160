import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readClaims } from '../../../src/domain/shipment/read-claims.ts'
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
const issuesIn = (text: string, requested: Asked = {}) =>
  readAll(text, requested).flatMap(({ issues }) => issues.map(({ kind, lost }) => `${kind} ${lost}`))

test('reads the four moves through a gate: empty out, full in, full out, empty in', () => {
  const move = (report: string, load: string) => eventLines(gate(report, `TRHU1000010+45G1:102:5++2+${load}`))
  assert.deepEqual(move('36', '4'), ['ACT GTOT EMPTY - USLAX TRHU1000010 2026-03-18T09:15'])
  assert.deepEqual(move('34', '5'), ['ACT GTIN LADEN - USLAX TRHU1000010 2026-03-18T09:15'])
  assert.deepEqual(move('36', '5'), ['ACT GTOT LADEN - USLAX TRHU1000010 2026-03-18T09:15'])
  assert.deepEqual(move('34', '4'), ['ACT GTIN EMPTY - USLAX TRHU1000010 2026-03-18T09:15'])
  assert.deepEqual(move('34', ''), ['ACT GTIN - - USLAX TRHU1000010 2026-03-18T09:15'])
})

test('the mode of a gate move is the vehicle at the gate, never the ship', () => {
  const mode = (tdt: string) =>
    eventsIn(gate('36', 'TRHU1000010+++3+5', tdt)).map(({ mode: by, vessel }) => [by, vessel])
  assert.deepEqual(mode('TDT+1++3+31+TRUCKER'), [['TRUCK', null]])
  assert.deepEqual(mode('TDT+1++2'), [['RAIL', null]])
  assert.deepEqual(mode('TDT+1++1'), [[null, null]])
  assert.deepEqual(mode(''), [[null, null]])
})

test('a gate report gives weight, seal, size, chassis and ports, and no damage', () => {
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
    'verified_gross_mass_kg 21430.5 TRHU1000010',
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

test('a chassis is assigned to a container only if the report has a single container', () => {
  const one = gate('36', 'TRHU1000010+++3+5', 'EQD+CH+ACMZ 4711')
  assert.ok(factLines(one).includes('chassis_number ACMZ4711 TRHU1000010'))
  const two = gate('36', 'TRHU1000010+++3+5', 'EQD+CN+CAIU2000017+++3+5\nDTM+7:202603180915:203\nEQD+CH+ACMZ4711')
  assert.ok(!factLines(two).some((line) => line.startsWith('chassis')))
})

test('quay reports give loadings and discharges with the ship and port in the report header', () => {
  for (const report of ['46', '122', '270'])
    assert.deepEqual(eventLines(quay(report, '2')), ['ACT LOAD LADEN VESSEL CNNGB TRHU1000010 2026-03-17T09:30'])
  for (const report of ['44', '98', '119', '181'])
    assert.deepEqual(eventLines(quay(report, '3')), ['ACT DISC LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30'])
  const [event] = eventsIn(quay('119', '3'))
  assert.deepEqual([event?.vessel, event?.voyage, event?.original], [{ imo: '9321483', name: 'KING' }, '014W', '119/3'])
})

test('a partner’s own meaning of a report is preferred to ours; without one, an unknown report is unmapped', () => {
  assert.deepEqual(eventLines(quay('700', '3')), ['ACT - LADEN VESSEL - TRHU1000010 2026-03-17T09:30'])
  assert.deepEqual(issuesIn(quay('700', '3')), ['unmapped_code nothing'])
  for (const name of ['270', '700'])
    assert.deepEqual(eventLines(quay(name, '3'), { profile: { reports: { [name]: 'discharge' } } }), [
      'ACT DISC LADEN VESSEL USLAX TRHU1000010 2026-03-17T09:30',
    ])
  for (const name of ['__proto__', 'constructor', ''])
    assert.deepEqual(issuesIn(quay(name, '3')), ['unmapped_code nothing'])
})

test('a report that contradicts itself is unmapped, because the direction of the move is unknown', () => {
  assert.deepEqual(issuesIn(quay('46', '3')), ['unmapped_code nothing'])
  assert.deepEqual(issuesIn(quay('119', '2')), ['unmapped_code nothing'])
  assert.deepEqual(issuesIn(quay('270', '3')), ['unmapped_code nothing'])
  assert.deepEqual(issuesIn(quay('270', '23')), ['unmapped_code nothing'])
})

test('the codes 109 and 111 of later directories are read as gate-in and gate-out reports', () => {
  const move = (report: string) => eventLines(gate(report, 'TRHU1000010+45G1:102:5++2+5'))
  assert.deepEqual(move('109'), ['ACT GTIN LADEN - USLAX TRHU1000010 2026-03-18T09:15'])
  assert.deepEqual(move('111'), ['ACT GTOT LADEN - USLAX TRHU1000010 2026-03-18T09:15'])
})

test('a move is at the container’s own port, whatever port the head names', () => {
  const moved = (report: string, status: string, ...ports: readonly string[]) =>
    eventsIn(quay(report, status, ports.join('\n'))).map(({ place }) => place.unlocode)
  assert.deepEqual(moved('98', '3', 'LOC+11+VNSGN:139:6', 'LOC+9+SGSIN:139:6'), ['VNSGN'])
  assert.deepEqual(moved('270', '2', 'LOC+9+IDJKT:139:6', 'LOC+11+MYPKG:139:6'), ['IDJKT'])
  assert.deepEqual(moved('98', '3', 'LOC+9+SGSIN:139:6'), ['USLAX'], 'the head’s, where the box has none')
  assert.deepEqual(moved('98', '6', 'LOC+11+DEHAM:139:6'), ['USLAX'], 'the port of the other ship')
  assert.deepEqual(moved('98', '6', 'LOC+11+CNNGB:139:6'), ['CNNGB'], 'a port of this ship')
  assert.deepEqual(moved('98', '3', 'LOC+11+VNSGN:139:6', 'LOC+165+SGSIN:139:6'), ['SGSIN'])
})

test('a port code with a terminal or berth at its end is read as the code of the port', () => {
  const placed = (code: string) => {
    const text = quay('270', '2', `LOC+9+${code}:139:6`)
    return [eventsIn(text)[0]?.place.unlocode, ...issuesIn(text)]
  }
  assert.deepEqual(placed('IDJKT45'), ['IDJKT', 'unknown_facility nothing'])
  assert.deepEqual(placed('THLCH-B1'), ['THLCH', 'unknown_facility nothing'])
  assert.deepEqual(placed('SGSIN2'), ['SGSIN', 'unknown_facility nothing'])
  for (const name of ['BELAWAN', 'CANAKKALE', 'XXJKT45'])
    assert.deepEqual(placed(name), [null, 'unknown_place nothing'], name)
})

const sample = (name: string) => readFileSync(new URL(`fixtures/samples/${name}`, import.meta.url))

test('a discharge report is read although its header names the next port of the ship', () => {
  assert.deepEqual(eventLines(sample('COARRI-a.edi')), ['ACT DISC LADEN VESSEL VNSGN TCLU4265794 2026-03-10T22:40'])
  assert.ok(factLines(sample('COARRI-a.edi')).includes('weight_kg 14350 TCLU4265794'))
  assert.deepEqual(eventLines(sample('COARRI-b.edi')), ['ACT LOAD LADEN VESSEL IDJKT TGHU6045186 2026-03-12T05:25'])
  assert.ok(factLines(sample('COARRI-b.edi')).includes('seal_number MU775656 TGHU6045186'))
  assert.deepEqual(
    cut(sample('COARRI-b.edi')).faults.map(({ kind, lost }) => `${kind} ${lost}`),
    ['count_mismatch nothing', 'count_mismatch nothing'],
  )
})

test('a truncated report gives the containers before the cut, and not the incomplete one', () => {
  const two = quay('270', '2', 'EQD+CN+CAIU2000017+45G1:102:5++2+5\nDTM+203:202603171030:203\nLOC+9+IDJKT:139:6')
  const containers = (text: string) => eventsIn(text).map(({ equipment, place }) => `${equipment} ${place.unlocode}`)
  const both = ['TRHU1000010 CNNGB', 'CAIU2000017 IDJKT']
  assert.deepEqual(containers(two), both)
  assert.deepEqual(containers(two.slice(0, two.indexOf('UNT'))), both)
  assert.deepEqual(containers(two.slice(0, two.indexOf('IDJKT:139'))), both.slice(0, 1))
  assert.deepEqual(
    containers(two.slice(0, two.indexOf('EQD+CN+CAIU') + 5)),
    both.slice(0, 1),
    'nothing of the next box',
  )
  const gates = gate('36', 'TRHU1000010+++3+5')
  assert.equal(eventsIn(gates.slice(0, gates.indexOf('UNT'))).length, 1)
  const status = interchange('IFTSTA', 'BGM+23+S1+9\nCNI+1\nRFF+BM:BILLONE001\nSTS+1+24\nDTM+334:202603180100:203')
  assert.deepEqual(eventsIn(status.slice(0, status.indexOf('UNT'))), [], 'a status may concern what follows')
})

test('reads an estimated gross weight when there is no better one', () => {
  const weight = (more: string) => factLines(quay('98', '3', more)).filter((line) => line.startsWith('weight'))
  assert.deepEqual(weight('MEA+AAE+EGW+KGM:14350'), ['weight_kg 14350 TRHU1000010'])
  assert.deepEqual(weight('MEA+WT+EGW+TNE:14,35'), ['weight_kg 14350 TRHU1000010'])
  assert.deepEqual(weight('MEA+AAE+EGW+KGM:14350\nMEA+AAE+VGM+KGM:14400'), ['weight_kg 14400 TRHU1000010'])
})

test('a time may be the end of a day, and may lack minutes or the time of day', () => {
  const at = (text: string, format: string) =>
    eventsIn(quay('98', '3').replace('203:202603170930:203', `203:${text}:${format}`)).map(({ time }) => time)
  const local = (text: string) => [{ kind: 'local', local: text }]
  assert.deepEqual(at('202603172400', '203'), local('2026-03-18T00:00:00'))
  assert.deepEqual(at('20260331240000', '204'), local('2026-04-01T00:00:00'))
  assert.deepEqual(at('20260317093060', '204'), local('2026-03-17T09:31:00'))
  assert.deepEqual(at('2026031709', '203'), local('2026-03-17T09:00:00'))
  assert.deepEqual(at('2603170930', '201'), local('2026-03-17T09:30:00'))
  assert.deepEqual(at('20260317093015', '203'), local('2026-03-17T09:30:15'))
  assert.deepEqual(at('20260317', '203'), [{ kind: 'day', on: '2026-03-17' }])
  for (const [text, format] of [
    ['202603172401', '203'],
    ['2026031709301', '203'],
    ['2603170930', '203'],
  ] as const)
    assert.deepEqual(at(text, format), [], text)
})

test('a report gives no placeholder as a seal when it states another seal', () => {
  const seal = (more: string) => factLines(quay('98', '3', more)).filter((line) => line.startsWith('seal'))
  assert.deepEqual(seal('SEL+SI+CA\nSEL+ML123456+SH'), ['seal_number ML123456 TRHU1000010'])
})

test('a transshipment report states the onward voyage, so that its port is not read as the port of discharge', () => {
  assert.ok(factLines(quay('119', '6')).includes('undated_departure USLAX TRHU1000010'))
  assert.ok(factLines(quay('122', '6')).includes('undated_arrival CNNGB TRHU1000010'))
  assert.ok(!factLines(quay('119', '3')).some((line) => line.startsWith('undated')))
})

test('a container whose status means no move gives no event', () => {
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

test('the time of writing of a report is not the time of the move', () => {
  const undated = quay('119', '3').replace('DTM+203', 'DTM+137')
  assert.deepEqual(eventLines(undated), [])
  assert.deepEqual(issuesIn(undated), ['missing_field event'])
})

test('reads a container with a wrong or missing check digit, and reports an issue', () => {
  const wrong = gate('36', 'TRHU1000019+++3+5')
  assert.deepEqual(issuesIn(wrong), ['check_digit nothing'])
  assert.deepEqual(
    eventsIn(wrong).map(({ equipment }) => equipment),
    ['TRHU1000019'],
  )
  const missing = gate('36', 'TRHU100001+++3+5')
  assert.deepEqual(issuesIn(missing), ['check_digit nothing'])
  assert.deepEqual(
    eventsIn(missing).map(({ equipment }) => equipment),
    ['TRHU1000010'],
  )
})

test('a container with an invalid number is not read, and the other containers are read', () => {
  const text = gate('36', 'TRHA1000019+++3+5', 'EQD+CN+CAIU2000017+++3+5\nDTM+7:202603180915:203')
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

test('the core accepts the observations of a transshipment report without an issue', () => {
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
  const { byContainer: byBox, issues } = readClaims(claims, '2026-04-01T00:00:00.000Z')
  assert.equal(byBox.get('TRHU1000010')?.statements.length, 1)
  assert.deepEqual(issues, [])
})
