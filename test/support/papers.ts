/** Papers for tests, as PDF: each line is a label and its value, under a title. */

import PDFDocument from 'pdfkit'

export interface Paper {
  readonly title: string
  readonly lines: readonly (readonly [label: string, value: string])[]
  /** Draws more, before or after the lines. */
  readonly also?: (paper: PDFKit.PDFDocument) => void
  readonly password?: string
}

export async function pdfOf({ title, lines, also, password }: Paper): Promise<Buffer> {
  const paper = new PDFDocument({
    size: 'LETTER',
    ...(password === undefined ? {} : { userPassword: password }),
  })
  const parts: Buffer[] = []
  paper.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve) => paper.on('end', resolve))
  paper.font('Helvetica-Bold').fontSize(18).text(title, 50, 50)
  paper.font('Helvetica').fontSize(11)
  for (const [place, [label, value]] of lines.entries())
    paper.text(`${label}: ${value}`, 50, 100 + place * 22, { lineBreak: false })
  also?.(paper)
  paper.end()
  await ended
  return Buffer.concat(parts)
}

const columns = [50, 160, 250, 340, 400, 480]
const headings = ['Container No', 'From', 'To', 'Days', 'Rate', 'Amount']

/** An invoice for demurrage over the days of one container, as lines print them. */
export function invoicePaper(of: {
  readonly number: string
  readonly bill: string
  /** Container, first day, last day, days, rate, amount. */
  readonly row: readonly string[]
}): Promise<Buffer> {
  return pdfOf({
    title: 'DEMURRAGE INVOICE',
    lines: [
      ['Invoice No', of.number],
      ['Invoice date', '2026-02-10'],
      ['Bill of lading no', of.bill],
      ['Port of discharge', 'LOS ANGELES, CA'],
      ['Free days', '4'],
      ['Currency', 'USD'],
      ['Total amount', of.row.at(-1) ?? ''],
    ],
    also: (paper) => {
      for (const [row, cells] of [headings, of.row].entries())
        for (const [at, cell] of cells.entries())
          paper.text(cell, columns[at] ?? 50, 400 + row * 22, { lineBreak: false })
    },
  })
}
