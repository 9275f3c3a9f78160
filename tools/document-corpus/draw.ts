/** Draws a paper as a PDF. */

import PDFDocument from 'pdfkit'
import type { Layout } from './layouts.ts'
import { cellOf, type Fields, roles } from './roles.ts'
import type { Truth } from './truth.ts'

export interface Drawn {
  readonly pdf: Buffer
  /** What is right to read on it. */
  readonly fields: Fields
}

const margin = 46
const right = 612 - margin

export async function drawPaper(layout: Layout, truth: Truth): Promise<Drawn> {
  const paper = new PDFDocument({ size: 'LETTER', margin, info: { CreationDate: new Date(0) } })
  const parts: Buffer[] = []
  paper.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve) => paper.on('end', resolve))
  const fields: Record<string, string | number | boolean> = {}
  const lines = layout.lines.map(([role, label]) => {
    const printed = roles[role](truth, layout.habits)
    Object.assign(fields, printed.fields)
    return [label, printed.text] as const
  })
  paper.font(boldOf(layout.font)).fontSize(layout.size * 1.7)
  paper.text(layout.title, margin, margin, { align: layout.style === 'letter' ? 'left' : 'center' })
  paper.fontSize(8).font(layout.font).fillColor('#333')
  paper.text('Sample Ocean Lines - 1 Example Quay', margin, margin + layout.size * 2.4)
  const y = drawLines(paper, layout, lines)
  drawBoxes(paper, { layout, truth, fields, y: y + 14 })
  paper.fontSize(7).fillColor('#444')
  paper.text(
    'All business is carried out under the standard terms of carriage, which are available on request.',
    margin,
    735,
    { lineBreak: false },
  )
  paper.end()
  await ended
  return { pdf: Buffer.concat(parts), fields }
}

function boldOf(font: Layout['font']): string {
  return font === 'Times-Roman' ? 'Times-Bold' : `${font}-Bold`
}

type Lines = readonly (readonly [label: string, value: string])[]

/** Returns where the lines end. */
function drawLines(paper: PDFKit.PDFDocument, { style, size, font }: Layout, lines: Lines): number {
  const bold = boldOf(font)
  const write = (
    text: string,
    x: number,
    y: number,
    of: { size: number; isBold?: boolean; color?: string; width?: number; align?: 'right' | 'left' },
  ) => {
    paper
      .font(of.isBold === true ? bold : font)
      .fontSize(of.size)
      .fillColor(of.color ?? '#000')
    paper.text(text, x, y, {
      lineBreak: false,
      ...(of.width === undefined ? {} : { width: of.width, align: of.align ?? 'left' }),
    })
  }
  let y = margin + size * 4.2
  if (style === 'letter') {
    write('Dear Sir or Madam,', margin, y, { size })
    write('we beg to inform you that the following cargo is about to arrive:', margin, y + size * 1.8, {
      size,
    })
    y += size * 4.4
  }
  if (style === 'boxed' || style === 'cards') {
    const across = style === 'boxed' ? 2 : 3
    const width = (right - margin) / across
    const height = style === 'boxed' ? size * 3.3 : size * 4
    for (const [place, [label, value]] of lines.entries()) {
      const [x, top] = [margin + (place % across) * width, y + Math.floor(place / across) * height]
      if (style === 'boxed') paper.rect(x, top, width, height).lineWidth(0.5).stroke('#555')
      write(style === 'boxed' ? label : label.toUpperCase(), x + 4, top + 3, {
        size: size * 0.72,
        color: '#555',
      })
      write(value, x + 4, top + size * 1.4, {
        size: style === 'cards' ? size * 1.15 : size,
        isBold: style === 'cards',
      })
    }
    return y + Math.ceil(lines.length / across) * height
  }
  if (style === 'columns') {
    const half = (right - margin) / 2
    for (const [place, [label, value]] of lines.entries()) {
      const [x, top] = [margin + (place % 2) * half, y + Math.floor(place / 2) * size * 2.1]
      write(`${label}:`, x, top, { size: size * 0.85, isBold: true })
      write(value, x + half * 0.47, top, { size: size * 0.85 })
    }
    return y + Math.ceil(lines.length / 2) * size * 2.1
  }
  const valueAt = margin + 190
  for (const [label, value] of lines) {
    if (style === 'ledger') {
      write(label, margin, y, { size, color: '#444', width: 180, align: 'right' })
      write(value, valueAt, y, { size, isBold: true })
    } else if (style === 'table') {
      paper
        .rect(margin, y - 3, right - margin, size * 1.7)
        .lineWidth(0.4)
        .stroke('#888')
      write(label, margin + 4, y, { size, isBold: true })
      write(value, valueAt, y, { size })
    } else write(`${label}: ${value}`, margin, y, { size })
    y += size * 1.7
  }
  return y
}

function drawBoxes(
  paper: PDFKit.PDFDocument,
  of: {
    readonly layout: Layout
    readonly truth: Truth
    readonly fields: Record<string, string | number | boolean>
    readonly y: number
  },
): void {
  const { layout, truth, fields } = of
  const { columns, habits, size, font } = layout
  if (columns.length === 0) return
  const width = (right - margin) / columns.length
  paper
    .font(boldOf(font))
    .fontSize(size * 0.8)
    .fillColor('#000')
  for (const [place, [, heading]] of columns.entries())
    paper.text(heading, margin + place * width, of.y, { lineBreak: false })
  paper.font(font)
  for (const place of truth.boxes.keys())
    for (const [column, [cell]] of columns.entries()) {
      const printed = cellOf(cell, truth, place, habits)
      Object.assign(fields, printed.fields)
      if (cell === 'from') fields[`charges[${place}].container_number`] = truth.boxes[place]?.number ?? ''
      paper.text(printed.text, margin + column * width, of.y + (place + 1) * size * 1.7, { lineBreak: false })
    }
}
