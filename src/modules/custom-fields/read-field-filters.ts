/**
 * Filters of a list by custom fields. The slug leads to the definition, and its data type decides how the text is read.
 */

import { type FieldEntityType, readFieldValue } from '../../domain/values/custom-field.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { type FieldDefinition, findDefinitionsBySlug } from './custom-field-definitions-sql.ts'
import type { FieldCondition } from './field-conditions-sql.ts'

export interface FieldFilter {
  readonly slug: string
  readonly text: string
  /** Its place in the request, for a refusal. */
  readonly parameter?: string
  readonly pointer?: string
}

/**
 * Throws (`invalid`) for a slug for which the account has no definition, and for a text that is no value of the data
 * type.
 */
export async function readFieldFilters(
  service: Service,
  context: Context,
  input: { readonly entityType: FieldEntityType; readonly given: readonly FieldFilter[] },
): Promise<readonly FieldCondition[]> {
  requireScope(context, 'read')
  const { entityType, given } = input
  if (given.length === 0) return []
  const definitions = await findDefinitionsBySlug(service.pool, {
    accountId: context.account.id,
    entityType,
    slugs: given.map(({ slug }) => slug),
  })
  return given.map((each) => {
    const definition = definitions.find(({ apiSlug }) => apiSlug === each.slug)
    if (definition === undefined) {
      throw invalidFilterError(each, `There is no custom field \`${each.slug}\` of a ${entityType}.`)
    }
    return { definitionId: definition.id, value: readValue(each, definition) }
  })
}

function readValue(filter: FieldFilter, { dataType }: FieldDefinition): FieldCondition['value'] {
  // A field with several choices is filtered by one of them.
  const type = dataType === 'enum_multi' ? 'enum' : dataType
  const read = readFieldValue(readText(filter.text, type), { dataType: type, validation: null })
  if (!read.ok) throw invalidFilterError(filter, `The value ${read.reason}.`)
  if (read.value === null) throw invalidFilterError(filter, 'A value is needed.')
  return read.value
}

function readText(text: string, dataType: FieldDefinition['dataType']): unknown {
  if (dataType === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
  if (dataType === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function invalidFilterError({ parameter = '', pointer }: FieldFilter, detail: string): ServiceError {
  return new ServiceError('invalid', detail, { source: pointer === undefined ? { parameter } : { pointer } })
}
