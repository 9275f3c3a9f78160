/**
 * When there is now an access to a line that before could only send messages, its requests are asked from the next look
 * on.
 */

import { isLive, kindOfType, requestTypes } from '../../../core/requests/tracking-request-state.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import type { TrackingRequestRow } from '../../../store/journeys/tracking-requests.ts'
import { ensureSubject, lookNoLaterThan, markUnconfirmed } from '../../../store/looks/subjects.ts'
import {
  endToldRequest,
  type LateAccess,
  lateAccesses,
  requestsToAsk,
  type ToldRequest,
} from '../../../store/tracking/told-requests.ts'
import { asks } from '../../knowing/shipping-lines/asked-by.ts'
import type { Fold } from '../../ledger/fold.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { takeEntries } from '../../ledger/take-entries.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'

const requestsAtOnce = 100

/** Returns how many requests are asked from now on. */
export async function askTold(service: Service, fold: Fold): Promise<number> {
  let asked = 0
  for (const access of await lateAccesses(service.pool)) {
    const types = requestTypes.filter((type) => asks(access, type))
    const of = { ...access, requestTypes: types, limit: requestsAtOnce }
    for (const request of await requestsToAsk(service.pool, of))
      if (await askOne(service, fold, access, request)) asked += 1
  }
  return asked
}

/** False when it throws, or when another process was first. An error of one request does not stop the others. */
async function askOne(
  service: Service,
  fold: Fold,
  access: LateAccess,
  { accountId, id }: ToldRequest,
): Promise<boolean> {
  try {
    return await takeAgain((also) =>
      inTransaction(service.pool, (db) => ask(db, service, fold, { access, accountId, id, also })),
    )
  } catch (error) {
    service.metrics.jobFailed({ job: 'ask_told', of: id, error })
    return false
  }
}

async function ask(
  db: Db,
  service: Service,
  fold: Fold,
  of: {
    readonly access: LateAccess
    readonly accountId: string
    readonly id: string
    readonly also: readonly string[]
  },
): Promise<boolean> {
  const { access, accountId, id, also } = of
  const now = journeyNow(service, access.isFiction)
  const requestIds = [id, ...also]
  const keys = { accountId, requestIds, shipmentIds: [], locksAsking: false, isProjected: false }
  const taking = { keys, now, entriesMax: 1, metrics: service.metrics }
  const { result: subjectId } = await takeEntries(db, fold, taking, async (ledger) => {
    const request = ledger.state().requests.get(id)
    if (request === undefined || request.lifecycle.isToldOf !== true || !isLive(request.status)) return null
    const subject = await subjectOf(db, service, access, request, now)
    ledger.take({
      kind: 'timer',
      trackingRequestId: id,
      shipmentId: request.shipmentId,
      subjectId: subject,
      payload: { of: 'request', isAsked: true },
    })
    return subject
  })
  if (subjectId === null) return false
  await endToldRequest(db, { accountId, id })
  await lookNoLaterThan(db, subjectId, { at: realNow(service), accountId })
  // Other requests may have asked for this subject before. Their last answer is taken in for this request too, even if
  // the next one is the same.
  await markUnconfirmed(db, [subjectId], true)
  await wake(db, 'looks')
  return true
}

function subjectOf(
  db: Db,
  service: Service,
  { id: credentialId, scac }: LateAccess,
  { requestType, number, accountId }: TrackingRequestRow,
  createdAt: string,
): Promise<string> {
  const id = uuidV7(service.clock.now())
  const kind = kindOfType[requestType]
  return ensureSubject(db, { id, credentialId, scac, kind, number, createdAt, dueAt: null, accountId })
}
