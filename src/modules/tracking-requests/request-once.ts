/**
 * Makes a tracking request under an id that was fixed before. When the call is repeated, the request is found and not
 * made again.
 */

import type { Context } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { getTrackingRequests } from './get-tracking-request.ts'
import {
  type CreationOptions,
  type LineDetectionInput,
  requestTracking,
  type TrackingRequestInput,
} from './request-tracking.ts'

export async function requestOnce(
  service: Service,
  context: Context,
  input: TrackingRequestInput | LineDetectionInput,
  options: CreationOptions & { readonly id: string },
): Promise<{ readonly id: string }> {
  try {
    return await requestTracking(service, context, input, options)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'unavailable') throw error
    // The client that made it may see that it exists, even with a key that may only write.
    const mayRead: Context = { ...context, scopes: ['read'] }
    const [existing] = await getTrackingRequests(service, mayRead, { ids: [options.id] })
    if (existing === undefined) throw error
    return { id: existing.id }
  }
}
