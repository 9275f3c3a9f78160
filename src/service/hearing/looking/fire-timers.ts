/**
 * Takes the decisions that are due because time has passed, without any news: ends of tracking, and debounces that ran
 * out.
 */

import { type Db, inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import type { StateKeys } from '../../../store/journey-state/load.ts'
import type { JourneyState } from '../../../store/journey-state/state.ts'
import { type DueTimer, dueRequestTimers, dueShipmentTimers } from '../../../store/looks/due-timers.ts'
import type { Fold } from '../../ledger/fold.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { type Draft, takeEntries } from '../../ledger/take-entries.ts'
import { journeyNow, type Service } from '../../service.ts'
import { planNextLooks } from './plan-next-look.ts'

/**
 * Fires up to `limit` timers of each kind. Returns how many did not throw. If two processes take the same timer, the
 * lock lets only one decide.
 */
export async function fireTimers(service: Service, fold: Fold, limit: number): Promise<number> {
  const due = { now: journeyNow(service, false), fictionNow: journeyNow(service, true), limit }
  let fired = 0
  for (const timer of await dueRequestTimers(service.pool, due)) {
    if (await fire(service, timer, (also) => fireRequestTimer(service, fold, timer, also))) fired += 1
  }
  for (const timer of await dueShipmentTimers(service.pool, due)) {
    if (await fire(service, timer, (also) => fireShipmentTimer(service, fold, timer, also))) fired += 1
  }
  return fired
}

type Work = (alsoHeld: readonly string[]) => Promise<void>

async function fire(service: Service, timer: DueTimer, work: Work): Promise<boolean> {
  try {
    await takeAgain(work)
    return true
  } catch (error) {
    service.metrics.jobFailed({ job: 'timer', of: timer.id, error })
    return false
  }
}

interface Timer {
  readonly keys: Omit<StateKeys, 'accountId'>
  /** The entry that says what is decided. Null when another process has decided it already. */
  readonly decide: (state: JourneyState, now: string) => Draft<'timer'> | null
}

function takeTimer(db: Db, service: Service, fold: Fold, { accountId, isFiction }: DueTimer, timer: Timer) {
  const now = journeyNow(service, isFiction)
  const taking = { keys: { ...timer.keys, accountId }, now, entriesMax: 1, metrics: service.metrics }
  return takeEntries(db, fold, taking, (ledger) => {
    const draft = timer.decide(ledger.state(), now)
    return draft === null ? null : ledger.take(draft)
  })
}

async function fireRequestTimer(
  service: Service,
  fold: Fold,
  timer: DueTimer,
  alsoHeld: readonly string[],
): Promise<void> {
  const { id, isFiction } = timer
  const keys = { requestIds: [id, ...alsoHeld], shipmentIds: [], locksAsking: false, isProjected: false }
  const decide: Timer['decide'] = ({ requests }, now) => {
    const { timerAt = null, shipmentId = null } = requests.get(id) ?? {}
    if (timerAt === null || timerAt > now) return null
    return { kind: 'timer', trackingRequestId: id, shipmentId, payload: { of: 'request' } }
  }
  await inTransaction(service.pool, async (db) => {
    const { result, before, after } = await takeTimer(db, service, fold, timer, { keys, decide })
    if (result === null) return
    const asked = [before, after].flatMap(({ requests }) => requests.get(id)?.subjectId ?? [])
    const subjectIds = [...new Set(asked)]
    await planNextLooks(db, service, fold.rules, { subjectIds, isFiction, retryAfterMs: 0, held: after })
    if (subjectIds.length > 1) await wake(db, 'looks')
    await wake(db, 'events')
  })
}

async function fireShipmentTimer(
  service: Service,
  fold: Fold,
  timer: DueTimer,
  alsoHeld: readonly string[],
): Promise<void> {
  const { id } = timer
  const keys = { requestIds: alsoHeld, shipmentIds: [id], locksAsking: true, isProjected: true }
  const decide: Timer['decide'] = ({ shipments }, now) => {
    const timerAt = shipments.get(id)?.row.timerAt ?? null
    return timerAt === null || timerAt > now
      ? null
      : { kind: 'timer', shipmentId: id, payload: { of: 'shipment' } }
  }
  await inTransaction(service.pool, async (db) => {
    const { result } = await takeTimer(db, service, fold, timer, { keys, decide })
    if (result !== null) await wake(db, 'events')
  })
}
