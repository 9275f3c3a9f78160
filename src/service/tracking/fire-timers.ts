/** Fires the decisions that fall due though nobody spoke: ends of tracking, debounces that ran out. */

import { type Db, inTransaction } from '../../store/database.ts'
import { type DueTimer, dueRequestTimers, dueShipmentTimers } from '../../store/due-timers.ts'
import { tablesOf } from '../../store/fold-tables.ts'
import { appendEntry, type LedgerEntry } from '../../store/ledger.ts'
import { lockSubjects } from '../../store/subjects.ts'
import { lockRequestsOfShipment, lockTrackingRequest } from '../../store/tracking-requests.ts'
import { wake } from '../../store/wake.ts'
import { journeyNow, type Service } from '../service.ts'
import { applyRequestTimer, applyShipmentTimer } from './apply-timer.ts'
import type { Fold } from './fold.ts'
import { lockForEntry, notBefore } from './lock-for-entry.ts'
import { planNextLook } from './plan-next-look.ts'

/** Fires up to `limit` of each kind; returns how many, without those that threw. Two processes at once: the lock lets one decide. */
export async function fireTimers(service: Service, fold: Fold, limit: number): Promise<number> {
  const due = { now: journeyNow(service, false), fictionNow: journeyNow(service, true), limit }
  let fired = 0
  for (const timer of await dueRequestTimers(service.pool, due)) {
    if (await fire(service, timer, (db) => fireRequestTimer(db, service, fold, timer))) fired += 1
  }
  for (const timer of await dueShipmentTimers(service.pool, due)) {
    if (await fire(service, timer, (db) => fireShipmentTimer(db, service, fold, timer))) fired += 1
  }
  return fired
}

async function fire(service: Service, timer: DueTimer, work: (db: Db) => Promise<void>): Promise<boolean> {
  try {
    await inTransaction(service.pool, work)
    return true
  } catch (error) {
    service.metrics.jobFailed({ job: 'timer', of: timer.id, error })
    return false
  }
}

async function fireRequestTimer(db: Db, service: Service, fold: Fold, timer: DueTimer): Promise<void> {
  const request = await lockTrackingRequest(db, timer)
  const now = journeyNow(service, timer.isFiction)
  if (request === null || request.timerAt === null || request.timerAt > now) return
  const shipment =
    request.shipmentId === null
      ? null
      : await lockForEntry(db, fold, { accountId: timer.accountId, shipmentId: request.shipmentId, now })
  const entry = await appendTimer(db, {
    timer,
    trackingRequestId: request.id,
    shipmentId: request.shipmentId,
    recordedAt: notBefore(now, shipment?.updatedAt ?? request.updatedAt),
    of: 'request',
  })
  const after = await applyRequestTimer(tablesOf(db), fold, entry, request)
  const look = { isFiction: timer.isFiction, retryAfterMs: 0 }
  const subjectIds = [...new Set([request.subjectId, after.subjectId])].filter((id) => id !== null)
  if (subjectIds.length > 1) await lockSubjects(db, subjectIds)
  for (const subjectId of subjectIds) await planNextLook(db, service, fold.rules, { ...look, subjectId })
  if (subjectIds.length > 1) await wake(db, 'looks')
  await wake(db, 'events')
}

async function fireShipmentTimer(db: Db, service: Service, fold: Fold, timer: DueTimer): Promise<void> {
  await lockRequestsOfShipment(db, { accountId: timer.accountId, shipmentId: timer.id })
  const now = journeyNow(service, timer.isFiction)
  const floor = await lockForEntry(db, fold, { accountId: timer.accountId, shipmentId: timer.id, now })
  if (floor === null || floor.timerAt === null || floor.timerAt > now) return
  const entry = await appendTimer(db, {
    timer,
    trackingRequestId: null,
    shipmentId: timer.id,
    recordedAt: notBefore(now, floor.updatedAt),
    of: 'shipment',
  })
  await applyShipmentTimer(tablesOf(db), fold, entry, timer.id)
  await wake(db, 'events')
}

function appendTimer(
  db: Db,
  of: {
    readonly timer: DueTimer
    readonly trackingRequestId: string | null
    readonly shipmentId: string | null
    readonly recordedAt: string
    readonly of: 'request' | 'shipment'
  },
): Promise<LedgerEntry> {
  return appendEntry(db, {
    accountId: of.timer.accountId,
    kind: 'timer',
    trackingRequestId: of.trackingRequestId,
    shipmentId: of.shipmentId,
    subjectId: null,
    snapshotId: null,
    reader: null,
    recordedAt: of.recordedAt,
    payload: { of: of.of },
  })
}
