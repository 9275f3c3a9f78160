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
