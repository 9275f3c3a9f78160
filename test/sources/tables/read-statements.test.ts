// Rows of a container table are read without guessing: units, days and words with two meanings are refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { writeObservation } from '../../../src/core/notation/notation.ts'
import type { SourceKind } from '../../../src/core/statements/observation.ts'
import {
  readHoldStatus,
  readMoment,
  readNumber,
  readWeight,
} from '../../../src/sources/tables/cell-values.ts'
import { type ColumnMap, plainMap, readColumnMap } from '../../../src/sources/tables/column-map.ts'
import { findColumns } from '../../../src/sources/tables/find-columns.ts'
import {
  fieldsByHeading,
  headingKey,
  statementFields,
  tableFields,
} from '../../../src/sources/tables/headings.ts'
import { type RowStatements, readStatementRows } from '../../../src/sources/tables/read-statements.ts'

function rowsOf(
  cells: readonly (readonly string[])[],
  map: ColumnMap = plainMap,
  speaker: SourceKind = 'terminal',
) {
  const found = findColumns(
    { rows: cells.map((each, at) => ({ number: at + 1, cells: each })) },
    map,
    statementFields,
  )
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
/** Fact and value of each, or the event's words. */
const said = ({ observations }: RowStatements) =>
  observations.map((each) =>
    each.kind === 'fact'
      ? [each.fact, each.value]
      : [each.code, each.load, each.classifier, each.time, each.place.unlocode],
  )
const box = 'MSCU4000005'
const day = (on: string) => ({ kind: 'day', on })

test('a terminal’s row is free time, holds, fees, availability, appointment, place, weight and seal', () => {
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
  assert.equal(row.containerNumber, box)
  assert.deepEqual(said(row), [
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

test('columns of days are what happened, at the port that the row names', () => {
  const row = only(
    ['Container', 'MBL', 'POD', 'ATA', 'Discharged', 'Gate Out', 'Empty Returned', 'ETA'],
    [box, 'MEDU1', 'USLAX', '2026-01-05', '2026-01-06T10:00', '2026/01/08', '9 Jan 2026', '2026-01-04'],
  )
  assert.deepEqual(said(row), [
    ['port_of_discharge', (row.observations[0] as { value: unknown }).value],
    ['ARRI', null, 'ACT', day('2026-01-05'), 'USLAX'],
    ['DISC', 'LADEN', 'ACT', { kind: 'local', local: '2026-01-06T10:00:00' }, 'USLAX'],
    ['GTOT', 'LADEN', 'ACT', day('2026-01-08'), null],
    ['GTIN', 'EMPTY', 'ACT', day('2026-01-09'), null],
    ['ARRI', null, 'EST', day('2026-01-04'), 'USLAX'],
  ])
})

test('the same box in March and in September is two, unless one document holds both', () => {
  const keysOf = (cells: readonly string[]) =>
    only(['Container', 'Booking', 'Gate out'], cells).observations.map(({ key }) => key)
  assert.notDeepEqual(keysOf([box, '', '2026-03-01']), keysOf([box, '', '2026-09-01']))
  assert.deepEqual(keysOf([box, 'B1', '2026-03-01']), keysOf([box, 'B1', '2026-03-02']))
  const estimates = (on: string) => only(['Container', 'ETA'], [box, on]).observations.map(({ key }) => key)
  assert.deepEqual(estimates('2026-03-01'), estimates('2026-03-05'))
})

test('a list of holds is all of them, "none" that there are none, and nothing says nothing', () => {
  const holds = (cell: string) =>
    said(only(['Container', 'Holds', 'Seal'], [box, cell, 's'])).filter(([fact]) => fact === 'holds')
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
    only(['Container', 'Holds'], [box, 'YES']).faults.map(({ field }) => field),
    ['holds'],
  )
})

test('a cell that cannot be read is told with its field, and the rest of the row is read', () => {
  const row = only(
    ['Container', 'LFD', 'Available', 'Seal', 'Weight', 'Demurrage'],
    [box, '05/01/2026', 'perhaps', 'S1', '20000', '#N/A'],
  )
  assert.deepEqual(
    row.faults.map(({ field }) => field),
    ['last_free_day', 'available', 'weight', 'fee_demurrage'],
  )
  assert.deepEqual(said(row), [['seal_number', 'S1']])
  for (const [number, pattern] of [
    ['MSCU4000006', /check digit/],
    ['', /names no container/],
    ['HELLO', /not a container number/],
  ] as const) {
    const wrong = only(['Container', 'Seal'], [number, 'S1'])
    assert.deepEqual([wrong.observations, pattern.test(wrong.faults[0]?.detail ?? '')], [[], true], number)
  }
})

test('whose last free day it is, the speaker or the heading says', () => {
  const fact = (heading: string, speaker: SourceKind) =>
    only(['Container', heading], [box, '2026-01-05'], plainMap, speaker)
  assert.deepEqual(said(fact('LFD', 'shipping_line')), [['pickup_lfd_line', day('2026-01-05')]])
  assert.deepEqual(said(fact('LFD', 'rail')), [['pickup_lfd_rail', day('2026-01-05')]])
  assert.deepEqual(said(fact('Line LFD', 'user')), [['pickup_lfd_line', day('2026-01-05')]])
  assert.deepEqual(
    fact('LFD', 'user').faults.map(({ field }) => field),
    ['last_free_day'],
  )
})

test('a last free day under two headings of one sender is one statement, and a difference is reported', () => {
  const row = (...days: readonly string[]) =>
    only(['Container', 'LFD', 'Terminal LFD'], [box, ...days], plainMap, 'terminal')
  for (const [days, used, faults] of [
    [['2026-01-05', '2026-01-05'], '2026-01-05', 0],
    [['2026-01-05', ''], '2026-01-05', 0],
    [['2026-01-05', '2026-01-07'], '2026-01-07', 1],
  ] as const) {
    assert.deepEqual(said(row(...days)), [['pickup_lfd_terminal', day(used)]])
    assert.equal(row(...days).faults.length, faults)
  }
})

describe('what may mean two things', () => {
  test('is no day until the map says which', () => {
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
    for (const text of ['25/01/26', '2026-02-30', '46047', 'soon', '5 Foo 2026', ''])
      assert.equal(on(text), null, text)
    assert.deepEqual(on('01/25/2026 2:30 PM'), { kind: 'local', local: '2026-01-25T14:30:00' })
    assert.deepEqual(on('2026-01-25T14:30:00Z'), { kind: 'instant', at: '2026-01-25T14:30:00.000Z' })
  })

  test('is no number, and no weight without its unit', () => {
    const number = (text: string, decimalMark: ColumnMap['decimalMark'] = null) => {
      const reading = readNumber(text, { decimalMark })
      return reading.ok ? reading.value : null
    }
    assert.deepEqual(
      ['1,200', '1.200', '1,20', '1.5', '1,200.50', '1.200,50', '1,200,300', '1 200', '12a', '1,20,3'].map(
        (text) => number(text),
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

  test('is no hold: "yes" under a heading that does not ask for one', () => {
    assert.equal(readHoldStatus('YES', false).ok, false)
    assert.equal(readHoldStatus('YES', true).ok, true)
    assert.equal(only(['Container', 'Customs Status'], [box, 'Y']).faults.length, 1)
  })
})

test('every usual heading leads to its field, and to no second one', () => {
  for (const [key, fields] of fieldsByHeading) assert.equal(fields.length, 1, key)
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

test('whatever stands in the cells and in the map, nothing is thrown, and what is read can be written down', () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom(
      box,
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
        const rows = [['container_number', ...fields], ...cells.map((each) => [box, ...each])].map(
          (each, at) => ({ number: at + 1, cells: each.map((text) => text.trim()) }),
        )
        const found = findColumns({ rows }, plainMap, statementFields)
        assert.ok(found.ok)
        for (const { observations } of readStatementRows(found, plainMap, speaker)) {
          for (const each of observations)
            assert.ok(writeObservation(each, { kind: speaker, code: 'X' }).length > 0)
          assert.equal(new Set(observations.map(({ key }) => key)).size, observations.length)
        }
      },
    ),
    { numRuns: 300 },
  )
})
