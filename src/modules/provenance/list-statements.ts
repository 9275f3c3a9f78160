/** What people stated of a container and did not withdraw. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { Context } from '../access/context.ts'
import { getContainer } from '../containers/get-container.ts'
import type { Service } from '../service.ts'
import { readStatementPage, type StatementReading } from './list-statements-sql.ts'

export async function listStatements(
  service: Service,
  context: Context,
  { containerId, page }: { readonly containerId: string; readonly page: PageRequest },
): Promise<Page<StatementReading>> {
  await getContainer(service, context, { id: containerId })
  return readStatementPage(service.pool, { accountId: context.account.id, containerId, page })
}
