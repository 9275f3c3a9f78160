/**
 * Writes predictions down, many at a time and behind the answer: nobody waits for them. What a process that is killed
 * had not written yet, half a second's worth, is lost; it would only have been counted.
 */

import { onBehalfOfNobody } from '../../store/account-share.ts'
import { dropCompanions } from '../../store/inference-companions.ts'
import { dropPredictions, type Prediction, putPredictions } from '../../store/inference-predictions.ts'
import { keptBeside } from '../ground/kept-beside.ts'
import { journeyNow, type Service } from '../service.ts'
import { scacsOf } from './label-outcome.ts'

const waitMs = 500
const batchMax = 500
/** Where the database is away for long the oldest are given up. */
const waitingMax = 10_000
const keptDays = 90
const keptPerAccount = 20_000
const dayMs = 86_400_000

type Noted = Omit<Prediction, 'carrier'>

interface Notes {
  /** The latest for each number of an account. */
  waiting: Map<string, Noted>
  timer: NodeJS.Timeout | null
}

const notesOf = keptBeside<Service, Notes>(() => ({ waiting: new Map(), timer: null }))

export function notePrediction(service: Service, prediction: Noted): void {
  const known = notesOf(service)
  const key = `${prediction.accountId} ${prediction.number}`
  if (known.waiting.size < waitingMax || known.waiting.has(key)) known.waiting.set(key, prediction)
  if (known.timer !== null) return
  known.timer = onBehalfOfNobody(() => setTimeout(() => void writeNotes(service), waitMs))
  known.timer.unref()
}

/** Writes down what waits. Never rejects. */
export async function writeNotes(service: Service): Promise<void> {
  const known = notesOf(service)
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

/** What travelled together so long ago may travel apart now. */
export const companionDays = 120

/** One batch of what is older or more than is kept, and of what travelled together long ago; returns how many went. */
export async function dropOldPredictions(service: Service, limit: number): Promise<number> {
  const before = (days: number, isFiction: boolean): string =>
    new Date(Date.parse(journeyNow(service, isFiction)) - days * dayMs).toISOString()
  const predictions = await dropPredictions(service.pool, {
    since: before(keptDays, false),
    fictionSince: before(keptDays, true),
    perAccount: keptPerAccount,
    limit,
  })
  const companions = await dropCompanions(service.pool, {
    since: before(companionDays, false),
    fictionSince: before(companionDays, true),
    limit,
  })
  return Math.max(predictions, companions)
}
