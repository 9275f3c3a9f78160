/**
 * The program that `readPagesApart` and `rotateImageApart` start: it reads a file from standard input and writes to standard output what it
 * finds, page by page, or the turned picture.
 */

import type { FileKind } from './file-kind.ts'
import { Unreadable } from './page-bounds.ts'
import type { PagesLine } from './pages-program.ts'

const parts: Buffer[] = []
for await (const part of process.stdin) parts.push(part as Buffer)
const bytes = Buffer.concat(parts.splice(0))
const kind = process.argv[2] as FileKind
const parameter = process.argv[3]

const write = (line: PagesLine) => process.stdout.write(`${JSON.stringify(line)}\n`)
try {
  if (kind === 'pdf') {
    const { readPdf } = await import('./pdf/read-pdf.ts')
    for await (const line of readPdf(bytes)) write(line)
  } else if (parameter === 'read') {
    const { readImage } = await import('./images/read-image.ts')
    for await (const line of readImage(bytes)) write(line)
  } else {
    const { rotateImage } = await import('./images/rotate-image.ts')
    const turned = await rotateImage(bytes, Number(parameter) as 90 | 180 | 270)
    write({ image: turned.toString('base64') })
  }
  write({ end: true })
} catch (error) {
  if (!(error instanceof Unreadable)) throw error
  write({ refused: { reason: error.reason, detail: error.message } })
}
