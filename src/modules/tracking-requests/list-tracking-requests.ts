/** The account's tracking requests, newest first unless asked otherwise. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { exportList } from '../bounded-lists.ts'
import type { Service } from '../service.ts'
import {
  countTrackingRequestRows,
  listTrackingRequestRows,
  type TrackingRequestFilter,
  type TrackingRequestOrder,
  type TrackingRequestReading,
} from './list-tracking-requests-sql.ts'

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

/** In batches. Throws (`invalid`) before the first when more match than one export may have. */
export async function exportTrackingRequests(
  service: Service,
  context: Context,
  input: { readonly filter: TrackingRequestFilter; readonly order: TrackingRequestOrder },
): Promise<AsyncGenerator<readonly TrackingRequestReading[]>> {
  requireScope(context, 'read')
  const of = { accountId: context.account.id, ...input }
  return exportList(service, of, { count: countTrackingRequestRows, list: listTrackingRequestRows })
}
