/** Reads the pages of a file, or turns a picture, in a process of its own that can do nothing else (`jail.ts`). */

import { fileURLToPath } from 'node:url'
import type { PagesReading, UnreadableReason } from '../document.ts'
import { kindOfFile, pageBounds } from './bounds.ts'
import { type JailBounds, type JailEnd, runJailed } from './jail.ts'

export type PagesJob =
  | { readonly verb: 'read' }
  | { readonly verb: 'rotate'; readonly degrees: 90 | 180 | 270 }

const program = fileURLToPath(new URL('./pages-process.ts', import.meta.url))
/** Thirty scanned pages take two minutes on a slow core. */
const usual: JailBounds = { timeoutMs: 300_000, residentMb: 1_500, answerBytes: 64 * 1_048_576 }

/** Rejects only when no process can be started. */
export async function readPagesApart(bytes: Buffer, bounds: Partial<JailBounds> = {}): Promise<PagesReading> {
  if (bytes.length > pageBounds.fileBytes)
    return {
      ok: false,
      reason: 'too_large',
      detail: `The file is larger than ${pageBounds.fileBytes / 1_048_576} MB.`,
    }
  const end = await runJailed(program, [jobOf({ verb: 'read' })], bytes, { ...usual, ...bounds })
  if (end.kind !== 'answered') return { ok: false, ...whyNot(end) }
  try {
    return JSON.parse(end.answer.toString('utf8')) as PagesReading
  } catch {
    return { ok: false, ...whyNot({ kind: 'broken' }) }
  }
}

export interface RotationRefusal {
  readonly reason: UnreadableReason
  readonly detail: string
}

export type Rotation =
  | { readonly ok: true; readonly bytes: Buffer; readonly contentType: string }
  | ({ readonly ok: false } & RotationRefusal)

/** Turns a picture clockwise and keeps its format. Rejects only when no process can be started. */
export async function rotateImageApart(
  bytes: Buffer,
  degrees: 90 | 180 | 270,
  bounds: Partial<JailBounds> = {},
): Promise<Rotation> {
  if (kindOfFile(bytes) !== 'image')
    return { ok: false, reason: 'unsupported_type', detail: 'Only pictures can be turned.' }
  const end = await runJailed(program, [jobOf({ verb: 'rotate', degrees })], bytes, { ...usual, ...bounds })
  if (end.kind !== 'answered') return { ok: false, ...whyNot(end) }
  const line = end.answer.indexOf('\n')
  if (end.answer[0] === 0x2b && line > 0)
    return {
      ok: true,
      bytes: end.answer.subarray(line + 1),
      contentType: `image/${end.answer.subarray(1, line).toString('latin1')}`,
    }
  return { ok: false, ...(JSON.parse(end.answer.subarray(1).toString('utf8')) as RotationRefusal) }
}

function jobOf(job: PagesJob): string {
  return JSON.stringify(job)
}

function whyNot(end: Exclude<JailEnd, { readonly kind: 'answered' }>): RotationRefusal {
  if (end.kind === 'broken') return { reason: 'damaged', detail: 'The file cannot be read.' }
  const what = { time: 'time', memory: 'memory', answer: 'room' }[end.of]
  return { reason: 'exhausted', detail: `The file takes too much ${what} to read.` }
}
