/** Who changed what in the account, for people who manage its members. */

import { type Activity, listAuditEvents } from '../../../store/people/audit-log.ts'
import { type Context, requirePermission } from '../../context.ts'
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
