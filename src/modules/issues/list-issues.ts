/** What could not be read or believed in the answers that this account got. Everything that is lost has a row here. */

import { sourceIssueKinds } from '../../connectors/source-issue.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import { differenceIssueKind } from '../../domain/charges/reported.ts'
import { journeyIssueKinds } from '../../domain/view/projection.ts'
import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import { type IssueFilter, type IssueOrder, type IssueReading, listIssueRows } from './list-issues-sql.ts'

/** The kinds that readers find, those that show only when statements are put together, and that of last free days. */
export const issueKinds = [...sourceIssueKinds, ...journeyIssueKinds, differenceIssueKind] as const
export type IssueKind = (typeof issueKinds)[number]

export const everyIssue: IssueFilter = {
  scac: null,
  kind: null,
  shipmentId: null,
  trackingRequestId: null,
  since: null,
}

/** The issue that was seen last comes first. */
export async function listIssues(
  service: Service,
  context: Context,
  input: { readonly filter: IssueFilter; readonly order?: IssueOrder; readonly page: PageRequest },
): Promise<Page<IssueReading>> {
  requireScope(context, 'read')
  const { filter, order = '-last_seen_at', page } = input
  return listIssueRows(service.pool, { accountId: context.account.id, filter, order, page })
}
