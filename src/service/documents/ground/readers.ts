/**
 * What reads documents, turns images, knows the schemas and lets the journeys hear. INTERIM: until those parts are
 * merged, nothing can be read, and every reading fails and says so. Tests give other readers.
 */

import type {
  DocumentReading,
  DocumentType,
  FieldRead,
  PagesReading,
  PageWords,
  ReadableType,
  UnreadableReason,
} from '../../../sources/documents/document.ts'
import type { ReferenceKind } from '../../../store/inbound/document-readings.ts'
import type { Account } from '../../context.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'

export interface DocumentSchema {
  readonly documentType: ReadableType
  readonly label: string
  readonly version: string
  readonly isCurrent: boolean
  readonly isDraft: boolean
  readonly activeAt: string | null
  readonly description: string | null
  /** JSON Schema. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

export type Turned =
  | { readonly ok: true; readonly bytes: Buffer; readonly contentType: string }
  | { readonly ok: false; readonly reason: UnreadableReason; readonly detail: string }

export interface Said {
  readonly type: DocumentType
  readonly payload: Readonly<Record<string, unknown>>
  readonly fields: readonly FieldRead[]
  readonly isManual: boolean
  readonly at: string
}

export interface Readers {
  readonly readPagesApart: (
    bytes: Buffer,
    of: { readonly contentType: string | null; readonly fileName: string },
  ) => Promise<PagesReading>
  readonly rotateImageApart: (bytes: Buffer, degrees: number) => Promise<Turned>
  readonly readDocument: (pages: readonly PageWords[], as?: DocumentType | null) => DocumentReading
  /** What was read, and what a language model read besides; null where none is configured. */
  readonly readByModel:
    | ((service: Service, pages: readonly PageWords[], reading: DocumentReading) => Promise<DocumentReading>)
    | null
  readonly numbersOf: (
    reading: DocumentReading,
  ) => readonly { readonly kind: ReferenceKind; readonly number: string }[]
  readonly rulesVersion: number
  readonly documentSchemas: readonly DocumentSchema[]
  readonly sayDocument: (
    service: Service,
    of: { readonly account: Account; readonly documentId: string; readonly said: Said | null },
  ) => Promise<void>
}

const missing = { ok: false, reason: 'unsupported_type', detail: 'Nothing can be read yet.' } as const

const interim: Readers = {
  readPagesApart: async () => missing,
  rotateImageApart: async () => missing,
  readDocument: () => ({ type: 'unknown', typeConfidence: 0, notes: '', payload: {}, fields: [] }),
  readByModel: null,
  numbersOf: () => [],
  rulesVersion: 0,
  documentSchemas: [],
  sayDocument: async () => {},
}

const kept = keptBeside<Service, { readers: Readers }>(() => ({ readers: interim }))

export function readersOf(service: Service): Readers {
  return kept(service).readers
}

export function useReaders(service: Service, readers: Readers): void {
  kept(service).readers = readers
}
