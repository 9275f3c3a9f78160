/** Parties of the account: one, several by their ids, or a page of all. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { findParties, listParties as listRows, type Party, type PartyFilter, type PartyOrder } from './parties-sql.ts'

export async function getParty(service: Service, context: Context, input: { readonly id: string }): Promise<Party> {
  const [party] = await getParties(service, context, { ids: [input.id] })
  if (party === undefined) throw notFound('party')
  return party
}

/** Returns those of the ids that the account has, in no order. */
export async function getParties(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[] },
): Promise<readonly Party[]> {
  requireScope(context, 'read')
  return findParties(service.pool, { accountId: context.account.id, ids: input.ids })
}

export async function listParties(
  service: Service,
  context: Context,
  input: { readonly filter: PartyFilter; readonly order: PartyOrder; readonly page: PageRequest },
): Promise<Page<Party>> {
  requireScope(context, 'read')
  return listRows(service.pool, { accountId: context.account.id, ...input })
}
