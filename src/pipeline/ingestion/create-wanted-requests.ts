/**
 * Makes tracking requests from numbers that came through an account's own channel and that the account does not know:
 * one for each number, within the limits of the account and of the channel for a day. Other numbers wait, and their
 * message shows that.
 */

import { requestTypeOfKind } from '../../domain/tracking-requests/tracking-request-state.ts'
import { addMs } from '../../domain/values/time.ts'
import type { Context } from '../../modules/access/context.ts'
import { ServiceError } from '../../modules/errors.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { requestOnce } from '../../modules/tracking-requests/request-once.ts'
import { reserveQuotaSlots } from '../../modules/usage/acquire-quota-slot.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { leaseToken } from '../jobs/holder.ts'
import { listenersOf } from './match-mentions.ts'
import {
  completeWantedRequest,
  knowsDocument,
  leaseWantedRequests,
  type WantedRequest,
  type WantedRequestResult,
} from './wanted-requests-sql.ts'

const atOnce = 20
const leaseMs = 60_000
const retryMs = 5_000
const dayMs = 86_400_000
/** When the limit of the day is reached, a number is tried again after this time. */
const fullDayMs = 600_000

/** Returns how many numbers were resolved. */
export async function makeWantedRequests(service: Service): Promise<number> {
  const now = realNow(service)
  const of = {
    token: leaseToken(service),
    now,
    until: addMs(now, leaseMs),
    dayAgo: addMs(now, -dayMs),
    limit: atOnce,
  }
  const wanted = await leaseWantedRequests(service.pool, of)
  const made = new Map<string, number>()
  let completed = 0
  for (const each of wanted) {
    const before = each.madeToday + (made.get(each.channelId) ?? 0)
    const end = await resolveWanted(service, each, before)
    await completeWantedRequest(service.pool, { ...each, end })
    if (end.status === 'made') made.set(each.channelId, (made.get(each.channelId) ?? 0) + 1)
    if (end.status !== 'waiting') completed += 1
  }
  return completed
}

async function resolveWanted(service: Service, wanted: WantedRequest, madeToday: number): Promise<WantedRequestResult> {
  try {
    return await makeRequest(service, wanted, madeToday)
  } catch (error) {
    const refusal = error instanceof ServiceError && error.code !== 'unavailable' ? error : null
    if (refusal?.code === 'duplicate') {
      const id = refusal.meta?.['tracking_request_id']
      return { status: 'known', trackingRequestId: typeof id === 'string' ? id : null, at: realNow(service) }
    }
    if (refusal !== null) return { status: 'refused', reason: refusal.message }
    // An error of our own: the number stays and is tried again.
    service.metrics.jobFailed({ job: 'wanted_request', of: wanted.mentionId, error })
    return toWaitingEnd(service, retryMs, 'The tracking request could not be created now. It will be tried again.')
  }
}

async function makeRequest(service: Service, wanted: WantedRequest, madeToday: number): Promise<WantedRequestResult> {
  const { kind, number, messageId, channel, mentionId, speakerKind, speakerCode } = wanted
  if (!wanted.createsRequests)
    return { status: 'refused', reason: `The channel ${channel} no longer creates tracking requests.` }
  const id = uuidV5(LANDFALL_NAMESPACE, `wanted:${mentionId}`)
  const known = await findKnown(service, wanted)
  if (known !== null)
    // The known request is the one made here, if a process ended before it noted that.
    return { status: known.trackingRequestId === id ? 'made' : 'known', ...known, at: realNow(service) }
  if (madeToday >= wanted.createsPerDay)
    return toWaitingEnd(
      service,
      fullDayMs,
      `The channel ${channel} has created ${wanted.createsPerDay} tracking requests in 24 hours, the maximum.`,
    )
  const context = contextOf(wanted)
  const quotaSlots = await reserveQuotaSlots(service, context, { bucket: 'create', upTo: 1 })
  if (quotaSlots.acquired === 0)
    return toWaitingEnd(
      service,
      (quotaSlots.laterSeconds[0] ?? 1) * 1_000,
      'The account has reached its limit of new requests per minute; this one waits for its turn.',
    )
  const common = { requestNumber: number, refNumbers: [], shipmentTags: [] }
  const requestType = requestTypeOfKind(kind)
  // A speaker that is not a line does not state the line of the number, so the line is detected.
  const input =
    speakerKind === 'shipping_line'
      ? ({ ...common, requestType, scac: speakerCode } as const)
      : ({ ...common, requestType, scac: null } as const)
  await requestOnce(service, context, input, { id, sourceMessage: { channel, messageId } })
  return { status: 'made', trackingRequestId: id, at: realNow(service) }
}

/**
 * Null when the account does not know the number. Without a request when only a shipment of long ago is known by it.
 */
async function findKnown(
  service: Service,
  wanted: WantedRequest,
): Promise<{ readonly trackingRequestId: string | null } | null> {
  const [listener] = await listenersOf(service, service.pool, wanted)
  if (listener !== undefined) return { trackingRequestId: listener.trackingRequestId }
  const isOld = wanted.kind !== 'container' && (await knowsDocument(service.pool, wanted))
  return isOld ? { trackingRequestId: null } : null
}

function toWaitingEnd(service: Service, waitMs: number, reason: string): WantedRequestResult {
  return { status: 'waiting', reason, notBefore: addMs(realNow(service), waitMs) }
}

/** No user did this. The record of changes names the channel and the message. */
function contextOf({ accountId, companyName, isSandbox, messageId }: WantedRequest): Context {
  return {
    account: { id: accountId, companyName, isSandbox },
    actor: { kind: 'system' },
    scopes: ['read', 'write'],
    requestId: `inbound ${messageId}`,
  }
}
