// Every attribute can be filled and every event can be caused by a message, an answer or a statement. The page states by
// which.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { measureChannels } from '../../../tools/attributes-page/measure.ts'
import {
  attributeRows,
  eventRows,
  filledByNoChannel,
  writeAttributesPage,
} from '../../../tools/attributes-page-text.ts'

const measured = measureChannels()
const attributes = Object.entries(attributeRows(measured)).flatMap(([type, rows]) =>
  rows.map(({ name, by }) => ({ name: `${type}.${name}`, by })),
)
const rows = [...attributes, ...eventRows(measured)]

test('docs/attributes.md is generated from the measurements', () => {
  const page = readFileSync(new URL('../../../docs/attributes.md', import.meta.url), 'utf8')
  assert.equal(page, writeAttributesPage(), 'run node tools/run.mjs tools/attributes-page.ts')
})

test('some kind of channel can supply every attribute and every event, except for the listed exceptions', () => {
  assert.deepEqual(
    rows.filter(({ by }) => by.length === 0).map(({ name }) => name),
    [...filledByNoChannel.keys()].toSorted((a, b) => placeOf(a) - placeOf(b)),
  )
})

test('every kind of channel fills an attribute and causes an event', () => {
  for (const { channel, filled, fired } of measured) assert.ok(filled.size > 0 && fired.size > 0, channel)
})

test('terminals, railways, ships and persons fill the attributes that no other source knows', () => {
  const by = (name: string) => rows.find((row) => row.name === name)?.by ?? []
  assert.ok(by('container.fees_at_pod_terminal').includes('315, terminal'))
  assert.ok(by('container.pod_rail_carrier_scac').includes('322, railway'))
  assert.deepEqual(by('container.delivered_at'), ['Statements, person'])
  assert.ok(by('container.transport.vessel_arrived').includes('AIS, ship'))
})

function placeOf(name: string): number {
  return rows.findIndex((row) => row.name === name)
}
