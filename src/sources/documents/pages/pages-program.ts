/**
 * The program that is run apart for a file: what it writes, and what it may read, which is itself and the packages that
 * it needs.
 */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageWords, UnreadableReason } from '../document.ts'
import type { Program } from './apart/run-apart.ts'
import type { FileKind } from './file-kind.ts'

/** What the process writes, one a line. The last one is `end` or `refused`. */
export type PagesLine =
  | { readonly pages: number }
  | { readonly page: PageWords }
  | { readonly unread: number }
  | { readonly refused: { readonly reason: UnreadableReason; readonly detail: string } }
  | { readonly end: true }

const require = createRequire(import.meta.url)

export function pagesProgram(kind: FileKind, ...parameters: readonly string[]): Program {
  const isPdf = kind === 'pdf'
  return {
    file: fileURLToPath(new URL('./pages-process.ts', import.meta.url)),
    parameters: [kind, ...parameters],
    mayRead: [
      fileURLToPath(new URL('..', import.meta.url)),
      // Says that our files are modules.
      fileURLToPath(new URL('../../../../package.json', import.meta.url)),
      ...['tesseract.js-core', '@tesseract.js-data/eng', isPdf ? '@hyzyla/pdfium' : 'sharp'].map(folderOf),
    ],
    hasThreads: !isPdf,
  }
}

function folderOf(name: string): string {
  const file = require.resolve(name)
  const inFolder = join('node_modules', name)
  return file.slice(0, file.lastIndexOf(inFolder) + inFolder.length)
}
