// Rows of a container table are read without guessing: ambiguous units, days and texts are refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readHoldStatus, readMoment, readNumber, readWeight } from '../../../src/connectors/spreadsheets/cell-values.ts'
import { type ColumnMap, plainMap, readColumnMap } from '../../../src/connectors/spreadsheets/column-map.ts'
import { findColumns } from '../../../src/connectors/spreadsheets/find-columns.ts'
import {
  fieldsByHeading,
  headingKey,
  statementFields,
  tableFields,
} from '../../../src/connectors/spreadsheets/headings.ts'
import { type RowStatements, readStatementRows } from '../../../src/connectors/spreadsheets/read-statements.ts'
import { writeObservation } from '../../../src/domain/notation/notation.ts'
import type { SourceKind } from '../../../src/domain/statements/observation.ts'

function rowsOf(cells: readonly (readonly string[])[], map: ColumnMap = plainMap, speaker: SourceKind = 'terminal') {
  const found = findColumns({ rows: cells.map((each, at) => ({ number: at + 1, cells: each })) }, map, statementFields)
  assert.ok(found.ok)
  return readStatementRows(found, map, speaker)
}
function only(
  headings: readonly string[],
  cells: readonly string[],
  map?: ColumnMap,
  speaker?: SourceKind,
): RowStatements {
  const [row] = rowsOf([headings, cells], map, speaker)
  assert.ok(row)
  return row
}
/** Fact and value of each, or the codes of the event. */
const stated = ({ observations }: RowStatements) =>
  observations.map((each) =>
    each.kind === 'fact'
      ? [each.fact, each.value]
      : [each.code, each.load, each.classifier, each.time, each.place.unlocode],
  )
const container = 'MSCU4000005'
const day = (on: string) => ({ kind: 'day', on })

test('a terminal’s row gives free time, holds, fees, availability, appointment, place, weight and seal', () => {
  const headings = [
    'Container #',
    'LFD',
    'Customs Hold',
    'Freight Status',
    'Demurrage',
    'Total Fees',
    'Currency',
    'Available',
    'Appt',
    'Yard Location',
    'Chassis',
    'Weight (lbs)',
    'Seal No',
    'Return By',
  ]
  const cells = [
    'mscu 400000-5',
    '2026-01-05',
    'Y',
    'Released',
    '120.50',
    '$ 300',
    'usd',
    'NO',
    '2026-01-06 14:30',
    'B12',
    'ABCZ123',
    '44,092.5',
    'S1',
    '20-Jan-2026',
  ]
  const map: ColumnMap = { ...plainMap, decimalMark: '.' }
  const row = only(headings, cells, map)
  assert.deepEqual(row.faults, [])
  assert.equal(row.containerNumber, container)
  assert.deepEqual(stated(row), [
    ['pickup_lfd_terminal', day('2026-01-05')],
    ['pickup_appointment', { kind: 'local', local: '2026-01-06T14:30:00' }],
    ['empty_return_by', day('2026-01-20')],
    ['available', false],
    ['yard_location', 'B12'],
    ['chassis_number', 'ABCZ123'],
    ['seal_number', 'S1'],
    ['weight_kg', 20_000.022],
    ['hold', { name: 'freight', status: 'released', description: null }],
    ['hold', { name: 'customs', status: 'hold', description: null }],
    ['fee', { type: 'demurrage', status: 'due', amount: 120.5, currencyCode: 'USD', description: null }],
    ['fee', { type: 'total', status: 'due', amount: 300, currencyCode: 'USD', description: null }],
  ])
})

test('a column of days gives events at the port that the row names', () => {
  const row = only(
    ['Container', 'MBL', 'POD', 'ATA', 'Discharged', 'Gate Out', 'Empty Returned', 'ETA'],
    [container, 'MEDU1', 'USLAX', '2026-01-05', '2026-01-06T10:00', '2026/01/08', '9 Jan 2026', '2026-01-04'],
  )
  assert.deepEqual(stated(row), [
    ['port_of_discharge', (row.observations[0] as { value: unknown }).value],
    ['ARRI', null, 'ACT', day('2026-01-05'), 'USLAX'],
    ['DISC', 'LADEN', 'ACT', { kind: 'local', local: '2026-01-06T10:00:00' }, 'USLAX'],
    ['GTOT', 'LADEN', 'ACT', day('2026-01-08'), null],
    ['GTIN', 'EMPTY', 'ACT', day('2026-01-09'), null],
    ['ARRI', null, 'EST', day('2026-01-04'), 'USLAX'],
  ])
})

test('moves of one container in March and September have different keys if no document is named', () => {
  const keysOf = (cells: readonly string[]) =>
    only(['Container', 'Booking', 'Gate out'], cells).observations.map(({ key }) => key)
  assert.notDeepEqual(keysOf([container, '', '2026-03-01']), keysOf([container, '', '2026-09-01']))
  assert.deepEqual(keysOf([container, 'B1', '2026-03-01']), keysOf([container, 'B1', '2026-03-02']))
  const estimates = (on: string) => only(['Container', 'ETA'], [container, on]).observations.map(({ key }) => key)
  assert.deepEqual(estimates('2026-03-01'), estimates('2026-03-05'))
})

