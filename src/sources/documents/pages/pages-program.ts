/**
 * The program that is run apart for a file: what it writes, how much it may take, and what it may read, which is itself
 * and the packages that it needs.
 */

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageWords, UnreadableReason } from '../document.ts'
import type { Limits, Program } from './apart/run-apart.ts'
import type { FileKind } from './file-kind.ts'

/** What the process writes, one a line. The last one is `end` or `refused`. */
export type PagesLine =
  | { readonly pages: number }
  | { readonly page: PageWords }
  | { readonly unread: number }
  /** In base64. */
  | { readonly image: string }
  | { readonly refused: { readonly reason: UnreadableReason; readonly detail: string } }
  | { readonly end: true }

export const pagesLimits: Limits = {
  memoryMb: 1_024,
  heapMb: 320,
  wasmMb: 640,
  answerBytesMax: 48 * 1_048_576,
  timeoutMs: 120_000,
  moreMs: 5_000,
  endMs: 600_000,
}

const require = createRequire(import.meta.url)
const forOcr = ['tesseract.js-core', '@tesseract.js-data/eng']
/** `sharp` with its WebAssembly build alone: the process has no right to load a native one. */
const forPictures = ['sharp', '@img/colour', '@emnapi/runtime', 'tslib', 'detect-libc', 'semver']

/** `parameters`: `read`, or the degrees by which a picture is turned. */
export function pagesProgram(kind: FileKind, parameter: string): Program {
  const isPdf = kind === 'pdf'
  return {
    file: fileURLToPath(new URL('./pages-process.ts', import.meta.url)),
    parameters: [kind, parameter],
    mayRead: [
      fileURLToPath(new URL('..', import.meta.url)),
      // Says that our files are modules.
      fileURLToPath(new URL('../../../../package.json', import.meta.url)),
      ...[...forOcr, ...(isPdf ? ['@hyzyla/pdfium'] : forPictures)].flatMap(foldersOf),
      ...(isPdf ? [] : [dirname(require.resolve('@img/sharp-wasm32/package'))]),
    ],
    firstLoad: isPdf ? null : fileURLToPath(new URL('./images/allow-wasm-build.ts', import.meta.url)),
    hasThreads: !isPdf,
  }
}

/** Wherever packages are looked for from here: which of the folders are there is found by reading. */
function foldersOf(name: string): readonly string[] {
  return (require.resolve.paths(name) ?? []).map((folder) => join(folder, name))
}
