/**
 * Adds what a language model reads, where the operator configured one and the account has switched it on. It is never
 * needed: when the model does not answer, what the rules read is kept, and the model is asked again some times.
 */

import { addMs } from '../../../core/values/time.ts'
import type { DocumentReading, FieldRead, PageWords } from '../../../sources/documents/document.ts'
import { payloadOf } from '../../../sources/documents/fields/payload.ts'
import { readUsesModel } from '../../../store/inbound/document-readings.ts'
import type { ModelState } from '../../../store/inbound/documents.ts'
import { realNow, type Service } from '../../service.ts'
import { findManualFaults } from '../ground/check-manual.ts'
import { readersOf } from '../ground/readers.ts'

export interface Added {
  readonly reading: DocumentReading
  /** Null when it was not asked. */
  readonly model: ModelState | null
  readonly isKindByModel: boolean
  /** When the model is asked again; null when it is not. */
  readonly askAgainAt: string | null
}

const triesMax = 4
const firstWaitMs = 60_000

export async function addByModel(
  service: Service,
  of: {
    readonly accountId: string
    readonly documentId: string
    readonly pages: readonly PageWords[]
    readonly reading: DocumentReading
    readonly isKindGiven: boolean
    /** How often it was asked in vain about this reading. */
    readonly tries: number
  },
): Promise<Added> {
  const { reading, tries } = of
  const without: Added = { reading, model: null, isKindByModel: false, askAgainAt: null }
  if (!(await readUsesModel(service.pool, of.accountId))) return without
  try {
    const outcome = await readersOf(service).readByModel(service, of)
    if (outcome.kind === 'not_asked') return without
    if (outcome.kind === 'answered')
      return {
        ...without,
        reading: fitting(service, outcome.reading),
        model: { state: 'answered' },
        isKindByModel: outcome.isKindByModel,
      }
    const triesNow = outcome.isAsked ? tries + 1 : tries
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
function fitting(service: Service, reading: DocumentReading): DocumentReading {
  const faults = new Set(
    findManualFaults(service, reading.type, reading.payload).map(({ pointer }) => pointer),
  )
  if (faults.size === 0) return reading
  const fields = reading.fields.filter((field) => field.by === 'rules' || !faults.has(pointerOf(field)))
  return { ...reading, fields, payload: payloadOf(fields) }
}

/** `containers[0].number` is `/containers/0/number`. */
function pointerOf({ name }: FieldRead): string {
  return `/${name.replaceAll(/[.[]/g, '/').replaceAll(']', '')}`
}
