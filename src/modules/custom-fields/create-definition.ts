/** Defines a custom field. Its slug is unique among the account's fields of that entity type, and cannot change. */

import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  checkDisplayName,
  checkReferenceType,
  checkSlug,
  checkValidation,
  type NewDefinition,
} from './check-definition.ts'
import { checkValue } from './check-value.ts'
import { type FieldDefinition, insertDefinition } from './custom-field-definitions-sql.ts'

export const definitionFields = [
  'entityType',
  'apiSlug',
  'displayName',
  'description',
  'dataType',
  'referenceType',
  'validation',
  'defaultFormat',
  'defaultValue',
] as const

export async function createDefinition(
  service: Service,
  context: Context,
  input: NewDefinition,
): Promise<FieldDefinition> {
  requireScope(context, 'write')
  checkReferenceType(input)
  const displayName = checkDisplayName(input.displayName)
  const by = changedBy(service, context)
  const apiSlug = checkSlug(input.apiSlug, displayName)
  const base = { ...input, accountId: context.account.id, id: uuidV7(service.clock.now()) }
  const more = { apiSlug, displayName, createdAt: by.at, updatedAt: by.at, lastChangedBy: by }
  const validation = await checkValidation(service, input.validation, { ...base, validation: null })
  return inTransaction(service.pool, async (db) => {
    const checked = { ...base, ...more, validation }
    const defaultValue =
      (input.defaultValue ?? null) === null
        ? null
        : await checkValue(db, service, checked, {
            value: input.defaultValue,
            pointer: '/data/attributes/default_value',
          })
    const definition: FieldDefinition = { ...checked, defaultValue }
    if (!(await insertDefinition(db, definition))) throw duplicateSlugError(definition)
    await recordChange(db, service, context, {
      action: 'custom_field_definition.created',
      target: { type: 'custom_field_definition', id: definition.id },
      diff: diffOf(null, definition, definitionFields),
    })
    return definition
  })
}

function duplicateSlugError({ apiSlug, entityType }: FieldDefinition): ServiceError {
  return new ServiceError('duplicate', `There is a custom field \`${apiSlug}\` on ${entityType} already.`, {
    source: { pointer: '/data/attributes/api_slug' },
  })
}
