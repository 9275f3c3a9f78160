/**
 * The shared types of document reading: the words of a page with their places, the kinds of documents, and the fields
 * that were read, each with its place on the page as proof.
 */

/**
 * Kinds of documents, with the names of the API. `unknown`: it could not be recognised. `other`: a person or a reader
 * decided that it is not one of these.
 */
export const documentTypes = [
  'bill_of_lading',
  'sea_waybill',
  'arrival_notice',
  'delivery_order',
  'booking_confirmation',
  'commercial_invoice',
  'packing_list',
  'demurrage_invoice',
  'other',
  'unknown',
] as const
export type DocumentType = (typeof documentTypes)[number]

/** The kinds that have fields to read. */
export const readableTypes = documentTypes.filter((type) => type !== 'other' && type !== 'unknown')
export type ReadableType = Exclude<DocumentType, 'other' | 'unknown'>

export type Quarters = 0 | 1 | 2 | 3

/** A rectangle on a page as it is shown: fractions of its width and height, from the upper left corner, 0 to 1. */
export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Word {
  readonly text: string
  readonly box: Rectangle
  /** 0 to 1. Words of a text layer have 1. */
  readonly confidence: number
}

/** The words that a person sees on a page. Words that nobody can see are counted and left out. */
export interface PageWords {
  /** From 1. */
  readonly page: number
  /** Of the page as it is shown; points for PDF, pixels for images. */
  readonly width: number
  readonly height: number
  /** `text`: from the file's own text; `ocr`: from the pixels. */
  readonly origin: 'text' | 'ocr'
  /** The number of clockwise quarter turns after which the words of the page are upright. Absent: none. */
  readonly quarters?: Quarters
  /** By how much it must then be tilted so that its lines are level: radians, clockwise. None when left out. */
  readonly tilt?: number
  readonly words: readonly Word[]
  /** How many words of the file's own text nobody can see. */
  readonly invisibleWords: number
}

/** Why nothing could be read from a file. */
export const unreadableReasons = [
  'encrypted',
  'too_many_pages',
  'too_large',
  'unsupported_type',
  'damaged',
  'exhausted',
  'no_text',
] as const
export type UnreadableReason = (typeof unreadableReasons)[number]

export type PagesReading =
  | { readonly ok: true; readonly pages: readonly PageWords[] }
  | { readonly ok: false; readonly reason: UnreadableReason; readonly detail: string }

/** One value that was read. `name` is its path in the payload: `containers[0].number`. */
export interface DocumentField {
  readonly name: string
  readonly value: string | number | boolean
  /** As it is printed. */
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  readonly page: number
  readonly box: Rectangle
  readonly by: 'rules' | 'model'
}

/** What is read with this confidence counts by itself. What is less sure waits for a person. */
export const sureFrom = 0.75

/** The kind of a document and its fields. */
export interface DocumentReading {
  readonly type: DocumentType
  /** 0 to 1. */
  readonly typeConfidence: number
  /** By what the kind was recognised, in a sentence. */
  readonly notes: string
  /** In the shape of the schema of the type; empty for `other` and `unknown`. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly fields: readonly DocumentField[]
}
