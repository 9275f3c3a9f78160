/** What kind of file it is, by its first bytes. The name and the declared type may be wrong. */

import type { DocumentContentType } from '../../platform/document-settings.ts'

/** Texts (Latin-1) that are at these places. */
type MagicBytes = readonly (readonly [at: number, text: string])[]

const beginnings: readonly (readonly [MagicBytes, DocumentContentType])[] = [
  [[[0, '\x89PNG\r\n\x1a\n']], 'image/png'],
  [[[0, '\xff\xd8\xff']], 'image/jpeg'],
  [[[0, 'II*\0']], 'image/tiff'],
  [[[0, 'MM\0*']], 'image/tiff'],
  [
    [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
    'image/webp',
  ],
  [[[0, 'GIF87a']], 'image/gif'],
  [[[0, 'GIF89a']], 'image/gif'],
]

/** Readers of PDF look for its mark in the first kilobyte, since some programs put something in front. */
const pdfWithin = 1_024

/** Null when it is not a kind that can be read. */
export function contentTypeOf(bytes: Buffer): DocumentContentType | null {
  const head = bytes.subarray(0, pdfWithin).toString('latin1')
  const known = beginnings.find(([texts]) => texts.every(([at, text]) => head.startsWith(text, at)))
  return known?.[1] ?? (head.includes('%PDF-') ? 'application/pdf' : null)
}
