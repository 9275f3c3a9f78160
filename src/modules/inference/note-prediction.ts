/**
 * Writes predictions to the database, many at a time and after the answer, so that nobody waits for them. A process
 * that is killed loses what it has not written yet, half a second's worth. That is acceptable because predictions are
 * only counted.
 */

import { onBehalfOfNobody } from '../../db/account-shares.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { journeyNow, type Service } from '../service.ts'
import { dropCompanions } from './companions-sql.ts'
import { scacsOf } from './label-outcome.ts'
import { dropPredictions, type Prediction, putPredictions } from './predictions-sql.ts'

const waitMs = 500
const batchMax = 500
/** Maximum number of predictions that wait to be written. Further ones are dropped. */
const waitingMax = 10_000
const retentionDays = 90
const maxPerAccount = 20_000
const dayMs = 86_400_000

type PendingPrediction = Omit<Prediction, 'carrier'>

interface PredictionQueue {
  /** The latest for each number of an account. */
  waiting: Map<string, PendingPrediction>
  timer: NodeJS.Timeout | null
  /** The last write. Each begins when the one before has ended. */
  writing: Promise<void>
}

const notesOf = memoizePerOwner<Service, PredictionQueue>(() => ({
  waiting: new Map(),
  timer: null,
  writing: Promise.resolve(),
}))

export function notePrediction(service: Service, prediction: PendingPrediction): void {
  const known = notesOf(service)
  const key = `${prediction.accountId} ${prediction.number}`
  if (known.waiting.size < waitingMax || known.waiting.has(key)) known.waiting.set(key, prediction)
  if (known.timer !== null) return
  known.timer = onBehalfOfNobody(() => setTimeout(() => void writePendingPredictions(service), waitMs))
  known.timer.unref()
}

/** Writes the waiting predictions. Never rejects. What was being written before is written, too, when it resolves. */
export function writePendingPredictions(service: Service): Promise<void> {
  const known = notesOf(service)
  known.writing = known.writing.then(() => writePredictions(service, known))
  return known.writing
}

async function writePredictions(service: Service, known: PredictionQueue): Promise<void> {
  if (known.timer !== null) clearTimeout(known.timer)
  known.timer = null
  const waiting = [...known.waiting.values()].map((noted) => ({ ...noted, carrier: scacsOf(noted.scac) }))
  known.waiting = new Map()
  try {
    for (let from = 0; from < waiting.length; from += batchMax)
      await putPredictions(service.pool, waiting.slice(from, from + batchMax))
  } catch (error) {
    service.log.warn('database.unreachable', { error })
  }
}

/** Numbers that were named together longer ago may travel separately now. */
export const companionDays = 120

/**
 * Deletes one batch of predictions that are older than the retention time or more than an account may have, and of
 * numbers that were named together too long ago. Returns the larger of the two counts.
 */
export async function dropOldPredictions(service: Service, limit: number): Promise<number> {
  const before = (days: number, isSandbox: boolean): string =>
    new Date(Date.parse(journeyNow(service, isSandbox)) - days * dayMs).toISOString()
  const predictions = await dropPredictions(service.pool, {
    since: before(retentionDays, false),
    sandboxSince: before(retentionDays, true),
    perAccount: maxPerAccount,
    limit,
  })
  const companions = await dropCompanions(service.pool, {
    since: before(companionDays, false),
    sandboxSince: before(companionDays, true),
    limit,
  })
  return Math.max(predictions, companions)
}
