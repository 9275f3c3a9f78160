/**
 * The effect of an import as text for a terminal: first counts, then what is added, changed, retired and refused, line
 * by line.
 */

import { styleText } from 'node:util'
import type { ListImport } from '../../modules/reference-data/import-list.ts'
import type { ChangedRecord } from '../../reference/import/difference.ts'
import type { RecordValue, ReferenceRecord, Refusal } from '../../reference/import/record.ts'

interface OutputStyle {
  readonly hasColours: boolean
  /** Maximum lines of each kind. */
  readonly linesMax: number
}

export function formatImportDifference(done: ListImport, style: OutputStyle): readonly string[] {
  const { added, changed, retired, unchanged } = done.difference
  const counts = [
    `${added.length} added`,
    `${changed.length} changed`,
    `${retired.length} retired`,
    `${unchanged} unchanged`,
    `${done.refusals.length} refused`,
  ]
  return [
    `${done.list}: ${done.edition} (sha256 ${done.sha256.slice(0, 12)}…), ${done.rows} rows`,
    counts.join(', '),
    ...formatDifferenceSection(added, style, { colour: 'green', write: (record) => `+ ${writeRecord(record)}` }),
    ...formatDifferenceSection(changed, style, { colour: 'yellow', write: (record) => `~ ${writeChange(record)}` }),
    ...formatDifferenceSection(retired, style, { colour: 'red', write: (record) => `- ${writeRecord(record)}` }),
    ...formatDifferenceSection(done.refusals, style, { colour: 'magenta', write: writeRefusal }),
  ]
}

function formatDifferenceSection<Each>(
  all: readonly Each[],
  { hasColours, linesMax }: OutputStyle,
  how: {
    readonly colour: 'green' | 'yellow' | 'red' | 'magenta'
    readonly write: (each: Each) => string
  },
): readonly string[] {
  const lines = all.slice(0, linesMax).map(how.write)
  const rest = all.length - lines.length
  return [
    ...lines.map((line) => (hasColours ? styleText(how.colour, line, { validateStream: false }) : line)),
    ...(rest > 0 ? [`  … and ${rest} more (--all)`] : []),
  ]
}

function writeRecord({ key, values }: ReferenceRecord): string {
  const { latitude, longitude, timeZone } = values
  const point = latitude == null || longitude == null ? [] : [`${latitude}, ${longitude}`]
  return [key, values['name'], ...point, ...(timeZone == null ? [] : [timeZone])].join('  ')
}

function writeChange({ key, fields, before, after, comesBack }: ChangedRecord): string {
  const changes = fields.map((field) => `${field}: ${writeValue(before[field])} → ${writeValue(after[field])}`)
  return `${key}  ${[...(comesBack ? ['comes back'] : []), ...changes].join('; ')}`
}

function writeRefusal({ line, key, field, value, why, refused }: Refusal): string {
  const consequence = refused === 'row' ? 'the row is skipped' : 'the existing value is kept'
  return `! line ${line}, ${key}: ${field} "${value}": ${why}; ${consequence}`
}

function writeValue(value: RecordValue | undefined): string {
  return value == null ? 'none' : typeof value === 'string' ? `"${value}"` : String(value)
}
