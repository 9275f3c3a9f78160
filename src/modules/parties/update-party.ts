/** Changes the name of a party; its shipments show the new one from then on. */

import { inTransaction } from '../../db/database.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import { notFound } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import type { Service } from '../service.ts'
import { checkPartyCompanyName } from './check-name.ts'
import { lockParty, type Party, updateParty as updateRow } from './parties-sql.ts'

/** Fields that are left out stay. */
export async function updateParty(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly companyName?: string
    readonly ifCurrent?: PreconditionCheck<Party> | null
  },
): Promise<Party> {
  requireScope(context, 'write')
  return inTransaction(service.pool, async (db) => {
    const party = await lockParty(db, { accountId: context.account.id, id: input.id })
    if (party === null) throw notFound('party')
    requireCurrent(input.ifCurrent, party)
    const by = changedBy(service, context)
    const companyName = input.companyName === undefined ? party.companyName : checkPartyCompanyName(input.companyName)
    const next: Party = { ...party, companyName, updatedAt: by.at, lastChangedBy: by }
    const diff = diffOf(party, next, ['companyName'])
    if (diff === null) return party
    await updateRow(db, next)
    await recordChange(db, service, context, {
      action: 'party.updated',
      target: { type: 'party', id: party.id },
      diff,
    })
    return next
  })
}
