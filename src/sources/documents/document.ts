/**
 * What every part of reading a document works with: a page's words with their places, the kinds of documents, and the
 * fields that were read, each with its place on the page as proof.
 */

/**
 * Kinds of documents, in the words of the API. `unknown`: nobody could tell. `other`: a person or a reader says that it
 * is none of these.
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

/** A rectangle on a page as it is shown: fractions of its width and height, from the upper left corner, 0 to 1. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Word {
  readonly text: string
  readonly box: Box
  /** 0 to 1. Words of a text layer have 1. */
  readonly confidence: number
}

/** How the lines of a page run on the page as it is shown. */
export interface LineRun {
  /** In quarter turns clockwise: 0 to the right, 1 down, 2 to the left and upside down, 3 up. */
  readonly turn: 0 | 1 | 2 | 3
  /** How far they slope besides, in degrees clockwise. */
  readonly skewDegrees: number
}

/**
 * The words that a person sees on a page. Words that nobody can see are counted and left out.
 *
 * The page as it is shown is what a viewer of the file draws: with the rotation of a PDF page, and the orientation that
 * a camera wrote down (EXIF). A page that was scanned or photographed sideways is shown sideways, and its boxes lie on
 * it so; `lines` says how it is to be read, and `asRead` turns the boxes.
 */
export interface PageWords {
  /** From 1. */
  readonly page: number
  /** Of the page as it is shown; points for PDF, pixels for images. */
  readonly width: number
  readonly height: number
  /** `text`: from the file's own text; `ocr`: some or all words are from the pixels. */
  readonly origin: 'text' | 'ocr'
  readonly words: readonly Word[]
  /** How many words of the file's own text nobody can see. */
  readonly invisibleWords: number
  /** Missing when they run to the right. */
  readonly lines?: LineRun
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
  | {
      readonly ok: true
      readonly pages: readonly PageWords[]
      /** Numbers of pages that could not be read, or were too many to be read from their pixels. Missing when none. */
      readonly unread?: readonly number[]
    }
  | { readonly ok: false; readonly reason: UnreadableReason; readonly detail: string }

/** One value that was read. `name` is its path in the payload: `containers[0].number`. */
export interface FieldRead {
  readonly name: string
  readonly value: string | number | boolean
  /** As it is printed. */
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  readonly page: number
  readonly box: Box
  readonly by: 'rules' | 'model'
}

/** What a document is and says. */
export interface DocumentReading {
  readonly type: DocumentType
  /** 0 to 1. */
  readonly typeConfidence: number
  /** By what the kind was recognised, in a sentence. */
  readonly notes: string
  /** In the shape of the schema of the type; empty for `other` and `unknown`. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly fields: readonly FieldRead[]
}
