// A written statement is read back as the same; so a table states the same as JSON.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainMap } from '../../../src/connectors/spreadsheets/column-map.ts'
import { findColumns } from '../../../src/connectors/spreadsheets/find-columns.ts'
import { statementFields } from '../../../src/connectors/spreadsheets/headings.ts'
import { readStatementRows } from '../../../src/connectors/spreadsheets/read-statements.ts'
import { readStatement } from '../../../src/connectors/statements/statement.ts'
import { openStatementsSource } from '../../../src/connectors/statements/statements-source.ts'
import { writeStatement } from '../../../src/connectors/statements/write-statement.ts'
import type { JsonObject } from '../../../src/domain/values/json-value.ts'

const container = 'APZU4812090'
const read = (statement: JsonObject) => {
  const found = readStatement(statement)
  assert.ok(found.kind === 'statement', JSON.stringify(found))
  assert.ok(found.observation)
  return found.observation
}

test('every kind of fact and event is read back as it was written', () => {
  const stated: readonly JsonObject[] = [
    { says: 'weight_kg', value: 12_345.5 },
    { says: 'available', value: false },
    { says: 'pickup_lfd_line', value: '2026-02-07' },
    { says: 'pickup_appointment', value: '2026-02-07T09:00' },
    { says: 'hold', value: { name: 'customs', status: 'hold', description: 'exam' } },
    { says: 'holds', value: [{ name: 'freight', status: 'pending' }] },
    { says: 'fee', value: { type: 'demurrage', status: 'due', amount: 120.5, currency: 'USD' } },
    { says: 'fees', value: [{ type: 'exam', amount: 3, currency: 'EUR' }] },
    { says: 'empty_return_place', value: { name: 'a yard that nobody knows' } },
    { says: 'port_of_discharge', value: 'USLAX' },
    { says: 'delivered', value: null },
    { says: 'delivered', value: '2026-02-07T09:00:00-08:00', retracted: true },
    { says: 'GTOT', load: 'LADEN', mode: 'TRUCK', at: '2026-02-07', words: 'full_out' },
    { says: 'other', words: 'seen at the gate', at: '2026-02-07T10:00' },
    {
      says: 'vessel_arrived',
      classifier: 'estimated',
      at: '2026-02-09T10:00:00-08:00',
      place: { unlocode: 'USLAX', name: 'Los Angeles' },
      vessel: { imo: '9321483', name: 'King of the Seas' },
      voyage: '012E',
      call: 'c1',
      call_sequence: 3,
    },
  ]
  for (const each of stated) {
    const first = read({
      container: container,
      bill: 'HHL71800000',
      written_at: '2026-02-03T18:05:00Z',
      ...each,
    })
    const written = writeStatement(first, { numbers: { bill: 'HHL71800000', booking: null }, note: 'n' })
    assert.deepEqual(read(written), first)
  }
})

test('a table row gives the same observations as a written statement, except for the key', () => {
  const headings = 'Container,B/L,LFD,Customs Hold,Demurrage,Currency,Weight (kg),POD,ATA,Discharged,Gate out'
  const cells = 'MSCU4000005,HHL71800000,2026-02-07,Yes,120,USD,1000,USLAX,2026-02-01,2026-02-02,2026-02-03 10:00'
  const rows = [headings, cells].map((line, at) => ({ number: at + 1, cells: line.split(',') }))
  const found = findColumns({ rows }, plainMap, statementFields)
  assert.ok(found.ok)
  const [row] = readStatementRows(found, plainMap, 'terminal')
  assert.ok(row)
  assert.ok(row.observations.length >= 7)
  const { billOfLadingNumber: bill } = row
  for (const each of row.observations) {
    const { key, ...back } = read(writeStatement(each, { numbers: { bill, booking: null }, note: 'n' }))
    const { key: own, ...stated } = each
    assert.deepEqual(back, stated, `${own} ${key}`)
  }
})

test('two statements with equal content and time are one delivery, even without an id', () => {
  const keysOf = (statement: JsonObject) => {
    const stated = { container: container, says: 'available', value: true, ...statement }
    return openStatementsSource()
      .splitDelivery(Buffer.from(JSON.stringify(stated)), {})
      .parts.map(({ deliveryKey }) => deliveryKey)
  }
  const written = { written_at: '2026-02-03T18:05:00Z' }
  assert.deepEqual(keysOf(written), keysOf(written))
  assert.notEqual(keysOf(written)[0], null)
  assert.notDeepEqual(keysOf(written), keysOf({ ...written, value: false }))
  assert.notDeepEqual(keysOf(written), keysOf({ written_at: '2026-02-04T18:05:00Z' }))
  assert.deepEqual(keysOf({}), [null])
})
