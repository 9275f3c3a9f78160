/**
 * Predicts the line of a number for an account, from the number alone or together with the list that it came in. Stores
 * the prediction until the line is known.
 */

import { monthOf } from '../../inference/evidence.ts'
import { type Inference, makeInference } from '../../inference/infer.ts'
import { inferTogether, type ListedNumber } from '../../inference/infer-together.ts'
import { readNumber } from '../../inference/number.ts'
import type { Account } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import { findCompanions } from './companions-sql.ts'
import { getPredictionBasis } from './learnt.ts'
import { companionDays, notePrediction } from './note-prediction.ts'

/**
 * Null for a text that is no reference number. `listed`: the other numbers that came with it, which are evidence too.
 */
export async function predictLine(
  service: Service,
  account: Account,
  raw: string,
  listed: readonly ListedNumber[] = [],
): Promise<Inference | null> {
  const number = readNumber(raw)?.number
  if (number === undefined) return null
  const learnt = await getPredictionBasis(service, account)
  const now = journeyNow(service, account.isSandbox)
  const remembered = learnt.remembered(number, now)
  const { model, isDemoted } = learnt
  const beside =
    listed.length > 0 || remembered !== null || !learnt.hasCompanions
      ? []
      : await companionsOf(service, account, { number, now })
  const options = {
    month: monthOf(new Date(now)),
    thresholds: service.config.inference,
    isDemoted,
  }
  const inference =
    listed.length + beside.length === 0
      ? makeInference(raw, model, { ...options, remembered })
      : (inferTogether([{ number: raw, scac: null }, ...listed, ...beside], model, {
          ...options,
          listedIn: beside.length > 0 ? 'bill' : 'list',
          remembered: (each) => learnt.remembered(each, now),
        })[0] ?? null)
  const first = inference?.shippingLine.candidates[0]
  // If a line has already confirmed the number to the account, it is not a prediction.
  if (inference === null || first === undefined || remembered !== null) return inference
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

const dayMs = 86_400_000
/** More numbers add nothing: a bill of hundreds of containers belongs to one line, as a bill of fifty does. */
const companionsMax = 50

/** The numbers that recent messages to the account named under one bill with this number. */
async function companionsOf(
  { pool }: Service,
  { id: accountId }: Account,
  { number, now }: { readonly number: string; readonly now: string },
): Promise<readonly ListedNumber[]> {
  const since = new Date(Date.parse(now) - companionDays * dayMs).toISOString()
  const found = await findCompanions(pool, { accountId, number, since, limit: companionsMax })
  return found.map((each) => ({ number: each, scac: null }))
}
