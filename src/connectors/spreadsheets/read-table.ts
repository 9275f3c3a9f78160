/** Reads bytes as a table: CSV or XLSX, decided by the first bytes, never by a file name. */

import { readCsv } from './read-csv.ts'
import { readXlsx } from './read-xlsx.ts'
import { type Table, type TableChoice, TableFault, type TableReading, tableBounds } from './table.ts'

/** Never throws. Time and memory are bounded by `tableBounds`. For files of other people use `readTableInJail`. */
export async function readTable(bytes: Buffer, choice: TableChoice): Promise<TableReading> {
  try {
    return { ok: true, table: await readBytes(bytes, choice) }
  } catch (error) {
    const detail = error instanceof TableFault ? error.message : 'The file is broken: it cannot be read to its end.'
    return { ok: false, detail }
  }
}

async function readBytes(bytes: Buffer, choice: TableChoice): Promise<Table> {
  if (bytes.length > tableBounds.fileBytes)
    throw new TableFault(`The file is larger than ${tableBounds.fileBytes / 1_048_576} MB.`)
  if (beginsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    throw new TableFault(
      'This is a workbook of the old form (.xls), or one that is protected by a password. Save it as .xlsx or CSV, without a password.',
    )
  if (beginsWith(bytes, [0x25, 0x50, 0x44, 0x46])) throw new TableFault('This is a PDF, not a table.')
  if (beginsWith(bytes, [0x50, 0x4b])) return readXlsx(bytes, choice)
  if (choice.sheet !== null) throw new TableFault('A sheet is named, but this file is not a workbook.')
  return readCsv(bytes)
}

function beginsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte)
}
