/**
 * Reads one sheet of an XLSX workbook as rows of texts. A number is the text that the file has, so that no digits are
 * lost; the format of its cell decides whether it is a day. A formula is its last saved result, else its own text:
 * formulas are never run.
 */

import { plainFormat, writeSerial } from './date-format.ts'
import { readWorkbook, type Workbook } from './read-workbook.ts'
import { collectRows, type Table, type TableChoice, TableFault, type TableRow, tableBounds } from './table.ts'
import { readXml, type XmlHandler } from './xml-part.ts'
import { openZip } from './zip-parts.ts'

export async function readXlsx(bytes: Buffer, choice: TableChoice): Promise<Table> {
  const zip = await openZip(bytes)
  const workbook = await readWorkbook(zip)
  const sheet = chooseSheet(workbook, choice.sheet)
  const collected = collectRows()
  await readXml(zip.texts(sheet.part), 'sheet', sheetHandler(workbook, collected.add))
  const sheets = workbook.sheets.map(({ name }) => name)
  return { kind: 'xlsx', encoding: null, delimiter: null, sheets, sheet: sheet.name, rows: collected.rows }
}

function chooseSheet({ sheets }: Workbook, wanted: string | null): Workbook['sheets'][number] {
  const [first] = sheets
  if (first === undefined) throw new TableFault('The workbook has no visible sheet.')
  if (wanted === null) return first
  const isWanted = ({ name }: { readonly name: string }): boolean => name.toLowerCase() === wanted.trim().toLowerCase()
  const found = sheets.find(isWanted)
  if (found !== undefined) return found
  const names = sheets.slice(0, 20).map(({ name }) => name.slice(0, 60))
  throw new TableFault(`The workbook has no visible sheet of this name. Its visible sheets: ${names.join(', ')}.`)
}

interface Cell {
  readonly column: number
  readonly type: string
  readonly style: number
  value: string
  formula: string
}

function sheetHandler(workbook: Workbook, add: (row: TableRow) => void): XmlHandler {
  let number = 0
  let cells: string[] = []
  let column = -1
  let cell: Cell | null = null
  let into: 'value' | 'formula' | null = null
  let phonetic = 0
  return {
    open: (name, attribute) => {
      if (name === 'row') {
        number = rowNumber(attribute('r'), number + 1)
        cells = []
        column = -1
      } else if (name === 'c') {
        column = columnOf(attribute('r')) ?? column + 1
        cell = {
          column,
          type: attribute('t') ?? 'n',
          style: Number(attribute('s') ?? '0'),
          value: '',
          formula: '',
        }
      } else if (name === 'rPh') phonetic += 1
      else if (name === 'v' || (name === 't' && phonetic === 0)) into = 'value'
      else if (name === 'f') into = 'formula'
    },
    text: (piece) => {
      if (cell !== null && into !== null && cell[into].length <= tableBounds.characters) cell[into] += piece
    },
    close: (name) => {
      into = null
      if (name === 'rPh') phonetic -= 1
      if (name === 'row') add({ number, cells })
      if (name !== 'c' || cell === null) return
      const text = textOf(cell, workbook)
      if (text !== '') {
        if (cell.column >= tableBounds.columns)
          throw new TableFault(`Row ${number} has more than ${tableBounds.columns} columns.`)
        while (cells.length < cell.column) cells.push('')
        cells[cell.column] = text
      }
      cell = null
    },
  }
}

function rowNumber(given: string | null, next: number): number {
  const number = given === null ? next : Number(given)
  if (Number.isInteger(number) && number >= 1 && number <= 1_048_576) return number
  throw new TableFault('The sheet has a row with an invalid number.')
}

/** Null when the cell does not name its column: then it is the next one after the cell before. */
function columnOf(reference: string | null): number | null {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference ?? '')?.[1]
  if (letters === undefined) return null
  let column = 0
  for (const letter of letters) column = column * 26 + (letter.charCodeAt(0) - 64)
  return column - 1
}

function textOf({ type, style, value, formula }: Cell, workbook: Workbook): string {
  if (value === '') return formula === '' ? '' : `=${formula}`
  if (type === 's') return unescapeText(workbook.sharedTexts[Number(value)] ?? '')
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return unescapeText(value)
  const { shape, digits } = workbook.formats[style] ?? plainFormat
  const plain = value.trim().replace(/^(-?\d+)\.0+$/, '$1')
  if (shape === null) return /^\d+$/.test(plain) ? plain.padStart(digits, '0') : plain
  return writeSerial(Number(value), { shape, is1904: workbook.is1904 }) ?? plain
}

/** Characters that XML does not allow, as workbooks write them (ECMA-376 part 1, 22.9.2.19). */
function unescapeText(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
