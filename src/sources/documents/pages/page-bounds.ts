/** How much of a document is read; and how reading stops where it cannot or must not go on. */

import type { UnreadableReason } from '../document.ts'

export const pageBounds = {
  fileBytes: 25 * 1_048_576,
  pages: 200,
  /** Pages of one file that are read from their pixels. It takes seconds for each. */
  ocrPages: 30,
  charactersPerPage: 100_000,
  /** Page objects that hold text or other objects. */
  objectsPerPage: 200_000,
  wordLength: 200,
  /** Of one picture, in all. */
  imagePixels: 80_000_000,
  /** What is read from a picture or a scan: about A4 at 300 dots per inch, with something to spare. */
  ocrPixels: 12_000_000,
} as const

/** Thrown where a document cannot be read, and answered as the reading. */
export class Unreadable extends Error {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}
