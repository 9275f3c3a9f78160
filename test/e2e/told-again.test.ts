import assert from 'node:assert/strict'
import test from 'node:test'
import { type EventRow, findToldAgain } from '../../qa/kill/checks.ts'

const theme = 'shipment.estimated.arrival s1 2026-01-10'

function arrival(sequence: number, eta: string, about = theme): EventRow {
  const name = 'shipment.estimated.arrival'
  return { id: `e${sequence}`, account_id: 'a', sequence, name, theme: about, natural_key: `${about} ${eta}` }
}

test('an estimate that changes and changes back is not reported as a repeated event', () => {
  assert.deepEqual(findToldAgain([arrival(1, '5th'), arrival(2, '7th'), arrival(3, '5th')]), [])
})

test('an equal estimate that is sent twice in a row is reported as a repeated event', () => {
  const of = (rows: readonly EventRow[]) => findToldAgain(rows)
  const told = ['told again under a new id: shipment.estimated.arrival e2']
  assert.deepEqual(of([arrival(1, '5th'), arrival(2, '5th')]), told)
  const between = arrival(3, '7th', 'shipment.estimated.arrival s2 2026-01-10')
  assert.deepEqual(of([arrival(1, '5th'), between, arrival(4, '5th')]), [
    'told again under a new id: shipment.estimated.arrival e4',
  ])
})

test('an equal event row is reported as a repeated event even after other rows', () => {
  const row = (sequence: number, of: string): EventRow => ({
    ...arrival(sequence, ''),
    name: 'container.transport.available',
    theme: 'container.transport.available s1 c1 2026-01-10',
    natural_key: `container.transport.available ${of}`,
  })
  assert.deepEqual(findToldAgain([row(1, 'r1'), row(2, 'r2'), row(3, 'r1')]), [
    'told again under a new id: container.transport.available e3',
  ])
})