test('a list of holds is complete, "none" means no holds, and an empty cell states nothing', () => {
  const holds = (cell: string) =>
    stated(only(['Container', 'Holds', 'Seal'], [container, cell, 's'])).filter(([fact]) => fact === 'holds')
  assert.deepEqual(holds('CUSTOMS; Line Hold, X-Ray'), [
    [
      'holds',
      [
        { name: 'customs', status: 'hold', description: null },
        { name: 'freight', status: 'hold', description: null },
        { name: 'other', status: 'hold', description: 'X-Ray' },
      ],
    ],
  ])
  assert.deepEqual(holds('NONE'), [['holds', []]])
  assert.deepEqual(holds(''), [])
  assert.deepEqual(
    only(['Container', 'Holds'], [container, 'YES']).faults.map(({ field }) => field),
    ['holds'],
  )
})

test('the table reader reports an unreadable cell with its field, and reads the rest of the row', () => {
  const row = only(
    ['Container', 'LFD', 'Available', 'Seal', 'Weight', 'Demurrage'],
    [container, '05/01/2026', 'perhaps', 'S1', '20000', '#N/A'],
  )
  assert.deepEqual(
    row.faults.map(({ field }) => field),
    ['last_free_day', 'available', 'weight', 'fee_demurrage'],
  )
  assert.deepEqual(stated(row), [['seal_number', 'S1']])
  for (const [number, pattern] of [
    ['MSCA4000006', /not a container number/],
    ['', /names no container/],
    ['HELLO', /not a container number/],
  ] as const) {
    const wrong = only(['Container', 'Seal'], [number, 'S1'])
    assert.deepEqual([wrong.observations, pattern.test(wrong.faults[0]?.detail ?? '')], [[], true], number)
  }
})

test('reads a container with a wrong or missing check digit, and its row reports an issue', () => {
  for (const [cell, number] of [
    ['MSCU4000006', 'MSCU4000006'],
    ['MSCU 400000', 'MSCU4000005'],
  ] as const) {
    const row = only(['Container', 'Seal'], [cell, 'S1'])
    assert.deepEqual([row.containerNumber, stated(row)], [number, [['seal_number', 'S1']]])
    assert.match(row.faults[0]?.detail ?? '', /check digit/)
  }
})

test('a cell may contain the time 24:00, a second of 60, or an hour without minutes', () => {
  const at = (cell: string) => stated(only(['Container', 'POD', 'ATA'], [container, 'USLAX', cell]))[1]?.[3]
  const local = (text: string) => ({ kind: 'local', local: text })
  assert.deepEqual(at('2026-01-05 24:00'), local('2026-01-06T00:00:00'))
  assert.deepEqual(at('31.12.2026 24:00'), local('2027-01-01T00:00:00'))
  assert.deepEqual(at('5 Jan 2026 23:59:60'), local('2026-01-06T00:00:00'))
  assert.deepEqual(at('13/01/2026 14'), local('2026-01-13T14:00:00'))
  assert.deepEqual(at('5 Jan 2026, 2 pm'), local('2026-01-05T14:00:00'))
  assert.equal(at('2026-01-05 24:30'), undefined)
})

test('the column heading or the kind of sender decides which kind of last free day is stated', () => {
  const fact = (heading: string, speaker: SourceKind) =>
    only(['Container', heading], [container, '2026-01-05'], plainMap, speaker)
  assert.deepEqual(stated(fact('LFD', 'shipping_line')), [['pickup_lfd_line', day('2026-01-05')]])
  assert.deepEqual(stated(fact('LFD', 'rail')), [['pickup_lfd_rail', day('2026-01-05')]])
  assert.deepEqual(stated(fact('Line LFD', 'user')), [['pickup_lfd_line', day('2026-01-05')]])
  assert.deepEqual(
    fact('LFD', 'user').faults.map(({ field }) => field),
    ['last_free_day'],
  )
})

test('two different last free days of one sender in a row are reported', () => {
  const row = (...days: readonly string[]) =>
    only(['Container', 'LFD', 'Terminal LFD'], [container, ...days], plainMap, 'terminal')
  for (const [days, used, faults] of [
    [['2026-01-05', '2026-01-05'], '2026-01-05', 0],
    [['2026-01-05', ''], '2026-01-05', 0],
    [['2026-01-05', '2026-01-07'], '2026-01-07', 1],
  ] as const) {
    assert.deepEqual(stated(row(...days)), [['pickup_lfd_terminal', day(used)]])
    assert.equal(row(...days).faults.length, faults)
  }
})

