/**
 * Reads one document by the language model: asks it about the words of this document alone, and keeps of its answer what
 * is found again in them.
 */

import type { DocumentReading, PageWords } from '../../../sources/documents/document.ts'
import { readableTypes } from '../../../sources/documents/document.ts'
import { readDocument } from '../../../sources/documents/fields/read-document.ts'
import { addFields, fieldsOfAnswer, lessSure } from '../../../sources/documents/model/add-answer.ts'
import { parseAnswer } from '../../../sources/documents/model/parse-answer.ts'
import { linesOf, type PrintedLine } from '../../../sources/documents/model/printed-lines.ts'
import { writeQuestion } from '../../../sources/documents/model/question.ts'
import { documentSchemas, typeLabels } from '../../../sources/documents/schemas/schemas.ts'
import { hidePickupNumbers } from '../../../sources/documents/secrets/find-pickup-number.ts'
import type { ModelReason } from '../../../store/inbound/documents.ts'
import type { Service } from '../../service.ts'
import { askModel, restOf } from './ask-model.ts'
import { modelOf } from './model-of.ts'

export interface ToRead {
  readonly accountId: string
  readonly documentId: string
  readonly pages: readonly PageWords[]
  /** What the rules read. */
  readonly reading: DocumentReading
  /** A person or an earlier reading decided the kind. */
  readonly isKindGiven: boolean
}

export type ModelOutcome =
  /** None is configured, or there is nothing to ask. */
  | { readonly kind: 'not_asked' }
  | { readonly kind: 'answered'; readonly reading: DocumentReading; readonly isKindByModel: boolean }
  /** `isAsked` false: it is not asked for now, so no question was sent. */
  | {
      readonly kind: 'failed'
      readonly reason: ModelReason
      readonly retryAfterMs: number
      readonly isAsked: boolean
    }

export async function readByModel(service: Service, given: ToRead): Promise<ModelOutcome> {
  const model = modelOf(service)
  const { reading } = given
  const pages = hidePickupNumbers(given.pages)
  const isUnknown = reading.type === 'unknown' && !given.isKindGiven
  const schemas = documentSchemas.filter(
    ({ documentType, isCurrent }) => isCurrent && (isUnknown || documentType === reading.type),
  )
  const lines =
    model === null ? [] : linesOf(pages, { pages: model.pagesMax, characters: model.charactersMax })
  if (model === null || schemas.length === 0 || lines.length === 0) return { kind: 'not_asked' }
  const restMs = restOf(service, model)
  if (restMs > 0)
    return { kind: 'failed', reason: model.learned.failedBy, retryAfterMs: restMs, isAsked: false }
  const asked = service.clock.now()
  const reply = await askModel(service, model, writeQuestion(lines, schemas, { isCut: isCut(lines, pages) }))
  const answer = reply.kind === 'answered' ? parseAnswer(reply.text) : null
  const outcome = reply.kind === 'failed' ? reply.reason : answer === null ? 'unusable' : 'answered'
  const { accountId: account, documentId } = given
  service.metrics.documentModelAsked({
    outcome,
    account,
    documentId,
    durationMs: service.clock.now() - asked,
  })
  if (reply.kind === 'failed') return { ...reply, isAsked: true }
  service.metrics.documentModelTokens({ direction: 'in', account, documentId, times: reply.tokensIn })
  service.metrics.documentModelTokens({ direction: 'out', account, documentId, times: reply.tokensOut })
  if (answer === null) return { kind: 'failed', reason: 'unusable', retryAfterMs: 0, isAsked: true }
  const kind = isUnknown ? answer.type : reading.type
  const type = readableTypes.find((each) => each === kind)
  if (type === undefined) return { kind: 'answered', reading, isKindByModel: false }
  const found = fieldsOfAnswer(answer, { type, lines, pages })
  const byRules = isUnknown ? lessSure(readDocument(given.pages, type)) : reading
  const both = addFields(byRules, found)
  return isUnknown
    ? { kind: 'answered', reading: { ...both, notes: notesOf(typeLabels[type]) }, isKindByModel: true }
    : { kind: 'answered', reading: both, isKindByModel: false }
}

function notesOf(label: string): string {
  return `The rules recognised no kind. A language model says: ${label.toLowerCase()}.`
}

function isCut(lines: readonly PrintedLine[], pages: readonly PageWords[]): boolean {
  const shown = lines.reduce((sum, { runs }) => sum + runs.reduce((of, { words }) => of + words.length, 0), 0)
  return shown < pages.reduce((sum, { words }) => sum + words.length, 0)
}
