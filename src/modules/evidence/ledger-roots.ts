/** The roots of an account's ledger, as the account holds them. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { findRoots, listRoots, type RootRow } from './ledger-roots-sql.ts'

/** Newest first. */
export async function pageRoots(
  service: Service,
  context: Context,
  input: { readonly page: PageRequest },
): Promise<Page<RootRow>> {
  requireScope(context, 'read')
  return listRoots(service.pool, { accountId: context.account.id, ...input })
}

export async function getRoot(service: Service, context: Context, { id }: { readonly id: string }): Promise<RootRow> {
  const [found] = await getRoots(service, context, { ids: [id] })
  if (found === undefined) throw notFound('ledger root')
  return found
}

/** Those of the ids that the account has, in no order. */
export async function getRoots(
  service: Service,
  context: Context,
  { ids }: { readonly ids: readonly string[] },
): Promise<readonly RootRow[]> {
  requireScope(context, 'read')
  return findRoots(service.pool, { accountId: context.account.id, ids })
}
