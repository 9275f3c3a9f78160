/**
 * Reads the pages of a file, or turns a picture, in its own process, which can do nothing else (`platform/jail.ts`).
 */

import { fileURLToPath } from 'node:url'
import { type JailBounds, type JailEnd, runJailed } from '../../../platform/jail.ts'
import type { PagesReading, PageWords, UnreadableReason } from '../document.ts'
import { kindOfFile, pageBounds } from './bounds.ts'
import type { PagesBatch, ReadFrom } from './read-pages.ts'

export type PagesJob =
  | ({ readonly verb: 'read' } & ReadFrom)
  | { readonly verb: 'rotate'; readonly degrees: 90 | 180 | 270 }

const program = fileURLToPath(new URL('./pages-process.ts', import.meta.url))
/**
 * Limits of each process. Thirty scanned pages take two minutes on a slow core: several processes read them, one after
 * the other.
 */
const usual: JailBounds = {
  timeoutMs: 20_000,
  heapMb: 256,
  residentMb: 400,
  answerBytes: 64 * 1_048_576,
  // sharp decodes pictures with a library of the machine's own code.
  nodeOptions: ['--expose-gc', '--allow-addons'],
}
/** Of all processes of one file. */
const wholeMs = 300_000

/** Rejects only when no process can be started. */
export async function readPagesInJail(bytes: Buffer, bounds: Partial<JailBounds> = {}): Promise<PagesReading> {
  if (bytes.length > pageBounds.fileBytes)
    return {
      ok: false,
      reason: 'too_large',
      detail: `The file is larger than ${pageBounds.fileBytes / 1_048_576} MB.`,
    }
  const pages: PageWords[] = []
  const until = performance.now() + wholeMs
  for (let next: ReadFrom | null = { place: 0, scanned: 0 }; next !== null; ) {
    if (performance.now() > until) return { ok: false, ...explainJailEnd({ kind: 'exhausted', of: 'time' }) }
    const batch: PagesBatch = await readBatch(bytes, next, { ...usual, ...bounds })
    if (!batch.ok) return batch
    pages.push(...batch.pages)
    next = batch.next
  }
  const wordCount = pages.reduce((all, page) => all + page.words.length, 0)
  if (wordCount === 0) return { ok: false, reason: 'no_text', detail: 'No page has a word that a person can read.' }
  if (wordCount > pageBounds.words) return { ok: false, reason: 'too_large', detail: 'The file has too many words.' }
  return { ok: true, pages }
}

async function readBatch(bytes: Buffer, from: ReadFrom, bounds: JailBounds): Promise<PagesBatch> {
  const end = await runJailed(program, [jobOf({ verb: 'read', ...from })], bytes, bounds)
  if (end.kind !== 'answered') return { ok: false, ...explainJailEnd(end) }
  try {
    return JSON.parse(end.answer.toString('utf8')) as PagesBatch
  } catch {
    return { ok: false, ...explainJailEnd({ kind: 'broken' }) }
  }
}

export interface RotationRefusal {
  readonly reason: UnreadableReason
  readonly detail: string
}

export type Rotation =
  | { readonly ok: true; readonly bytes: Buffer; readonly contentType: string }
  | ({ readonly ok: false } & RotationRefusal)

/** Turns a picture clockwise in its own format. Rejects only when no process can be started. */
export async function rotateImageInJail(
  bytes: Buffer,
  degrees: 90 | 180 | 270,
  bounds: Partial<JailBounds> = {},
): Promise<Rotation> {
  if (kindOfFile(bytes) !== 'image')
    return { ok: false, reason: 'unsupported_type', detail: 'Only pictures can be rotated.' }
  const end = await runJailed(program, [jobOf({ verb: 'rotate', degrees })], bytes, { ...usual, ...bounds })
  if (end.kind !== 'answered') return { ok: false, ...explainJailEnd(end) }
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

function explainJailEnd(end: Exclude<JailEnd, { readonly kind: 'answered' }>): RotationRefusal {
  if (end.kind === 'broken') return { reason: 'damaged', detail: 'The file cannot be read.' }
  const what = { time: 'time', memory: 'memory', answer: 'room' }[end.of]
  return { reason: 'exhausted', detail: `The file takes too much ${what} to read.` }
}
