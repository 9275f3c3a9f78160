/** Turns a picture that somebody sent, in a process as `readPagesApart` has it. */

import type { UnreadableReason } from '../document.ts'
import { runApart } from './apart/run-apart.ts'
import type { FileKind } from './file-kind.ts'
import { type PagesLine, pagesLimits, pagesProgram } from './pages-program.ts'
import { exhausted, kindOf } from './read-pages-apart.ts'

export type Rotated =
  | { readonly ok: true; readonly bytes: Buffer; readonly contentType: string }
  | { readonly ok: false; readonly reason: UnreadableReason; readonly detail: string }

const contentTypes: Readonly<Record<FileKind, string>> = {
  pdf: 'application/pdf',
  jpeg: 'image/jpeg',
  png: 'image/png',
  tiff: 'image/tiff',
  webp: 'image/webp',
}

/**
 * Clockwise, as the picture is shown: the orientation that a camera wrote down is applied first, and then dropped with
 * all else that it wrote down. A PDF is `unsupported_type`. Rejects only when no process can be started.
 */
export async function rotateImageApart(bytes: Buffer, degrees: 90 | 180 | 270): Promise<Rotated> {
  const kind = kindOf(bytes)
  if (typeof kind !== 'string') return kind
  if (kind === 'pdf')
    return { ok: false, reason: 'unsupported_type', detail: 'A PDF is not turned, only a picture.' }
  let answer: Rotated = exhausted
  const ending = await runApart(pagesProgram(kind, String(degrees)), bytes, {
    limits: pagesLimits,
    onLine: (text) => {
      const line = JSON.parse(text) as PagesLine
      if ('refused' in line) answer = { ok: false, ...line.refused }
      if ('image' in line)
        answer = { ok: true, bytes: Buffer.from(line.image, 'base64'), contentType: contentTypes[kind] }
    },
  })
  return ending.kind === 'ended' ? answer : exhausted
}
