/** Creates a party: a company for which the account tracks. Two parties may have the same name. */

import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import type { Service } from '../service.ts'
import { checkPartyCompanyName } from './check-name.ts'
import { insertParty, type Party } from './parties-sql.ts'

export async function createParty(
  service: Service,
  context: Context,
  input: { readonly companyName: string },
): Promise<Party> {
  requireScope(context, 'write')
  const by = changedBy(service, context)
  const party: Party = {
    accountId: context.account.id,
    id: uuidV7(service.clock.now()),
    companyName: checkPartyCompanyName(input.companyName),
    createdAt: by.at,
    updatedAt: by.at,
    lastChangedBy: by,
  }
  await inTransaction(service.pool, async (db) => {
    await insertParty(db, party)
    await recordChange(db, service, context, {
      action: 'party.created',
      target: { type: 'party', id: party.id },
      diff: diffOf(null, party, ['companyName']),
    })
  })
  return party
}