describe('ambiguous text', () => {
  test('is no day until the column map states the format', () => {
    const on = (text: string, dayFormat: ColumnMap['dayFormat'] = null) => {
      const reading = readMoment(text, { dayFormat })
      return reading.ok ? (reading.value.kind === 'day' ? reading.value.on : reading.value) : null
    }
    assert.equal(on('05/01/2026'), null)
    assert.equal(on('05/01/2026', 'DD/MM/YYYY'), '2026-01-05')
    assert.equal(on('05/01/2026', 'MM/DD/YYYY'), '2026-05-01')
    assert.equal(on('25/01/2026', 'MM/DD/YYYY'), null)
    for (const text of [
      '25/01/2026',
      '01/25/2026',
      '25.1.2026',
      'Jan 25, 2026',
      '25 January 2026',
      '2026-01-25',
      '2026/1/25',
    ])
      assert.equal(on(text), '2026-01-25', text)
    for (const text of ['25/01/26', '2026-02-30', '46047', 'soon', '5 Foo 2026', '']) assert.equal(on(text), null, text)
    assert.deepEqual(on('01/25/2026 2:30 PM'), { kind: 'local', local: '2026-01-25T14:30:00' })
    assert.deepEqual(on('2026-01-25T14:30:00Z'), { kind: 'instant', at: '2026-01-25T14:30:00.000Z' })
  })

  test('is not read as a number, or as a weight without a unit', () => {
    const number = (text: string, decimalMark: ColumnMap['decimalMark'] = null) => {
      const reading = readNumber(text, { decimalMark })
      return reading.ok ? reading.value : null
    }
    assert.deepEqual(
      ['1,200', '1.200', '1,20', '1.5', '1,200.50', '1.200,50', '1,200,300', '1 200', '12a', '1,20,3'].map((text) =>
        number(text),
      ),
      [null, null, 1.2, 1.5, 1_200.5, 1_200.5, 1_200_300, 1_200, null, null],
    )
    assert.deepEqual([number('1,200', '.'), number('1,200', ','), number('1.200', ',')], [1_200, 1.2, 1_200])
    const weight = (text: string, ofColumn: 'kg' | 'lb' | null = null) => {
      const reading = readWeight(text, plainMap, ofColumn)
      return reading.ok ? reading.value : null
    }
    assert.deepEqual(
      [
        weight('20000'),
        weight('20000 kg'),
        weight('1000 lbs'),
        weight('1000', 'lb'),
        weight('1000 kg', 'lb'),
        weight('0', 'kg'),
      ],
      [null, 20_000, 453.592, 453.592, null, null],
    )
  })

  test('is not read as a hold if its heading does not ask for a hold', () => {
    assert.equal(readHoldStatus('YES', false).ok, false)
    assert.equal(readHoldStatus('YES', true).ok, true)
    assert.equal(only(['Container', 'Customs Status'], [container, 'Y']).faults.length, 1)
  })
})

test('every usual heading leads to exactly one field of a kind of table', () => {
  for (const [key, fields] of fieldsByHeading)
    assert.ok(fields.filter((field) => tableFields.includes(field)).length <= 1, key)
  assert.ok(fieldsByHeading.size > tableFields.length)
  for (const [heading, field] of [
    ['Container No.', 'container_number'],
    ['CNTR #', 'container_number'],
    ['Master B/L', 'bill_of_lading_number'],
    ['BKG No', 'booking_number'],
    ['Gross Weight (KGS)', 'weight_kg'],
  ] as const)
    assert.deepEqual(fieldsByHeading.get(headingKey(heading)), [field], heading)
  for (const heading of ['HBL', 'House B/L', 'House Bill of Lading'])
    assert.equal(fieldsByHeading.get(headingKey(heading)), undefined, heading)
})

test('no cell and no column map makes the reader throw', () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom(
      container,
      '2026-01-05',
      '05/01/2026',
      '1,200',
      'USD 12',
      'Y',
      'NONE',
      'HOLD',
      '#REF!',
      'USLAX',
      '12 kg',
    ),
  )
  const headings = tableFields.filter((field) => fieldsByHeading.get(headingKey(field))?.length === 1)
  fc.assert(
    fc.property(
      fc.subarray(headings, { minLength: 1 }),
      fc.array(fc.array(cell, { maxLength: 60 }), { maxLength: 4 }),
      fc.constantFrom<SourceKind>('terminal', 'shipping_line', 'rail', 'user'),
      fc.anything(),
      (fields, cells, speaker, anything) => {
        assert.equal(typeof readColumnMap(anything).ok, 'boolean')
        const rows = [['container_number', ...fields], ...cells.map((each) => [container, ...each])].map(
          (each, at) => ({ number: at + 1, cells: each.map((text) => text.trim()) }),
        )
        const found = findColumns({ rows }, plainMap, statementFields)
        assert.ok(found.ok)
        for (const { observations } of readStatementRows(found, plainMap, speaker)) {
          for (const each of observations) assert.ok(writeObservation(each, { kind: speaker, code: 'X' }).length > 0)
          assert.equal(new Set(observations.map(({ key }) => key)).size, observations.length)
        }
      },
    ),
    { numRuns: 300 },
  )
})
