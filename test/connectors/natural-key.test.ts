/** Keys of statements without an id of their sender. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { naturalKey } from '../../src/connectors/natural-key.ts'
import { parseJourneyLine } from '../../src/domain/notation/notation.ts'
import { zones } from '../support/zones.ts'

function keyOf(line: string, document: string | null = null): string {
  const context = { equipment: 'TCNU1234565', timeZoneOf: (code: string) => zones.get(code) ?? null }
  const read = parseJourneyLine(line, context)
  if (read.kind !== 'said') assert.fail(JSON.stringify(read))
  return naturalKey(read.observation, document)
}

const march = 'ACT GTOT LADEN USLAX 2026-03-10T17:00Z terminal:Y258'
const september = 'ACT GTOT LADEN USLAX 2026-09-11T17:00Z terminal:Y258'

test('a gate move in March and one in September by the same container do not share a key', () => {
  assert.notEqual(keyOf(march), keyOf(september))
  assert.notEqual(keyOf(march, 'HLCUHKG260116'), keyOf(september, 'HLCUHKG260701'))
})

test('a move of one document keeps its key when its time is corrected, even to another day', () => {
  assert.equal(keyOf(march, 'B1'), keyOf(march.replace('03-10T17', '03-11T03'), 'B1'))
})

test('without a document the key of a move contains its day at the place, or the day as it was written', () => {
  const evening = 'ACT GTOT LADEN USLAX 2026-03-10T18:00-07:00 terminal:Y258'
  assert.match(keyOf(evening), /\|2026-03-10$/)
  assert.match(keyOf(evening.replace('USLAX', '-')), /\|2026-03-11$/)
  assert.match(keyOf(march.replace('T17:00Z', '')), /\|2026-03-10$/)
  assert.match(keyOf(march.replace('17:00Z', '23:30')), /\|2026-03-10$/)
})

test('an estimate keeps its key when its time changes', () => {
  const expected = march.replace('ACT', 'EST')
  assert.equal(keyOf(expected), keyOf(expected.replace('03-10', '03-14')))
})

test('a hold and its release have the same key, and different holds have different keys', () => {
  const hold = keyOf('FACT hold customs:hold:"exam" terminal:Y258')
  assert.equal(keyOf('FACT hold customs:released terminal:Y258'), hold)
  assert.notEqual(keyOf('FACT hold freight:hold terminal:Y258'), hold)
  const lien = keyOf('FACT hold other:hold:"Line  lien" terminal:Y258')
  assert.equal(keyOf('FACT hold other:released:"LINE LIEN" terminal:Y258'), lien)
  assert.notEqual(keyOf('FACT hold other:hold:"damage" terminal:Y258'), lien)
  assert.equal(keyOf('FACT fee exam:due:120:USD terminal:Y258'), keyOf('FACT fee exam:settled terminal:Y258'))
})
