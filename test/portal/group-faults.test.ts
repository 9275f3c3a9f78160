// The faults of a table, as the portal shows them: by column, at most five.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupFaults } from '../../portal/src/charges/group-faults.ts'

const faultOf = (row: number, field: string, problem: string, meta: object = {}) => ({
  status: '422',
  detail: `Row ${row}: \`${field}\` ${problem}.`,
  source: { pointer: `/${row}/${field}` },
  meta: { ...meta },
})

test('a hundred faults of a table are shown as five problems at most, each with all its rows, by column', () => {
  const rows = Array.from({ length: 30 }, (_, at) => at + 2)
  const faults = rows.flatMap((row) => [
    faultOf(row, 'from', 'must be a day, such as 2026-01-31', { heading: 'Start' }),
    faultOf(row, 'rate', 'must be an amount of USD, such as 1200.00', { heading: 'Tariff' }),
    faultOf(row, `extra${row}`, 'is wrong'),
  ])
  const { columns, more } = groupFaults([...faults, faultOf(40, 'from', 'is late', { heading: 'Start' })])
  assert.deepEqual(
    columns.map(({ title, problems }) => [title, problems.map(({ rows: of }) => of.length)]),
    [
      ['Start', [30]],
      ['Tariff', [30]],
      ['Extra2', [1]],
      ['Extra3', [1]],
      ['Extra4', [1]],
    ],
  )
  assert.equal(columns[0]?.problems[0]?.text, 'must be a day, such as 2026-01-31.')
  assert.equal(more, 28)
})

test('a column that is missing is shown with the headings that are recognised', () => {
  const { columns } = groupFaults([faultOf(1, 'from', 'has no column', { accepted_headings: ['from', 'start date'] })])
  assert.deepEqual(columns, [
    { title: 'From', accepted: ['from', 'start date'], problems: [{ text: 'has no column.', rows: [1] }] },
  ])
})

test('a fault in what was read of a paper names the field and the line', () => {
  const fault = {
    status: '422',
    detail: '`rate` must be an amount.',
    source: { pointer: '/data/attributes/lines/1/rate_minor' },
  }
  assert.deepEqual(groupFaults([fault]).columns[0]?.title, 'Rate')
  assert.deepEqual(groupFaults([fault]).columns[0]?.problems, [{ text: 'must be an amount.', rows: [2] }])
  const given = { status: '422', detail: '`currency` must be a code.', source: { parameter: 'currency' } }
  assert.deepEqual(groupFaults([given]).columns, [
    { title: 'Currency', accepted: [], problems: [{ text: 'must be a code.', rows: [] }] },
  ])
  const whole = { status: '422', detail: 'The table has no rows.' }
  assert.deepEqual(groupFaults([whole]).columns[0]?.problems, [{ text: 'The table has no rows.', rows: [] }])
})
