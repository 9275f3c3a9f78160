/** What tests ask of a reading. */

import assert from 'node:assert/strict'
import type { PageWords } from '../../../src/sources/documents/document.ts'
import { readPagesApart } from '../../../src/sources/documents/pages/read-pages-apart.ts'

export const claimed = { contentType: 'application/pdf', fileName: 'file.pdf' } as const

export async function readPages(bytes: Buffer): Promise<readonly PageWords[]> {
  const reading = await readPagesApart(bytes, claimed)
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.pages
}

export async function readOnly(bytes: Buffer): Promise<PageWords> {
  const pages = await readPages(bytes)
  const [page] = pages
  assert.ok(page !== undefined && pages.length === 1)
  return page
}

export function textOf({ words }: PageWords): string {
  return words.map(({ text }) => text).join(' ')
}

/** The middle of a word, in hundredths of the page from the upper left corner. */
export function placeOf({ words }: PageWords, text: string): readonly [number, number] {
  const word = words.find((each) => each.text === text)
  assert.ok(word, `${text} is not among ${words.map((each) => each.text).join(' ')}`)
  const { left, right, top, bottom } = word.box
  return [Math.round((left + right) * 50), Math.round((top + bottom) * 50)]
}
