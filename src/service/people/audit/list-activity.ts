/** Who changed what in the account, for people who manage its members. */

import type { Page, PageRequest } from '../../../store/lists/page.ts'
import {
  type Activity,
  type AuditFilter,
  type AuditOrder,
  countAuditRows,
  listAuditEvents,
  listAuditRows,
} from '../../../store/people/audit-log.ts'
import { type Context, requirePermission } from '../../context.ts'
import { exportedMax, requireExportable, walkList } from '../../ground/walk-list.ts'
import type { Service } from '../../service.ts'

export const activityPageSize = 50

/** Newest first; `before` is the id that the page before ended with. */
export async function listActivity(
  service: Service,
  context: Context,
  { before }: { readonly before: string | null },
): Promise<readonly Activity[]> {
  requirePermission(context, 'members')
  const beforeId =
    before !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(before) ? before : null
  return listAuditEvents(service.pool, { accountId: context.account.id, beforeId, limit: activityPageSize })
}

/** The same with filters, as a list of the API. */
export async function pageAuditEvents(
  service: Service,
  context: Context,
  input: { readonly filter: AuditFilter; readonly order: AuditOrder; readonly page: PageRequest },
): Promise<Page<Activity>> {
  requirePermission(context, 'members')
  return listAuditRows(service.pool, { accountId: context.account.id, ...input, isCounted: true })
}

/** Throws (`invalid`) before the first batch when more events match than one export may have. */
export async function exportAuditEvents(
  service: Service,
  context: Context,
  input: { readonly filter: AuditFilter; readonly order: AuditOrder },
): Promise<AsyncGenerator<readonly Activity[]>> {
  requirePermission(context, 'members')
  const list = { accountId: context.account.id, ...input, isCounted: false }
  const anywhere = { number: 1, size: 1 }
  requireExportable(await countAuditRows(service.pool, { ...list, page: anywhere }, exportedMax))
  return walkList((page) => listAuditRows(service.pool, { ...list, page }))
}
