/**
 * Cache of documents as they were sent, by the data that was read for them. While the data is the same object
 * (`db/row-memory.ts`), the same request has the same answer, so neither its text nor its digest is made twice.
 */

import { placesRevision } from '../../reference/places.ts'

export interface CachedDocument {
  readonly text: string
  /** Digests of the text, by media type. */
  readonly digests: Map<string, string>
}

/** Maximum documents for one object. Clients request it in one or two ways. */
const formsMax = 2
const formLengthMax = 1_000

interface DocumentsByForm {
  /** Revision of the reference data. The texts contain names from it. */
  readonly revision: number
  readonly documents: Map<string, CachedDocument>
}

const documentCache = new WeakMap<object, DocumentsByForm>()

/** `form` is everything else that the document depends on: our address and the URL of the request. */
export function findDocument(of: object, form: string): CachedDocument | null {
  const forms = documentCache.get(of)
  return forms?.revision === placesRevision() ? (forms.documents.get(form) ?? null) : null
}

export function cacheDocument(of: object, form: string, text: string): CachedDocument {
  const document: CachedDocument = { text, digests: new Map() }
  if (form.length > formLengthMax) return document
  const known = documentCache.get(of)
  const forms = known?.revision === placesRevision() ? known : { revision: placesRevision(), documents: new Map() }
  if (forms.documents.size >= formsMax) forms.documents.clear()
  forms.documents.set(form, document)
  documentCache.set(of, forms)
  return document
}
