/**
 * What reads documents, rotates images, knows the schemas and ingests the statements into shipments. One place, so that
 * a test of the queue, of links or of faults can give its own readers.
 */

import type {
  DocumentField,
  DocumentReading,
  DocumentType,
  PagesReading,
  PageWords,
} from '../../connectors/papers/document.ts'
import type { Rotation } from '../../connectors/papers/pages/read-pages-apart.ts'
import type { DocumentSchema } from '../../connectors/papers/schemas/schemas.ts'
import { loadNow } from '../../platform/load-now.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { once } from '../../reference/data-files.ts'
import type { Service } from '../service.ts'
import type { DocumentStatement } from './apply-document-statements.ts'
import type { ReferenceKind } from './document-readings-sql.ts'
import type { ModelInput, ModelOutcome } from './model/read-by-model.ts'

export interface Readers {
  readonly readPagesApart: (bytes: Buffer) => Promise<PagesReading>
  readonly rotateImageApart: (bytes: Buffer, degrees: 90 | 180 | 270) => Promise<Rotation>
  readonly readDocument: (pages: readonly PageWords[], as?: DocumentType | null) => DocumentReading
  /** Adds what a language model reads, where one is configured. */
  readonly readByModel: (service: Service, given: ModelInput) => Promise<ModelOutcome>
  /** The pick-up number, which is not included in the reading. */
  readonly findPickupNumber: (pages: readonly PageWords[], type: DocumentType) => DocumentField | null
  readonly numbersOf: (reading: DocumentReading) => readonly { readonly kind: ReferenceKind; readonly number: string }[]
  readonly rulesVersion: number
  readonly documentSchemas: readonly DocumentSchema[]
  readonly applyDocumentStatements: (service: Service, statement: DocumentStatement) => Promise<void>
}

/** Loaded with the first document. */
const real = once(
  (): Readers => loadNow<typeof import('./real-readers.ts')>(new URL('./real-readers.ts', import.meta.url)).realReaders,
)

const memoryOf = memoizePerOwner<Service, { readers: Readers | null }>(() => ({ readers: null }))

export function readersOf(service: Service): Readers {
  return memoryOf(service).readers ?? real()
}

export function useReaders(service: Service, readers: Readers): void {
  memoryOf(service).readers = readers
}
