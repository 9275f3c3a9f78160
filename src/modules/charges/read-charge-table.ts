/** Terms or calendars from a table. The headings are the names of the fields; each fault names its row and its field. */

import { readTableInJail } from '../../connectors/spreadsheets/read-table-apart.ts'
import { type NamedCalendar, readCalendars } from '../../domain/charges/read-calendars.ts'
import type { Row } from '../../domain/charges/read-cells.ts'
import { type NamedTerms, readTerms } from '../../domain/charges/read-terms.ts'
import { ServiceError } from '../errors.ts'
import type { VersionTable } from './charge-versions-sql.ts'

/** `row` as a spreadsheet program counts, from 1; `field` is the heading. */
export interface TableFault {
  readonly row: number
  readonly field: string
  readonly problem: string
}

export interface NamedContents {
  readonly charge_terms: NamedTerms
  readonly charge_calendars: NamedCalendar
}

export type ChargeTableResult<Table extends VersionTable> =
  | { readonly ok: true; readonly named: readonly NamedContents[Table][] }
  | { readonly ok: false; readonly faults: readonly TableFault[] }

/** More terms than an account may have are a mistake. */
const rowsMax = 5_000
const faultsMax = 100

interface NumberedRow {
  readonly number: number
  readonly row: Row
}

export async function readTermsTable(bytes: Buffer): Promise<ChargeTableResult<'charge_terms'>> {
  const named: NamedTerms[] = []
  const faults: TableFault[] = []
  for (const { number, row } of await readRows(bytes)) {
    const read = readTerms(row)
    if (read.ok) named.push(read.value)
    else faults.push(...read.faults.map(({ field, problem }) => ({ row: number, field, problem })))
  }
  return faults.length > 0 ? { ok: false, faults: faults.slice(0, faultsMax) } : { ok: true, named }
}

export async function readCalendarsTable(bytes: Buffer): Promise<ChargeTableResult<'charge_calendars'>> {
  const rows = await readRows(bytes)
  const read = readCalendars(rows.map(({ row }) => row))
  if (read.ok) return { ok: true, named: read.value }
  const faults = read.faults.map(({ row, field, problem }) => ({
    row: rows[row]?.number ?? 0,
    field,
    problem,
  }))
  return { ok: false, faults: faults.slice(0, faultsMax) }
}

/** The rows below the headings. */
export async function readRows(bytes: Buffer, max = rowsMax): Promise<readonly NumberedRow[]> {
  const reading = await readTableInJail(bytes, { sheet: null })
  if (!reading.ok) throw new ServiceError('invalid', reading.detail)
  const [head, ...rows] = reading.table.rows
  if (head === undefined || rows.length === 0)
    throw new ServiceError('invalid', 'The table has no rows. The first row has the names of the fields.')
  if (rows.length > max) throw new ServiceError('invalid', `The table has more than ${max} rows.`)
  const headings = head.cells
  const twice = headings.find((heading, index) => headings.indexOf(heading) !== index)
  if (twice !== undefined) throw new ServiceError('invalid', `The heading \`${twice}\` is there twice.`)
  return rows.map(({ number, cells }) => ({
    number,
    row: Object.fromEntries(
      headings.flatMap((heading, index) => (heading === '' ? [] : [[heading, cells[index] ?? ''] as const])),
    ),
  }))
}
