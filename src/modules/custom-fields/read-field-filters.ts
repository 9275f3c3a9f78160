/**
 * Filters of a list by custom fields. The slug leads to the definition, and its data type decides how the text is read.
 */

import type { FieldCondition, TextCondition } from '../../db/listing/field-conditions.ts'
import { type FieldEntityType, readFieldValue } from '../../domain/values/custom-field.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { type FieldDefinition, findDefinitionsBySlug } from './custom-field-definitions-sql.ts'

const partsMax = 20

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

const textTypes: ReadonlySet<FieldDefinition['dataType']> = new Set(['short_text', 'enum', 'enum_multi'])

/**
 * Filters of the container list. Text and choices are compared by parts, in the container's field and in its shipment's
 * with this slug; other values of the container are compared as a whole.
 */
export async function readContainerFieldFilters(
  service: Service,
  context: Context,
  given: readonly FieldFilter[],
): Promise<{ readonly fields: readonly FieldCondition[]; readonly textFields: readonly TextCondition[] }> {
  requireScope(context, 'read')
  if (given.length === 0) return { fields: [], textFields: [] }
  const of = { accountId: context.account.id, slugs: given.map(({ slug }) => slug) }
  const definitions = await Promise.all(
    (['Container', 'Shipment'] as const).map((entityType) =>
      findDefinitionsBySlug(service.pool, { ...of, entityType }),
    ),
  )
  const texts = definitions.flat().filter(({ dataType }) => textTypes.has(dataType))
  const textFields = given.flatMap((filter) => {
    const found = texts.filter(({ apiSlug }) => apiSlug === filter.slug)
    return found.length === 0 ? [] : { filter, condition: readTextCondition(filter, found) }
  })
  const others = given.filter((each) => textFields.every(({ filter }) => filter !== each))
  const fields = await readFieldFilters(service, context, { entityType: 'Container', given: others })
  return { fields, textFields: textFields.map(({ condition }) => condition) }
}

function readTextCondition(filter: FieldFilter, definitions: readonly FieldDefinition[]): TextCondition {
  const definitionIds = definitions.map(({ id }) => id)
  const text = filter.text.trim()
  if (/^@(not_)?exists$/.test(text)) return { definitionIds, demand: { isPresent: text === '@exists' } }
  const anyOf = text.split(',').flatMap((part) => part.trim() || [])
  if (anyOf.length === 0 || anyOf.length > partsMax)
    throw invalidFilterError(filter, `A text is needed, or up to ${partsMax} with commas between.`)
  return { definitionIds, demand: { anyOf } }
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
