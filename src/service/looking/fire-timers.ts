/** Fires the decisions that fall due though nobody spoke: ends of tracking, debounces that ran out. */

import { inTransaction } from '../../store/database.ts'
import { type DueTimer, dueRequestTimers, dueShipmentTimers } from '../../store/due-timers.ts'
import { wake } from '../../store/wake.ts'
import type { Fold } from '../ledger/fold.ts'
import { takeAgain } from '../ledger/take-again.ts'
import { takeEntries } from '../ledger/take-entries.ts'
import { journeyNow, type Service } from '../service.ts'
import { planNextLooks } from './plan-next-look.ts'

/** Fires up to `limit` of each kind; returns how many, without those that threw. Two processes at once: the lock lets one decide. */
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

async function fireRequestTimer(
  service: Service,
  fold: Fold,
  timer: DueTimer,
  alsoHeld: readonly string[],
): Promise<void> {
  const { accountId, id, isFiction } = timer
  const now = journeyNow(service, isFiction)
  const keys = {
    accountId,
    requestIds: [id, ...alsoHeld],
    shipmentIds: [],
    locksAsking: false,
    isProjected: false,
  }
  await inTransaction(service.pool, async (db) => {
    const { before, after, taken } = await takeEntries(
      db,
      fold,
      { keys, now, entriesMax: 1, metrics: service.metrics },
      (ledger) => {
        const request = ledger.state().requests.get(id)
        if (request === undefined || request.timerAt === null || request.timerAt > now) return
        const { shipmentId } = request
        ledger.take({ kind: 'timer', trackingRequestId: id, shipmentId, payload: { of: 'request' } })
      },
    )
    if (taken.length === 0) return
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
  const { accountId, id, isFiction } = timer
  const now = journeyNow(service, isFiction)
  const keys = {
    accountId,
    requestIds: alsoHeld,
    shipmentIds: [id],
    locksAsking: true,
    isProjected: true,
  }
  await inTransaction(service.pool, async (db) => {
    const { taken } = await takeEntries(
      db,
      fold,
      { keys, now, entriesMax: 1, metrics: service.metrics },
      (ledger) => {
        const timerAt = ledger.state().shipments.get(id)?.row.timerAt ?? null
        if (timerAt === null || timerAt > now) return
        ledger.take({ kind: 'timer', shipmentId: id, payload: { of: 'shipment' } })
      },
    )
    if (taken.length > 0) await wake(db, 'events')
  })
}
