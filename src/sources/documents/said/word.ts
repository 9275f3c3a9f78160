/**
 * What one document says at present, as it enters by the way that everything said enters by: a JSON object that is
 * written here and read back here. It is kept sealed like every message, and read again when a reader is mended.
 */

import { isObject, type JsonObject } from '../../../core/values/json-value.ts'
import { numberKinds } from '../../source.ts'
import type { SpokenOf } from '../../told.ts'
import { type Box, type DocumentType, documentTypes } from '../document.ts'

/** A value that counts: read with confidence, or confirmed or written by a person. */
export interface SaidField {
  /** Its path in the payload: `free_time[0].last_free_day`. */
  readonly name: string
  readonly value: string | number | boolean
  /** As it is printed, where the place is known. */
  readonly text: string | null
  readonly confidence: number | null
  /** Where it was read; null for what a person wrote that was read nowhere. */
  readonly page: number | null
  readonly box: Box | null
  /** `read`: by the rules. `confirmed`: a person left it as it was read. `corrected`: a person wrote it. */
  readonly by: 'read' | 'confirmed' | 'corrected'
}

/** A kind of document with the fields that count of it: all that its statements follow from. */
export interface SaidPaper {
  readonly type: DocumentType
  readonly fields: readonly SaidField[]
}

export interface DocumentWord extends SaidPaper {
  /** The id of the document. */
  readonly document: string
  /** Counts the words of this document, from 1. */
  readonly version: number
  /** ISO instant: when the document said something for the first time. It was written then, at the latest. */
  readonly receivedAt: string
  /**
   * ISO instant. Set where another word was said just before: this one is the later word, whatever dates the two bear.
   */
  readonly after: string | null
  /** ISO instant: when it was read, confirmed or corrected; null where that is not known. */
  readonly at: string | null
  /** Who confirmed and corrected it: `user` and an id, and so on. Null where nobody did. */
  readonly person: { readonly kind: string; readonly id: string | null } | null
  /** The numbers whose shipments are to hear it. */
  readonly numbers: readonly SpokenOf[]
  /** What it said in earlier words and may not say any more. What of it is not in `fields` is taken back. */
  readonly earlier: readonly SaidPaper[]
}

/** Names of fields are ours. Anything else is no field of a document. */
export function isFieldName(name: string): boolean {
  return /^[\w.[\]]{1,200}$/.test(name)
}

export function writeWord(word: DocumentWord): Buffer {
  return Buffer.from(JSON.stringify(word))
}

/** Null for anything that `writeWord` does not write. */
export function parseWord(value: JsonObject): DocumentWord | null {
  const { document, version, receivedAt, after, numbers, earlier } = value
  const paper = parsePaper(value)
  if (paper === null || !isId(document) || !isInstant(receivedAt)) return null
  if (!isVersion(version) || !(after === null || isInstant(after))) return null
  if (!Array.isArray(numbers) || !numbers.every(isSpoken)) return null
  const before = Array.isArray(earlier) ? earlier.map(parsePaper) : [null]
  if (!before.every((each) => each !== null)) return null
  const person = parsePerson(value['person'])
  const at = isInstant(value['at']) ? value['at'] : null
  return { ...paper, document, version, receivedAt, after, at, person, numbers, earlier: before }
}

function parsePaper(value: unknown): SaidPaper | null {
  if (!isObject(value)) return null
  const type = documentTypes.find((each) => each === value['type'])
  const { fields } = value
  if (type === undefined || !Array.isArray(fields)) return null
  const read = fields.map(parseField)
  return read.every((each) => each !== null) ? { type, fields: read } : null
}

const ways = ['read', 'confirmed', 'corrected'] as const

function parseField(value: unknown): SaidField | null {
  if (!isObject(value)) return null
  const { name, value: said, text, confidence, page, box } = value
  const by = ways.find((each) => each === value['by'])
  if (typeof name !== 'string' || !isFieldName(name)) return null
  if (by === undefined || !isValue(said)) return null
  if (!isTextOrNull(text) || !isNumberOrNull(confidence) || !isNumberOrNull(page)) return null
  const place = parseBox(box)
  if (place === undefined) return null
  return { name, value: said, text, confidence, page, box: place, by }
}

function parseBox(value: unknown): Box | null | undefined {
  if (value === null) return null
  if (!isObject(value)) return undefined
  const { left, top, right, bottom } = value
  return isNumber(left) && isNumber(top) && isNumber(right) && isNumber(bottom)
    ? { left, top, right, bottom }
    : undefined
}

function parsePerson(value: unknown): DocumentWord['person'] {
  if (!isObject(value) || typeof value['kind'] !== 'string') return null
  const { kind, id } = value
  return { kind, id: typeof id === 'string' ? id : null }
}

function isSpoken(value: unknown): value is SpokenOf {
  if (!isObject(value)) return false
  const { kind, number } = value
  return numberKinds.some((each) => each === kind) && typeof number === 'string'
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
}

function isInstant(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  )
}

function isVersion(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || isNumber(value)
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isValue(value: unknown): value is SaidField['value'] {
  return typeof value === 'string' || typeof value === 'boolean' || isNumber(value)
}
