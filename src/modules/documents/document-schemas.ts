/** What can be read of each kind of document, in versions. */

import type { DocumentSchema } from '../../connectors/papers/schemas/schemas.ts'
import type { Service } from '../service.ts'
import { readersOf } from './readers.ts'

/** Null for a kind that has no fields. */
export function currentSchemaOf(service: Service, type: string): DocumentSchema | null {
  return (
    readersOf(service).documentSchemas.find(({ documentType, isCurrent }) => documentType === type && isCurrent) ?? null
  )
}

/**
 * By `type@version`; `type@current` and the type without a version mean the current version. Null when there is no such
 * schema.
 */
export function findDocumentSchema(service: Service, id: string): DocumentSchema | null {
  const [type = '', version = 'current', ...more] = id.split('@')
  if (more.length > 0) return null
  if (version === 'current') return currentSchemaOf(service, type)
  return (
    readersOf(service).documentSchemas.find((each) => each.documentType === type && each.version === version) ?? null
  )
}
