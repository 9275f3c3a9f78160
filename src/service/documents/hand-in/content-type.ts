/** What kind of file it is, by its first bytes. The name and the declared type may say anything. */

import type { DocumentContentType } from '../../../platform/document-settings.ts'

const beginnings: readonly (readonly [RegExp, DocumentContentType])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^(II\*\0|MM\0\*)/, 'image/tiff'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
  [/^GIF8[79]a/, 'image/gif'],
]

/** Readers of PDF look for its mark in the first kilobyte, since some programs put something in front. */
const pdfWithin = 1_024

/** Null when it is none that can be read. */
export function contentTypeOf(bytes: Buffer): DocumentContentType | null {
  const head = bytes.subarray(0, pdfWithin).toString('latin1')
  return (
    beginnings.find(([begins]) => begins.test(head))?.[1] ??
    (head.includes('%PDF-') ? 'application/pdf' : null)
  )
}
