/** The words of pages, encrypted for their document, so that it can be read again without its pixels. */

import type { PageWords } from '../../../connectors/papers/document.ts'
import type { Encryption } from '../../../platform/encryption.ts'

interface OfDocument {
  readonly accountId: string
  readonly documentId: string
}

export function encryptPages(
  encryption: Encryption,
  of: OfDocument & { readonly pages: readonly PageWords[] },
): readonly { readonly page: number; readonly encryptedText: Buffer }[] {
  return of.pages.map((page) => ({
    page: page.page,
    encryptedText: encryption.encryptBytes(Buffer.from(JSON.stringify(page)), encryptionContextOf(of, page.page)),
  }))
}

/** Throws when a page was not encrypted for this document by this installation. */
export function decryptPages(
  encryption: Encryption,
  of: OfDocument & { readonly pages: readonly { readonly page: number; readonly encryptedText: Buffer }[] },
): readonly PageWords[] {
  return of.pages.map(({ page, encryptedText }) =>
    // safe: `encryptPages` wrote it, and nobody else can encrypt for this place.
    JSON.parse(encryption.decryptBytes(encryptedText, encryptionContextOf(of, page)).toString('utf8')),
  )
}

function encryptionContextOf({ accountId, documentId }: OfDocument, page: number): string {
  return `document_pages ${accountId} ${documentId} ${page}`
}
