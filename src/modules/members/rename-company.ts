/** The name of the account, as its people see it. */

import { inTransaction } from '../../db/database.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { renameAccount } from '../accounts/accounts-sql.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Service } from '../service.ts'
import { parseCompanyName } from './sign-up.ts'

export async function renameCompany(
  service: Service,
  context: Context,
  input: { readonly companyName: string },
): Promise<void> {
  requirePermission(context, 'owners')
  const companyName = parseCompanyName(input.companyName)
  const { id, companyName: before } = context.account
  await inTransaction(service.pool, async (db) => {
    await renameAccount(db, { id, companyName })
    await recordChange(db, service, context, {
      action: 'account.updated',
      target: { type: 'account', id },
      diff: { companyName: [before, companyName] },
    })
  })
}
