/**
 * Numbers that an account's own channel told of and that nobody of the account knew become its tracking requests: one for
 * each number, at the account's pace and so many a day. What goes beyond waits, and the message says so.
 */

import { addMs } from '../../../core/time.ts'
import { requestTypeOfKind } from '../../../core/tracking-request-state.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../../platform/ids.ts'
import {
  completeWanted,
  knowsDocument,
  takeWanted,
  type WantedEnd,
  type WantedRequest,
} from '../../../store/inbound/wanted-requests.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { reserveTurns } from '../../limits/take-turn.ts'
import { realNow, type Service } from '../../service.ts'
import { requestOnce } from '../../tracking/requests/request-once.ts'
import { listenersOf } from './match.ts'

const atOnce = 20
const leaseMs = 60_000
const retryMs = 5_000
const dayMs = 86_400_000
/** After so long it is seen whether the day has room again. */
const fullDayMs = 600_000

/** How many were settled. */
export async function makeWanted(service: Service): Promise<number> {
  const now = realNow(service)
  const of = { now, until: addMs(now, leaseMs), dayAgo: addMs(now, -dayMs), limit: atOnce }
  const wanted = await takeWanted(service.pool, of)
  const made = new Map<string, number>()
  let settled = 0
  for (const each of wanted) {
    const before = each.madeToday + (made.get(each.channelId) ?? 0)
    const end = await endOf(service, each, before)
    await completeWanted(service.pool, { ...each, end })
    if (end.status === 'made') made.set(each.channelId, (made.get(each.channelId) ?? 0) + 1)
    if (end.status !== 'waiting') settled += 1
  }
  return settled
}

async function endOf(service: Service, wanted: WantedRequest, madeToday: number): Promise<WantedEnd> {
  try {
    return await make(service, wanted, madeToday)
  } catch (error) {
    const refusal = error instanceof ServiceError && error.code !== 'unavailable' ? error : null
    if (refusal?.code === 'duplicate') {
      const id = refusal.meta?.['tracking_request_id']
      return { status: 'known', trackingRequestId: typeof id === 'string' ? id : null, at: realNow(service) }
    }
    if (refusal !== null) return { status: 'refused', reason: refusal.message }
    // A fault of ours: the number keeps its place.
    service.metrics.jobFailed({ job: 'wanted_request', of: wanted.mentionId, error })
    return waiting(service, retryMs, 'The request could not be made now. It is tried again.')
  }
}

async function make(service: Service, wanted: WantedRequest, madeToday: number): Promise<WantedEnd> {
  const { kind, number, messageId, channel, mentionId, speakerKind, speakerCode } = wanted
  if (!wanted.createsRequests)
    return { status: 'refused', reason: `The channel ${channel} makes no requests any more.` }
  const id = uuidV5(LANDFALL_NAMESPACE, `wanted:${mentionId}`)
  const known = await findKnown(service, wanted)
  if (known !== null)
    // Its own where a process ended before it said so.
    return { status: known.trackingRequestId === id ? 'made' : 'known', ...known, at: realNow(service) }
  if (madeToday >= wanted.createsPerDay)
    return waiting(
      service,
      fullDayMs,
      `The channel ${channel} has made ${wanted.createsPerDay} requests in 24 hours, as many as it may.`,
    )
  const context = contextOf(wanted)
  const turns = await reserveTurns(service, context, { bucket: 'create', upTo: 1 })
  if (turns.taken === 0)
    return waiting(
      service,
      (turns.laterSeconds[0] ?? 1) * 1_000,
      'The account makes as many requests a minute as it may; this one waits for its turn.',
    )
  const common = { requestNumber: number, refNumbers: [], shipmentTags: [] }
  const requestType = requestTypeOfKind(kind)
  // What another than a line tells of does not say whose it is: its line is found out.
  const input =
    speakerKind === 'shipping_line'
      ? ({ ...common, requestType, scac: speakerCode } as const)
      : ({ ...common, requestType, scac: null } as const)
  await requestOnce(service, context, input, { id, heardOf: { channel, messageId } })
  return { status: 'made', trackingRequestId: id, at: realNow(service) }
}

/** Null where the account does not know it; without a request where only a shipment of long ago is known by it. */
async function findKnown(
  service: Service,
  wanted: WantedRequest,
): Promise<{ readonly trackingRequestId: string | null } | null> {
  const [listener] = await listenersOf(service, service.pool, wanted)
  if (listener !== undefined) return { trackingRequestId: listener.trackingRequestId }
  const isOld = wanted.kind !== 'container' && (await knowsDocument(service.pool, wanted))
  return isOld ? { trackingRequestId: null } : null
}

function waiting(service: Service, waitMs: number, reason: string): WantedEnd {
  return { status: 'waiting', reason, notBefore: addMs(realNow(service), waitMs) }
}

/** On behalf of nobody: the record of changes names channel and message. */
function contextOf({ accountId, companyName, isFiction, messageId }: WantedRequest): Context {
  return {
    account: { id: accountId, companyName, isFiction },
    actor: { kind: 'system' },
    scopes: ['read', 'write'],
    requestId: `inbound ${messageId}`,
  }
}
