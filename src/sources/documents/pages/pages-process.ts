/**
 * The program that `readPagesApart` and `rotateImageApart` start: it reads a file from standard input and writes to standard output what it
 * finds, page by page, or the turned picture.
 */

import type { UnreadableReason } from '../document.ts'
import type { FileKind } from './file-kind.ts'
import { Unreadable } from './page-bounds.ts'
import type { PagesLine } from './pages-program.ts'

const parts: Buffer[] = []
for await (const part of process.stdin) parts.push(part as Buffer)
const bytes = Buffer.concat(parts.splice(0))
const kind = process.argv[2] as FileKind
const parameter = process.argv[3]

/** Waits until it is written: a page that was read is kept even when the next one brings the process to its end. */
const write = (line: PagesLine) =>
  new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()))
try {
  if (kind === 'pdf') {
    const { readPdf } = await import('./pdf/read-pdf.ts')
    for await (const line of readPdf(bytes)) await write(line)
  } else if (parameter === 'read') {
    const { readImage } = await import('./images/read-image.ts')
    for await (const line of readImage(bytes)) await write(line)
  } else {
    const { rotateImage } = await import('./images/rotate-image.ts')
    const turned = await rotateImage(bytes, Number(parameter) as 90 | 180 | 270)
    await write({ image: turned.toString('base64') })
  }
  await write({ end: true })
} catch (error) {
  const refused = asRefused(error)
  if (refused === null) throw error
  await write({ refused })
}

/** Null for a fault of ours, and for what used up its memory. */
function asRefused(error: unknown): { readonly reason: UnreadableReason; readonly detail: string } | null {
  if (error instanceof Unreadable) return { reason: error.reason, detail: error.message }
  const isTrap = error instanceof Error && error.name === 'RuntimeError' && !error.message.startsWith('Abort')
  return isTrap ? { reason: 'damaged', detail: 'The file is so damaged that its reader failed.' } : null
}
