/**
 * Cache of documents as they were sent, by the data that was read for them. While the data is the same object
 * (`store/read/remembered.ts`), the same request has the same answer, so neither its text nor its digest is made twice.
 */

import { placesRevision } from '../../../reference/places.ts'

export interface KeptDocument {
  readonly text: string
  /** Digests of the text, by media type. */
  readonly digests: Map<string, string>
}

/** Maximum documents for one object. Clients ask for it in one or two ways. */
const formsMax = 2
const formLengthMax = 1_000

interface Forms {
  /** Revision of the reference data. The texts contain names from it. */
  readonly revision: number
  readonly documents: Map<string, KeptDocument>
}

const kept = new WeakMap<object, Forms>()

/** `form` is everything else that the document depends on: our address and the URL of the request. */
export function findDocument(of: object, form: string): KeptDocument | null {
  const forms = kept.get(of)
  return forms?.revision === placesRevision() ? (forms.documents.get(form) ?? null) : null
}

export function keepDocument(of: object, form: string, text: string): KeptDocument {
  const document: KeptDocument = { text, digests: new Map() }
  if (form.length > formLengthMax) return document
  const known = kept.get(of)
  const forms =
    known?.revision === placesRevision() ? known : { revision: placesRevision(), documents: new Map() }
  if (forms.documents.size >= formsMax) forms.documents.clear()
  forms.documents.set(form, document)
  kept.set(of, forms)
  return document
}
