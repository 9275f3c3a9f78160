/**
 * One question to the language model, through the guarded client. It never throws because of the server. After a
 * failure no question is sent for a while, so that a dead model does not delay the documents that wait.
 */

import { type Reply, speakers } from '../../../connectors/papers/model/model-clients.ts'
import type { ModelQuestion } from '../../../connectors/papers/model/question.ts'
import type { EgressResult } from '../../../platform/egress.ts'
import type { Service } from '../../service.ts'
import type { ModelReason } from '../documents-sql.ts'
import type { Model } from './model.ts'

export type ModelReply =
  | ({ readonly kind: 'answered' } & Reply)
  | { readonly kind: 'failed'; readonly reason: ModelReason; readonly retryAfterMs: number }

/** An answer of the largest number of tokens is far smaller. */
const answerBytesMax = 2_097_152
const firstCooldownMs = 30_000
const maxCooldownMs = 600_000
/** A server that requests a longer pause than this is queried earlier. */
const retryAfterMaxMs = 6 * 3_600_000

/** How long the model is not queried; 0 when it may be queried. */
export function remainingCooldown(service: Pick<Service, 'clock'>, { learned }: Model): number {
  return Math.max(0, learned.cooldownUntil - service.clock.now())
}

export async function callModel(
  service: Pick<Service, 'clock'>,
  model: Model,
  question: ModelQuestion,
): Promise<ModelReply> {
  const reply = await callWithFallback(model, question)
  const { learned } = model
  // Its answer about one document shows nothing about the next.
  const isWell = reply.kind === 'answered' || reply.reason === 'unusable'
  if (isWell) {
    learned.failuresInRow = 0
    return reply
  }
  const cooldownMs = Math.max(reply.retryAfterMs, Math.min(maxCooldownMs, firstCooldownMs * 2 ** learned.failuresInRow))
  learned.failuresInRow += 1
  learned.cooldownUntil = service.clock.now() + cooldownMs
  learned.failedBy = reply.reason
  return { ...reply, retryAfterMs: cooldownMs }
}

/** A server that refuses the question may not know schemas of answers: it is queried once more, without. */
async function callWithFallback(model: Model, question: ModelQuestion): Promise<ModelReply> {
  const { learned } = model
  const first = await sendQuestion(model, question)
  if (learned.isPlain || first.kind !== 'answer' || (first.status !== 400 && first.status !== 422))
    return replyOf(model, first)
  learned.isPlain = true
  const second = await sendQuestion(model, question)
  const reply = replyOf(model, second)
  if (reply.kind === 'failed') learned.isPlain = false
  return reply
}

async function sendQuestion(model: Model, question: ModelQuestion): Promise<EgressResult> {
  const { kind, url, name, key, timeoutMs, tokensMax, learned } = model
  const adapter = speakers[kind]
  const body = adapter.bodyOf({ ...question, model: name, tokensMax, isPlain: learned.isPlain })
  return model.egress.request({
    url: adapter.urlOf(url),
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...adapter.headersOf(key) },
    body: JSON.stringify(body),
    timeoutMs,
    maxBytes: answerBytesMax,
  })
}

function replyOf({ kind }: Model, result: EgressResult): ModelReply {
  const failed = (reason: ModelReason, retryAfterMs = 0): ModelReply => ({
    kind: 'failed',
    reason,
    retryAfterMs,
  })
  if (result.kind === 'refused') return failed('refused')
  if (result.kind === 'failed') return failed(result.reason === 'timeout' ? 'timeout' : 'unreachable')
  const waitMs = retryAfterOf(result.headers['retry-after'])
  if (result.status === 429) return failed('rate_limited', waitMs)
  if (result.status >= 500) return failed('failing', waitMs)
  if (result.status !== 200) return failed('refused')
  const reply = result.truncated ? null : speakers[kind].readReply(parseJson(result.body))
  return reply === null ? failed('unusable') : { kind: 'answered', ...reply }
}

/** RFC 9110, 10.2.3, in seconds. A date is not read: the growing cooldown is enough then. */
function retryAfterOf(header: string | undefined): number {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(retryAfterMaxMs, Number(header) * 1_000) : 0
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return null
  }
}
