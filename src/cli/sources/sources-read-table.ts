/** `landfall sources read-table`: shows how a table about containers would be read. Nothing is stored. */

import { readFile } from 'node:fs/promises'
import { type ColumnMap, plainMap, readColumnMap } from '../../connectors/spreadsheets/column-map.ts'
import { findColumns } from '../../connectors/spreadsheets/find-columns.ts'
import { statementFields } from '../../connectors/spreadsheets/headings.ts'
import { readStatementRows } from '../../connectors/spreadsheets/read-statements.ts'
import { readTableInJail } from '../../connectors/spreadsheets/read-table-apart.ts'
import { writeObservation } from '../../domain/notation/notation.ts'
import { sourceKinds } from '../../domain/statements/observation.ts'
import { isOneOf } from '../../domain/values/codes.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

export const sourcesReadTable = defineCommand({
  about: `Reads a CSV or XLSX of a terminal, a line or a railway: free time, holds, fees, availability, appointments, weights,
seals, and columns of days for events. Prints what is read in the journey notation, and what cannot be read with its row and
field. No installation is needed.
Exits with 1 if the table or one of its cells cannot be read.`,
  operands: [{ name: 'file', about: 'CSV or XLSX' }],
  options: {
    speaker: {
      type: 'string',
      value: '<kind>',
      about: `the source: ${sourceKinds.join(', ')}; if it is missing, terminal`,
    },
    map: {
      type: 'string',
      value: '<file>',
      about: 'column map as JSON: the attributes of PUT /v2/column_maps/:name',
    },
    sheet: {
      type: 'string',
      value: '<name>',
      about: 'sheet of a workbook; if it is missing, the first that is not hidden',
    },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: [
    'sources read-table availability.xlsx',
    'sources read-table dwell.csv --speaker rail --map ramp.json --json',
  ],
  run: async ({ operands, options, shell }) => {
    const speaker = options.speaker ?? 'terminal'
    if (!isOneOf(sourceKinds, speaker))
      throw new UsageError(`${speaker} is not a kind of source. Give one of ${sourceKinds.join(', ')}.`)
    const map = options.map === null ? plainMap : await readMapFile(options.map)
    const reading = await readTableInJail(await readFile(operands[0] ?? ''), {
      sheet: options.sheet ?? map.sheet,
    })
    if (!reading.ok) throw new Error(reading.detail)
    const found = findColumns(reading.table, map, statementFields)
    if (!found.ok) throw new Error(found.detail)
    const rows = readStatementRows(found, map, speaker)
    if (options.json) shell.print(JSON.stringify({ columns: found.columns, rows }, null, 2))
    else
      for (const { rowNumber, containerNumber, observations, faults } of rows) {
        shell.print(`row ${rowNumber}  ${containerNumber ?? '?'}`)
        const source = { kind: speaker, code: '?' }
        for (const observation of observations) shell.print(`  ${writeObservation(observation, source)}`)
        for (const { field, detail } of faults) shell.print(`  ! ${field}: ${detail}`)
      }
    return rows.some(({ faults }) => faults.length > 0) ? 1 : 0
  },
})

async function readMapFile(path: string): Promise<ColumnMap> {
  const reading = readColumnMap(JSON.parse(await readFile(path, 'utf8')))
  if (reading.ok) return reading.map
  throw new Error(reading.faults.map(({ pointer, detail }) => `${path}, ${pointer}: ${detail}`).join('\n'))
}
