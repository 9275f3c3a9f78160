/** Tracking requests of the account by their ids. */

import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { readTrackingRequest, readTrackingRequests, type TrackingRequestReading } from './list-tracking-requests-sql.ts'

export async function getTrackingRequest(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<TrackingRequestReading> {
  requireScope(context, 'read')
  const request = await readTrackingRequest(service.pool, { accountId: context.account.id, id: input.id })
  if (request === null) throw notFound('tracking request')
  return request
}

/** Returns those of the ids that the account has. */
export async function getTrackingRequests(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[] },
): Promise<readonly TrackingRequestReading[]> {
  requireScope(context, 'read')
  return readTrackingRequests(service.pool, { accountId: context.account.id, ...input })
}
