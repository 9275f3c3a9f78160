/**
 * Adds what a language model reads, where the operator configured one and the account has switched it on. It is never
 * needed: when the model does not answer, the result of the rules is stored, and the model is queried again some times.
 */

import type { DocumentField, DocumentReading, PageWords } from '../../../connectors/papers/document.ts'
import { payloadOf } from '../../../connectors/papers/fields/payload.ts'
import { addMs } from '../../../domain/values/time.ts'
import { realNow, type Service } from '../../service.ts'
import { readModelConsent } from '../document-readings-sql.ts'
import type { ModelState } from '../documents-sql.ts'
import { findManualFaults } from '../find-manual-faults.ts'
import { readersOf } from '../readers.ts'

export interface ReadingWithModel {
  readonly reading: DocumentReading
  /** Null when it was not queried. */
  readonly model: ModelState | null
  readonly isKindByModel: boolean
  /** When the model is queried again; null when it is not. */
  readonly askAgainAt: string | null
}

const triesMax = 4
const firstWaitMs = 60_000

export async function mergeModelReading(
  service: Service,
  of: {
    readonly accountId: string
    readonly documentId: string
    readonly pages: readonly PageWords[]
    readonly reading: DocumentReading
    readonly isKindKnown: boolean
    /** How many questions about this reading failed. */
    readonly tries: number
  },
): Promise<ReadingWithModel> {
  const { reading, tries } = of
  const without: ReadingWithModel = { reading, model: null, isKindByModel: false, askAgainAt: null }
  if (!(await readModelConsent(service.pool, of.accountId))) return without
  try {
    const outcome = await readersOf(service).readByModel(service, of)
    if (outcome.kind === 'not_asked') return without
    if (outcome.kind === 'answered')
      return {
        ...without,
        reading: dropInvalidFields(service, outcome.reading),
        model: { state: 'answered' },
        isKindByModel: outcome.isKindByModel,
      }
    const triesNow = outcome.isCalled ? tries + 1 : tries
    const { reason } = outcome
    if (triesNow >= triesMax) return { ...without, model: { state: 'failed', reason, tries: triesNow } }
    const waitMs = Math.max(outcome.retryAfterMs, firstWaitMs * 8 ** tries)
    return {
      ...without,
      model: { state: 'waiting', reason, tries: triesNow },
      askAgainAt: addMs(realNow(service), waitMs),
    }
  } catch (error) {
    service.metrics.jobFailed({ job: 'document_model', document: of.documentId, error })
    return without
  }
}

/** Without the fields of the model that do not fit the schema. */
function dropInvalidFields(service: Service, reading: DocumentReading): DocumentReading {
  const faults = new Set(findManualFaults(service, reading.type, reading.payload).map(({ pointer }) => pointer))
  if (faults.size === 0) return reading
  const fields = reading.fields.filter((field) => field.by === 'rules' || !faults.has(pointerOf(field)))
  return { ...reading, fields, payload: payloadOf(fields) }
}

/** `containers[0].number` is `/containers/0/number`. */
function pointerOf({ name }: DocumentField): string {
  return `/${name.replaceAll(/[.[]/g, '/').replaceAll(']', '')}`
}
