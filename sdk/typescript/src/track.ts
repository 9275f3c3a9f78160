/** Tracks a number and waits for the answer of its line. */

import type { Joined } from './joined.ts'
import type { Landfall } from './landfall.ts'
import { Refused } from './refused.ts'
import { pause } from './requests.ts'

export interface TrackOptions {
  /** SCAC of the line. Found out from the number, and by asking, when it is left out. */
  readonly scac?: string
  readonly type?: 'bill_of_lading' | 'booking_number' | 'container'
  readonly refNumbers?: readonly string[]
  readonly tags?: readonly string[]
  /** Waits so long for the answer of the line, 60 when left out; 0 does not wait. */
  readonly waitS?: number
  readonly signal?: AbortSignal
}

export type Tracked = Joined<'tracking_request', 'tracked_object.containers'>

/**
 * The tracking request as it is when the line has answered, or the time is over: `status` says which. With the status
 * `created`, `tracked_object` is the shipment with its containers. Of a request that failed, `failed_reason` says why. A
 * number that is tracked already gives the request that tracks it, as it is.
 */
export async function trackNumber(
  landfall: Landfall,
  number: string,
  { scac, type, refNumbers, tags, waitS = 60, signal }: TrackOptions = {},
): Promise<Tracked> {
  const given = signal === undefined ? {} : { signal }
  const until = Date.now() + waitS * 1000
  const attributes = {
    request_number: number,
    ...(type === undefined ? {} : { request_type: type }),
    ...(scac === undefined ? { auto_detect_vocc_scac: true } : { scac }),
    ...(refNumbers === undefined ? {} : { ref_numbers: refNumbers }),
    ...(tags === undefined ? {} : { shipment_tags: tags }),
  }
  const { id } = await landfall.createTrackingRequest(attributes, given).catch(getTracking)
  for (let waitMs = 500; ; waitMs = Math.min(5_000, waitMs * 1.5)) {
    const request = await landfall.getTrackingRequest(id, {
      include: ['tracked_object.containers'],
      ...given,
    })
    if (request.status !== 'pending' || Date.now() + waitMs > until) return request
    await pause(waitMs, signal)
  }
}

/** The request that tracks the number already, if that is why the new one was refused. */
function getTracking(error: unknown): { readonly id: string } {
  const fault = error instanceof Refused ? error.faults.find(({ code }) => code === 'duplicate') : undefined
  const id = fault?.meta?.['tracking_request_id']
  if (typeof id !== 'string') throw error
  return { id }
}
