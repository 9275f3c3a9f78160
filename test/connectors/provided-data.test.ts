// The data that Landfall promises for a language of a line is the data measured in docs/attributes.md.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findProvidedData } from '../../src/connectors/provided-data.ts'

const page = readFileSync(new URL('../../docs/attributes.md', import.meta.url), 'utf8')
const rows = page.split('\n').map((row) => row.split('|').map((cell) => cell.trim()))
const columns = rows.find(([, name]) => name === 'Attribute') ?? []

function isFilled(attribute: string, way: string): boolean {
  const at = columns.findIndex((column) => column.startsWith(way))
  assert.ok(at > 0, way)
  return rows.find(([, name]) => name === `\`${attribute}\``)?.[at] === '●'
}

for (const [language, way] of [
  ['dcsa', 'DCSA pushed'],
  ['arrival_notice', 'Arrival Notice'],
  ['x12', '315, line'],
  ['edifact', 'IFTSTA'],
  ['statements', 'Statements, line'],
] as const)
  test(`the data that ${language} declares is exactly the data that docs/attributes.md marks as filled`, () => {
    const { weight, sealNumber, equipmentType, departuresAndArrivals } = findProvidedData(language)
    assert.deepEqual(
      { weight, sealNumber, equipmentType, departuresAndArrivals },
      {
        weight: isFilled('weight_in_lbs', way),
        sealNumber: isFilled('seal_number', way),
        equipmentType: isFilled('equipment_type', way),
        departuresAndArrivals: isFilled('pod_arrived_at', way),
      },
    )
  })

test('an unknown message format declares no data', () => {
  assert.deepEqual(new Set(Object.values(findProvidedData('toString'))), new Set([false]))
})
