/** Predicts the line of a number for an account, and remembers what was predicted until the line is known. */

import { monthOf } from '../../inference/evidence.ts'
import { type Inference, type InferOptions, infer, rankLines } from '../../inference/infer.ts'
import type { Model } from '../../inference/model.ts'
import { readNumber } from '../../inference/number.ts'
import type { Account } from '../context.ts'
import { journeyNow, type Service } from '../service.ts'
import { learntFor } from './learnt.ts'
import { notePrediction } from './note-prediction.ts'

/** Null for what is no reference number. */
export async function predict(service: Service, account: Account, raw: string): Promise<Inference | null> {
  const known = await knownOf(service, account, raw)
  if (known === null) return null
  const { number, now, model, options } = known
  const inference = infer(raw, model, options)
  const first = inference?.shippingLine.candidates[0]
  // What the account has been told already is no prediction.
  if (inference === null || first === undefined || options.remembered !== null) return inference
  notePrediction(service, {
    accountId: account.id,
    number,
    scac: first.scac,
    confidence: first.confidence,
    decision: inference.shippingLine.decision,
    numberType: inference.numberType,
    nodes: inference.nodes,
    predictedAt: now,
  })
  return inference
}

/** The SCACs of all covered lines, likeliest first, by all that the account may know; no prediction is noted. */
export async function rankLinesOf(
  service: Service,
  account: Account,
  raw: string,
): Promise<readonly string[]> {
  const known = await knownOf(service, account, raw)
  return known === null ? [] : rankLines(raw, known.model, known.options)
}

interface Known {
  readonly number: string
  readonly now: string
  readonly model: Model
  readonly options: InferOptions & { readonly remembered: string | null }
}

async function knownOf(service: Service, account: Account, raw: string): Promise<Known | null> {
  const number = readNumber(raw)?.number
  if (number === undefined) return null
  const learnt = await learntFor(service, account)
  const now = journeyNow(service, account.isFiction)
  const options = {
    month: monthOf(new Date(now)),
    thresholds: service.config.inference,
    isDemoted: learnt.isDemoted,
    remembered: learnt.remembered(number, now),
  }
  return { number, now, model: learnt.model, options }
}
