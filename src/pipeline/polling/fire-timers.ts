/**
 * Makes the decisions that are due because time has passed, without any news: ends of tracking, and debounces that ran
 * out.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { journeyNow, type Service } from '../../modules/service.ts'
import { commitEntries, type EntryDraft } from '../ledger/commit-entries.ts'
import type { Fold } from '../ledger/fold.ts'
import { retryOnConflict } from '../ledger/retry-on-conflict.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import type { StateKeys } from '../projection/load-states-sql.ts'
import { type DueTimer, dueRequestTimers, dueShipmentTimers } from './due-timers-sql.ts'
import { planNextPolls } from './plan-next-polls.ts'

/**
 * Fires up to `limit` timers of each kind. Returns how many did not throw. If two processes handle the same timer, the
 * lock lets only one decide.
 */
export async function fireTimers(service: Service, fold: Fold, limit: number): Promise<number> {
  const due = { now: journeyNow(service, false), sandboxNow: journeyNow(service, true), limit }
  let fired = 0
  for (const timer of await dueRequestTimers(service.pool, due)) {
    if (await fireTimer(service, timer, (also) => fireRequestTimer(service, fold, timer, also))) fired += 1
  }
  for (const timer of await dueShipmentTimers(service.pool, due)) {
    if (await fireTimer(service, timer, (also) => fireShipmentTimer(service, fold, timer, also))) fired += 1
  }
  return fired
}

type Work = (alsoHeld: readonly string[]) => Promise<void>

async function fireTimer(service: Service, timer: DueTimer, work: Work): Promise<boolean> {
  try {
    await retryOnConflict(work)
    return true
  } catch (error) {
    service.metrics.jobFailed({ job: 'timer', of: timer.id, error })
    return false
  }
}

interface TimerDecision {
  readonly keys: Omit<StateKeys, 'accountId'>
  /** The entry that records the decision. Null when another process has decided already. */
  readonly decide: (state: JourneyState, now: string) => EntryDraft<'timer'> | null
}

function commitTimer(db: Db, service: Service, fold: Fold, { accountId, isSandbox }: DueTimer, timer: TimerDecision) {
  const now = journeyNow(service, isSandbox)
  const taking = { keys: { ...timer.keys, accountId }, now, entriesMax: 1, metrics: service.metrics }
  return commitEntries(db, fold, taking, (ledger) => {
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
  const { id, isSandbox } = timer
  const keys = { requestIds: [id, ...alsoHeld], shipmentIds: [], locksAllRequests: false, isProjected: false }
  const decide: TimerDecision['decide'] = ({ requests }, now) => {
    const { timerAt = null, shipmentId = null } = requests.get(id) ?? {}
    if (timerAt === null || timerAt > now) return null
    return { kind: 'timer', trackingRequestId: id, shipmentId, payload: { of: 'request' } }
  }
  await inTransaction(service.pool, async (db) => {
    const { result, before, after } = await commitTimer(db, service, fold, timer, { keys, decide })
    if (result === null) return
    const heldTargetIds = [before, after].flatMap(({ requests }) => requests.get(id)?.subjectId ?? [])
    const pollTargetIds = [...new Set(heldTargetIds)]
    await planNextPolls(db, service, fold.rules, {
      subjectIds: pollTargetIds,
      isSandbox,
      retryAfterMs: 0,
      held: after,
    })
    if (pollTargetIds.length > 1) wakeWorkers(db, 'looks')
    wakeWorkers(db, 'events')
  })
}

async function fireShipmentTimer(
  service: Service,
  fold: Fold,
  timer: DueTimer,
  alsoHeld: readonly string[],
): Promise<void> {
  const { id } = timer
  const keys = { requestIds: alsoHeld, shipmentIds: [id], locksAllRequests: true, isProjected: true }
  const decide: TimerDecision['decide'] = ({ shipments }, now) => {
    const timerAt = shipments.get(id)?.row.timerAt ?? null
    return timerAt === null || timerAt > now ? null : { kind: 'timer', shipmentId: id, payload: { of: 'shipment' } }
  }
  await inTransaction(service.pool, async (db) => {
    const { result } = await commitTimer(db, service, fold, timer, { keys, decide })
    if (result !== null) wakeWorkers(db, 'events')
  })
}
