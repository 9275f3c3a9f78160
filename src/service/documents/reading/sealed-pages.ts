/** The words of pages, encrypted for the document that they are of, so that it can be read again without its pixels. */

import type { PageWords } from '../../../sources/documents/document.ts'
import type { Vault } from '../../vault.ts'

interface OfDocument {
  readonly accountId: string
  readonly documentId: string
}

export function sealPages(
  vault: Vault,
  of: OfDocument & { readonly pages: readonly PageWords[] },
): readonly { readonly page: number; readonly sealedWords: Buffer }[] {
  return of.pages.map((page) => ({
    page: page.page,
    sealedWords: vault.sealBytes(Buffer.from(JSON.stringify(page)), placeOf(of, page.page)),
  }))
}

/** Throws when a page was not sealed for this document by this installation. */
export function openPages(
  vault: Vault,
  of: OfDocument & { readonly pages: readonly { readonly page: number; readonly sealedWords: Buffer }[] },
): readonly PageWords[] {
  return of.pages.map(({ page, sealedWords }) =>
    // safe: `sealPages` wrote it, and nobody else can seal for this place.
    JSON.parse(vault.openBytes(sealedWords, placeOf(of, page)).toString('utf8')),
  )
}

function placeOf({ accountId, documentId }: OfDocument, page: number): string {
  return `document_pages ${accountId} ${documentId} ${page}`
}
