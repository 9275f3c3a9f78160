/** Options of a custom field: one, all of several fields, or a page. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { type FieldOption, listOptions as listRows, optionsOf } from './custom-field-options-sql.ts'
import { getDefinition } from './get-definition.ts'

export async function getOption(
  service: Service,
  context: Context,
  input: { readonly definitionId: string; readonly id: string },
): Promise<FieldOption> {
  const options = await getOptions(service, context, { definitionIds: [input.definitionId] })
  const option = options.find(({ id }) => id === input.id)
  if (option === undefined) throw notFound('custom field option')
  return option
}

/** Sorted by position within each field. */
export async function getOptions(
  service: Service,
  context: Context,
  input: { readonly definitionIds: readonly string[] },
): Promise<readonly FieldOption[]> {
  requireScope(context, 'read')
  return optionsOf(service.pool, { accountId: context.account.id, definitionIds: input.definitionIds })
}

export async function listOptions(
  service: Service,
  context: Context,
  input: { readonly definitionId: string; readonly page: PageRequest },
): Promise<Page<FieldOption>> {
  await getDefinition(service, context, { id: input.definitionId })
  return listRows(service.pool, { accountId: context.account.id, ...input })
}
