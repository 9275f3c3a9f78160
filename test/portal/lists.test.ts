// The lists of the portal: what must be done by when, the slip of an arrival, presets, the order, and exported files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAct } from '../../portal/src/lists/act.ts'
import type { Cargo, Value } from '../../portal/src/lists/list-row.ts'
import { boxPhases, cargoPhases, phaseOf } from '../../portal/src/lists/phases.ts'
import { directionOf, nextOrder } from '../../portal/src/lists/sorting.ts'
import { toCsv } from '../../portal/src/lists/to-csv.ts'
import { writeSheet } from '../../portal/src/lists/to-xlsx.ts'
import { slipOf, slipWords } from '../../portal/src/parts/slip.ts'
import { readTable } from '../../src/connectors/spreadsheets/read-table.ts'
import { containerStatuses } from '../../src/domain/view/projection.ts'

const today = '2026-11-28'
const hold = (name: string) => ({ name, status: 'hold' as const, description: null })
const act = (on: string, reason: 'free_time' | 'hold' | 'train', holds: readonly string[] = []) => {
  const found = describeAct({ act_by: { on, reason }, holds_at_pod_terminal: holds.map(hold) }, today)
  return found === null ? null : `${found.what} · ${found.when} · ${found.tone} · ${found.why}`
}

test('a container says what must be done, by when and why', () => {
  assert.equal(act('2026-11-27', 'free_time'), 'Pick up · 1 day over · late · Free time ended Fri 27 Nov, 1 day over')
  assert.equal(act('2026-11-29', 'free_time'), 'Pick up · tomorrow · soon · Free time ends Sun 29 Nov, tomorrow')
  assert.match(act('2026-12-04', 'free_time') ?? '', /^Pick up · 6 days left · {2}· /)
  assert.equal(
    act('2026-11-25', 'hold', ['customs']),
    'Customs hold · since 25 Nov · late · Held since Wed 25 Nov: Customs',
  )
  assert.match(act('2026-11-25', 'hold', ['customs', 'freight']) ?? '', /^2 holds · since 25 Nov/)
  assert.match(act('2026-11-26', 'train') ?? '', /^Waits for train · 5 days · soon/)
  assert.match(act('2026-08-01', 'free_time') ?? '', /^Check · 119 days over · {2}· .*no pick-up was reported$/)
  assert.equal(describeAct({ act_by: null }, today), null)
})

test('the slip of an arrival is counted in days at its place', () => {
  const cargo = { pod_original_eta_at: '2026-12-04T02:00:00Z', pod_timezone: 'America/Los_Angeles' } as Cargo
  assert.deepEqual(slipOf('2026-12-06T20:00:00Z', cargo), { days: 3, first: '2026-12-03', tone: 'late' })
  assert.deepEqual(slipOf('2026-12-05T01:00:00Z', cargo), { days: 1, first: '2026-12-03', tone: 'soon' })
  assert.equal(slipOf('2026-12-03T20:00:00Z', cargo), null, 'the same day there, although another in UTC')
  assert.equal(slipOf(null, cargo), null)
  assert.deepEqual([slipWords(3), slipWords(-1)], ['+3 d', '−1 d'])
})

test('each status of a container is in one preset, and an address names the preset by its filters', () => {
  const statuses = boxPhases.flatMap(({ id, filters }) =>
    id === 'arriving' ? [] : (filters['status'] ?? '').split(','),
  )
  assert.deepEqual(statuses.filter(Boolean).toSorted(), [...containerStatuses].toSorted())
  for (const phases of [boxPhases, cargoPhases])
    for (const phase of phases) assert.equal(phaseOf(phases, phase.filters), phase)
  assert.equal(phaseOf(boxPhases, { status: 'available', pod: 'USLAX' })?.id, 'at_terminal', 'a part of its statuses')
  assert.equal(phaseOf(boxPhases, { status: 'available,on_ship' }), null)
  assert.equal(phaseOf(boxPhases, { arrival: 'today' }), null)
})

test('a press on a head sorts one way, then the other, then by urgency again', () => {
  const arrival = { sort: 'arrival' }
  assert.deepEqual(
    ['urgency', 'arrival', '-arrival'].map((order) => nextOrder(arrival, order)),
    ['arrival', '-arrival', ''],
  )
  assert.equal(nextOrder({ ...arrival, isGreatestFirst: true }, 'urgency'), '-arrival')
  assert.deepEqual(
    ['arrival', '-arrival', 'number'].map((order) => directionOf(arrival, order)),
    ['ascending', 'descending', null],
  )
})

const heads = ['Container', 'Arrival', 'Appointment', 'Days later', 'Customer']
const rows: readonly (readonly Value[])[] = [
  ['MSCU4000005', { at: '2026-11-27' }, { at: '2026-11-28T14:30' }, 3, 'ACME, "Imports"'],
  ['MSCU4000010', null, null, null, '=1+1'],
]

test('an exported CSV has a byte order mark, days, and no cell that is run as a formula', () => {
  assert.deepEqual(toCsv(heads, rows).split('\r\n'), [
    '\uFEFFContainer,Arrival,Appointment,Days later,Customer',
    'MSCU4000005,2026-11-27,2026-11-28 14:30,3,"ACME, ""Imports"""',
    "MSCU4000010,,,,'=1+1",
  ])
})

test('an exported workbook of 10,000 rows is read by another reader, with days as dates', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => rows[at % 2] ?? [])
  const bytes = Buffer.from(await (await writeSheet(heads, many, 'Containers')).arrayBuffer())
  const read = await readTable(bytes, { sheet: null })
  assert.ok(read.ok, JSON.stringify(read))
  const { sheets, rows: found } = read.table
  assert.deepEqual(sheets, ['Containers'])
  assert.equal(found.length, 10_001)
  assert.deepEqual(found[0]?.cells, heads)
  assert.deepEqual(found[1]?.cells, ['MSCU4000005', '2026-11-27', '2026-11-28T14:30:00', '3', 'ACME, "Imports"'])
  assert.equal(found[2]?.cells[4], '=1+1')
})
