/** Values of custom fields: by id, by slug on one entity, all of several entities, or a page. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  type CustomFieldFilter,
  type CustomFieldOrder,
  type CustomFieldReading,
  listCustomFieldRows,
  readCustomFields,
  readCustomFieldsOf,
  readNewestCustomFields,
} from './list-custom-fields-sql.ts'

export async function getField(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<CustomFieldReading> {
  requireScope(context, 'read')
  const [field] = await readCustomFields(service.pool, { accountId: context.account.id, ids: [id] })
  if (field === undefined) throw notFound('custom field')
  return field
}

export async function getFieldOf(
  service: Service,
  context: Context,
  of: { readonly entityId: string; readonly apiSlug: string },
): Promise<CustomFieldReading> {
  const fields = await listFieldsOf(service, context, { entityIds: [of.entityId] })
  const field = fields.find(({ apiSlug }) => apiSlug === of.apiSlug)
  if (field === undefined) throw notFound('custom field')
  return field
}

/** Sorted by slug within each entity. */
export async function listFieldsOf(
  service: Service,
  context: Context,
  of: { readonly entityIds: readonly string[] },
): Promise<readonly CustomFieldReading[]> {
  requireScope(context, 'read')
  return readCustomFieldsOf(service.pool, { accountId: context.account.id, entityIds: of.entityIds })
}

export async function listFields(
  service: Service,
  context: Context,
  input: {
    readonly filter: CustomFieldFilter
    readonly order: CustomFieldOrder
    readonly page: PageRequest
  },
): Promise<Page<CustomFieldReading>> {
  requireScope(context, 'read')
  return listCustomFieldRows(service.pool, { accountId: context.account.id, ...input })
}

/** At most `max` of each definition, the newest first. */
export async function listNewestFields(
  service: Service,
  context: Context,
  of: { readonly definitionIds: readonly string[]; readonly max: number },
): Promise<readonly CustomFieldReading[]> {
  requireScope(context, 'read')
  return readNewestCustomFields(service.pool, { accountId: context.account.id, ...of })
}
