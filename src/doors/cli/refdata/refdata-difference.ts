/**
 * The effect of an import in words for a terminal: first counts, then what is added, changed, retired and refused, line
 * by line.
 */

import { styleText } from 'node:util'
import type { ChangedRecord } from '../../../reference/import/difference.ts'
import type { RecordValue, ReferenceRecord, Refusal } from '../../../reference/import/record.ts'
import type { ListImport } from '../../../service/knowing/reference/import-list.ts'

interface Look {
  readonly hasColours: boolean
  /** Maximum lines of each kind. */
  readonly linesMax: number
}

export function writeImport(done: ListImport, look: Look): readonly string[] {
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
    ...section(added, look, { colour: 'green', write: (record) => `+ ${writeRecord(record)}` }),
    ...section(changed, look, { colour: 'yellow', write: (record) => `~ ${writeChange(record)}` }),
    ...section(retired, look, { colour: 'red', write: (record) => `- ${writeRecord(record)}` }),
    ...section(done.refusals, look, { colour: 'magenta', write: writeRefusal }),
  ]
}

function section<Each>(
  all: readonly Each[],
  { hasColours, linesMax }: Look,
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
  const changes = fields.map(
    (field) => `${field}: ${writeValue(before[field])} → ${writeValue(after[field])}`,
  )
  return `${key}  ${[...(comesBack ? ['comes back'] : []), ...changes].join('; ')}`
}

function writeRefusal({ line, key, field, value, why, refused }: Refusal): string {
  const left = refused === 'row' ? 'the row is skipped' : 'the existing value is kept'
  return `! line ${line}, ${key}: ${field} "${value}": ${why}; ${left}`
}

function writeValue(value: RecordValue | undefined): string {
  return value == null ? 'none' : typeof value === 'string' ? `"${value}"` : String(value)
}
