/**
 * When there is now an access to a line that before could only send messages, its requests are polled from the next
 * poll on.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { isLive, kindOfType, requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { canPollBy } from '../../modules/carriers/request-types.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import {
  deletePushOnlyRequest,
  findPollableAccesses,
  findRequestsToPoll,
  type PollableAccess,
  type PushOnlyRequest,
} from '../../modules/tracking-requests/push-only-requests-sql.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { commitEntries } from '../ledger/commit-entries.ts'
import type { Fold } from '../ledger/fold.ts'
import { retryOnConflict } from '../ledger/retry-on-conflict.ts'
import type { TrackingRequestRow } from '../projection/tracking-requests-sql.ts'
import { ensurePollTarget, markUnconfirmed, pollNoLaterThan } from './poll-targets-sql.ts'

const requestsAtOnce = 100

/** Returns how many requests are polled from now on. */
export async function pollPushedRequests(service: Service, fold: Fold): Promise<number> {
  let startedCount = 0
  for (const access of await findPollableAccesses(service.pool)) {
    const types = requestTypes.filter((type) => canPollBy(access, type))
    const of = { ...access, requestTypes: types, limit: requestsAtOnce }
    for (const request of await findRequestsToPoll(service.pool, of))
      if (await tryStartPolling(service, fold, access, request)) startedCount += 1
  }
  return startedCount
}

/** False when it throws, or when another process was first. An error of one request does not stop the others. */
async function tryStartPolling(
  service: Service,
  fold: Fold,
  access: PollableAccess,
  { accountId, id }: PushOnlyRequest,
): Promise<boolean> {
  try {
    return await retryOnConflict((also) =>
      inTransaction(service.pool, (db) => startPolling(db, service, fold, { access, accountId, id, also })),
    )
  } catch (error) {
    service.metrics.jobFailed({ job: 'ask_told', of: id, error })
    return false
  }
}

async function startPolling(
  db: Db,
  service: Service,
  fold: Fold,
  of: {
    readonly access: PollableAccess
    readonly accountId: string
    readonly id: string
    readonly also: readonly string[]
  },
): Promise<boolean> {
  const { access, accountId, id, also } = of
  const now = journeyNow(service, access.isSandbox)
  const requestIds = [id, ...also]
  const keys = { accountId, requestIds, shipmentIds: [], locksAllRequests: false, isProjected: false }
  const taking = { keys, now, entriesMax: 1, metrics: service.metrics }
  const { result: pollTargetId } = await commitEntries(db, fold, taking, async (ledger) => {
    const request = ledger.state().requests.get(id)
    if (request === undefined || request.lifecycle.isToldOf !== true || !isLive(request.status)) return null
    const targetId = await ensureTargetFor(db, service, access, request, now)
    ledger.take({
      kind: 'timer',
      trackingRequestId: id,
      shipmentId: request.shipmentId,
      subjectId: targetId,
      payload: { of: 'request', isAsked: true },
    })
    return targetId
  })
  if (pollTargetId === null) return false
  await deletePushOnlyRequest(db, { accountId, id })
  await pollNoLaterThan(db, pollTargetId, { at: realNow(service), accountId })
  // Other requests may have the same poll target. Its last answer is ingested for this request too, even if the next
  // one is the same.
  await markUnconfirmed(db, [pollTargetId], true)
  wakeWorkers(db, 'looks')
  return true
}

function ensureTargetFor(
  db: Db,
  service: Service,
  { id: credentialId, scac }: PollableAccess,
  { requestType, number, accountId }: TrackingRequestRow,
  createdAt: string,
): Promise<string> {
  const id = uuidV7(service.clock.now())
  const kind = kindOfType[requestType]
  return ensurePollTarget(db, { id, credentialId, scac, kind, number, createdAt, dueAt: null, accountId })
}
