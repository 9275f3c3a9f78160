/** The account's tracking requests, newest first unless asked otherwise. */

import type { Page, PageRequest } from '../../../store/read/page.ts'
import {
  listTrackingRequestRows,
  type TrackingRequestFilter,
  type TrackingRequestOrder,
  type TrackingRequestReading,
} from '../../../store/read/tracking-requests.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'

export async function listTrackingRequests(
  service: Service,
  context: Context,
  input: {
    readonly filter: TrackingRequestFilter
    readonly order: TrackingRequestOrder
    readonly page: PageRequest
  },
): Promise<Page<TrackingRequestReading>> {
  requireScope(context, 'read')
  return listTrackingRequestRows(service.pool, { accountId: context.account.id, ...input })
}
