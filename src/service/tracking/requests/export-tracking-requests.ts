/** All tracking requests that match, in batches, for an export. */

import {
  countTrackingRequestRows,
  listTrackingRequestRows,
  type TrackingRequestFilter,
  type TrackingRequestOrder,
  type TrackingRequestReading,
} from '../../../store/read/tracking-requests.ts'
import { type Context, requireScope } from '../../context.ts'
import { exportedMax, requireExportable, walkList } from '../../ground/walk-list.ts'
import type { Service } from '../../service.ts'

/** Throws (`invalid`) before the first batch when more requests match than one export may have. */
export async function exportTrackingRequests(
  service: Service,
  context: Context,
  input: { readonly filter: TrackingRequestFilter; readonly order: TrackingRequestOrder },
): Promise<AsyncGenerator<readonly TrackingRequestReading[]>> {
  requireScope(context, 'read')
  const list = { accountId: context.account.id, ...input, isCounted: false }
  const anywhere = { number: 1, size: 1 }
  requireExportable(await countTrackingRequestRows(service.pool, { ...list, page: anywhere }, exportedMax))
  return walkList((page) => listTrackingRequestRows(service.pool, { ...list, page }))
}
