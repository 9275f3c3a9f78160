/**
 * Reads one document by the language model: sends it the words of this document alone, and uses only those parts of its
 * answer that are found again in these words.
 */

import type { DocumentReading, PageWords } from '../../../connectors/papers/document.ts'
import { readableTypes } from '../../../connectors/papers/document.ts'
import { readDocument } from '../../../connectors/papers/fields/read-document.ts'
import { addFields, capConfidence, fieldsOfAnswer } from '../../../connectors/papers/model/add-answer.ts'
import { parseAnswer } from '../../../connectors/papers/model/parse-answer.ts'
import { listPrintedLines, type PrintedLine } from '../../../connectors/papers/model/printed-lines.ts'
import { writeQuestion } from '../../../connectors/papers/model/question.ts'
import { documentSchemas, typeLabels } from '../../../connectors/papers/schemas/schemas.ts'
import { hidePickupNumbers } from '../../../connectors/papers/secrets/find-pickup-number.ts'
import type { Service } from '../../service.ts'
import type { ModelReason } from '../documents-sql.ts'
import { callModel, remainingCooldown } from './call-model.ts'
import { modelOf } from './model.ts'

export interface ModelInput {
  readonly accountId: string
  readonly documentId: string
  readonly pages: readonly PageWords[]
  /** What the rules read. */
  readonly reading: DocumentReading
  /** A person or an earlier reading decided the kind. */
  readonly isKindKnown: boolean
}

export type ModelOutcome =
  /** None is configured, or there is no question. */
  | { readonly kind: 'not_asked' }
  | { readonly kind: 'answered'; readonly reading: DocumentReading; readonly isKindByModel: boolean }
  /** `isAsked` false: the model is in cooldown, so no question was sent. */
  | {
      readonly kind: 'failed'
      readonly reason: ModelReason
      readonly retryAfterMs: number
      readonly isCalled: boolean
    }

export async function readByModel(service: Service, input: ModelInput): Promise<ModelOutcome> {
  const model = modelOf(service)
  const { reading } = input
  const pages = hidePickupNumbers(input.pages)
  const isUnknown = reading.type === 'unknown' && !input.isKindKnown
  const schemas = documentSchemas.filter(
    ({ documentType, isCurrent }) => isCurrent && (isUnknown || documentType === reading.type),
  )
  const lines =
    model === null ? [] : listPrintedLines(pages, { pages: model.pagesMax, characters: model.charactersMax })
  if (model === null || schemas.length === 0 || lines.length === 0) return { kind: 'not_asked' }
  const cooldownMs = remainingCooldown(service, model)
  if (cooldownMs > 0)
    return { kind: 'failed', reason: model.learned.failedBy, retryAfterMs: cooldownMs, isCalled: false }
  const calledAt = service.clock.now()
  const reply = await callModel(service, model, writeQuestion(lines, schemas, { isCut: isTextTruncated(lines, pages) }))
  const answer = reply.kind === 'answered' ? parseAnswer(reply.text) : null
  const outcome = reply.kind === 'failed' ? reply.reason : answer === null ? 'unusable' : 'answered'
  const { accountId: account, documentId } = input
  service.metrics.documentModelAsked({
    outcome,
    account,
    documentId,
    durationMs: service.clock.now() - calledAt,
  })
  if (reply.kind === 'failed') return { ...reply, isCalled: true }
  service.metrics.documentModelTokens({ direction: 'in', account, documentId, times: reply.tokensIn })
  service.metrics.documentModelTokens({ direction: 'out', account, documentId, times: reply.tokensOut })
  if (answer === null) return { kind: 'failed', reason: 'unusable', retryAfterMs: 0, isCalled: true }
  const kind = isUnknown ? answer.type : reading.type
  const type = readableTypes.find((each) => each === kind)
  if (type === undefined) return { kind: 'answered', reading, isKindByModel: false }
  const found = fieldsOfAnswer(answer, { type, lines, pages })
  const byRules = isUnknown ? capConfidence(readDocument(input.pages, type)) : reading
  const both = addFields(byRules, found)
  return isUnknown
    ? { kind: 'answered', reading: { ...both, notes: describeModelLabel(typeLabels[type]) }, isKindByModel: true }
    : { kind: 'answered', reading: both, isKindByModel: false }
}

function describeModelLabel(label: string): string {
  return `The rules recognised no kind. A language model says: ${label.toLowerCase()}.`
}

function isTextTruncated(lines: readonly PrintedLine[], pages: readonly PageWords[]): boolean {
  const sentCount = lines.reduce((sum, { runs }) => sum + runs.reduce((of, { words }) => of + words.length, 0), 0)
  return sentCount < pages.reduce((sum, { words }) => sum + words.length, 0)
}
