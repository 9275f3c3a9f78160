/** Custom field definitions of the account: one, several by their ids, or a page of those that match a filter. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  type DefinitionFilter,
  type FieldDefinition,
  findDefinitions,
  listDefinitions as listRows,
} from './custom-field-definitions-sql.ts'

export async function getDefinition(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<FieldDefinition> {
  const [definition] = await getDefinitions(service, context, { ids: [input.id] })
  if (definition === undefined) throw notFound('custom field definition')
  return definition
}

/** Returns those of the ids that the account has, in no order. */
export async function getDefinitions(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[] },
): Promise<readonly FieldDefinition[]> {
  requireScope(context, 'read')
  return findDefinitions(service.pool, { accountId: context.account.id, ids: input.ids })
}

/** Newest first. */
export async function listDefinitions(
  service: Service,
  context: Context,
  input: { readonly filter: DefinitionFilter; readonly page: PageRequest },
): Promise<Page<FieldDefinition>> {
  requireScope(context, 'read')
  return listRows(service.pool, { accountId: context.account.id, ...input })
}
