/**
 * Documents as they were sent, kept beside what was read for them: while that is the same object (`store/read/remembered.ts`),
 * the same question has the same answer, and neither the text nor its digest is made twice.
 */

import { placesRevision } from '../../../reference/places.ts'

export interface KeptDocument {
  readonly text: string
  /** Of the bytes, by media type. */
  readonly digests: Map<string, string>
}

/** Of one thing; a client asks for it in one or two ways. */
const formsMax = 2
const formLengthMax = 1_000

interface Forms {
  /** Of the reference data, whose names are in the texts. */
  readonly revision: number
  readonly documents: Map<string, KeptDocument>
}

const kept = new WeakMap<object, Forms>()

/** `form`: all that the document depends on besides: who is asked, and for what. */
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
