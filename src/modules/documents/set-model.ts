/** Whether a language model that the operator configured may read the documents of an account. Off until switched on. */

import { inTransaction } from '../../db/database.ts'
import { type Context, requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { realNow, type Service } from '../service.ts'
import { putModelConsent, readModelConsent } from './document-readings-sql.ts'

/** For documents that are read from now on. */
export async function setModel(
  service: Service,
  context: Context,
  { usesModel }: { readonly usesModel: boolean },
): Promise<void> {
  requireScope(context, 'write')
  const accountId = context.account.id
  await inTransaction(service.pool, async (db) => {
    const before = await readModelConsent(db, accountId)
    if (before === usesModel) return
    await putModelConsent(db, { accountId, usesModel, at: realNow(service) })
    await recordChange(db, service, context, {
      action: usesModel ? 'account.model_switched_on' : 'account.model_switched_off',
      target: { type: 'account', id: accountId },
      diff: { uses_model: [before, usesModel] },
    })
  })
}
