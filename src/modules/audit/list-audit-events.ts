/** Who changed what in the account, for people who manage its members. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { exportList } from '../bounded-lists.ts'
import type { Service } from '../service.ts'
import {
  type Activity,
  type AuditFilter,
  type AuditOrder,
  countAuditRows,
  listAuditRows,
} from './list-audit-events-sql.ts'

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
  const of = { accountId: context.account.id, ...input }
  return exportList(service, of, { count: countAuditRows, list: listAuditRows })
}
