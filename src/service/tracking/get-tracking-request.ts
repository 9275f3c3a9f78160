/** One tracking request of the account. */

import { readTrackingRequest, type TrackingRequestReading } from '../../store/read/tracking-requests.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'

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
