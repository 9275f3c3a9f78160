/**
 * What reads documents, turns images, knows the schemas and lets the journeys hear. One place, so that a test of the
 * queue, of links or of faults can give readers of its own.
 */

import { loadNow } from '../../../platform/load-now.ts'
import { once } from '../../../reference/data-files.ts'
import type {
  DocumentReading,
  DocumentType,
  FieldRead,
  PagesReading,
  PageWords,
} from '../../../sources/documents/document.ts'
import type { Rotation } from '../../../sources/documents/pages/read-pages-apart.ts'
import type { DocumentSchema } from '../../../sources/documents/schemas/schemas.ts'
import type { ReferenceKind } from '../../../store/inbound/document-readings.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'
import type { ModelOutcome, ToRead } from '../model/read-by-model.ts'
import type { Said } from '../said/say-document.ts'

export interface Readers {
  readonly readPagesApart: (bytes: Buffer) => Promise<PagesReading>
  readonly rotateImageApart: (bytes: Buffer, degrees: 90 | 180 | 270) => Promise<Rotation>
  readonly readDocument: (pages: readonly PageWords[], as?: DocumentType | null) => DocumentReading
  /** Adds what a language model reads, where one is configured. */
  readonly readByModel: (service: Service, given: ToRead) => Promise<ModelOutcome>
  /** The pick-up number, which is no part of the reading. */
  readonly findPickupNumber: (pages: readonly PageWords[], type: DocumentType) => FieldRead | null
  readonly numbersOf: (
    reading: DocumentReading,
  ) => readonly { readonly kind: ReferenceKind; readonly number: string }[]
  readonly rulesVersion: number
  readonly documentSchemas: readonly DocumentSchema[]
  readonly sayDocument: (service: Service, said: Said) => Promise<void>
}

/** Loaded with the first document. */
const real = once(
  (): Readers =>
    loadNow<typeof import('./real-readers.ts')>(new URL('./real-readers.ts', import.meta.url)).realReaders,
)

const kept = keptBeside<Service, { readers: Readers | null }>(() => ({ readers: null }))

export function readersOf(service: Service): Readers {
  return kept(service).readers ?? real()
}

export function useReaders(service: Service, readers: Readers): void {
  kept(service).readers = readers
}
