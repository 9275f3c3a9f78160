/** What people stated of a container and did not take back. */

import type { Page, PageRequest } from '../../../store/lists/page.ts'
import { readStatementPage, type StatementReading } from '../../../store/read/statements.ts'
import type { Context } from '../../context.ts'
import type { Service } from '../../service.ts'
import { getContainer } from './get-container.ts'

export async function listStatements(
  service: Service,
  context: Context,
  { containerId, page }: { readonly containerId: string; readonly page: PageRequest },
): Promise<Page<StatementReading>> {
  await getContainer(service, context, { id: containerId })
  return readStatementPage(service.pool, { accountId: context.account.id, containerId, page })
}
