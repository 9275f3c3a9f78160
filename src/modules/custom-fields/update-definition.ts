/** Changes a custom field definition: its texts, its rules, its default. Its slug and data type cannot change. */

import { inTransaction } from '../../db/database.ts'
import type { FieldValidation } from '../../domain/values/custom-field.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import type { Service } from '../service.ts'
import { checkDisplayName, checkValidation } from './check-definition.ts'
import { checkValue } from './check-value.ts'
import { definitionFields } from './create-definition.ts'
import { type FieldDefinition, lockDefinition, updateDefinition as updateRow } from './custom-field-definitions-sql.ts'

export interface DefinitionChanges {
  readonly displayName?: string
  readonly description?: string | null
  readonly validation?: FieldValidation | null
  readonly defaultFormat?: string | null
  readonly defaultValue?: unknown
  /**
   * Members that cannot change. They may be sent with the same value, because some clients send the complete resource
   * back.
   */
  readonly fixed: Partial<Pick<FieldDefinition, 'apiSlug' | 'entityType' | 'dataType' | 'referenceType'>>
}

const fixedMembers = [
  ['apiSlug', 'api_slug'],
  ['entityType', 'entity_type'],
  ['dataType', 'data_type'],
  ['referenceType', 'reference_type'],
] as const

/** Fields that are left out stay. Existing values are not checked against new rules. */
export async function updateDefinition(
  service: Service,
  context: Context,
  {
    id,
    fixed,
    ifCurrent,
    ...given
  }: {
    readonly id: string
    readonly ifCurrent?: PreconditionCheck<FieldDefinition> | null
  } & DefinitionChanges,
): Promise<FieldDefinition> {
  requireScope(context, 'write')
  const key = { accountId: context.account.id, id }
  return inTransaction(service.pool, async (db) => {
    const definition = await lockDefinition(db, key)
    if (definition === null) throw notFound('custom field definition')
    requireCurrent(ifCurrent, definition)
    for (const [name, member] of fixedMembers) {
      if (fixed[name] !== undefined && fixed[name] !== definition[name])
        throw refusedAt(`/data/attributes/${member}`, `\`${member}\` cannot change; define another field instead.`)
    }
    const validation =
      given.validation === undefined ? undefined : await checkValidation(service, given.validation, definition)
    const by = changedBy(service, context)
    const { displayName, validation: _, defaultValue, ...rest } = given
    const changed: FieldDefinition = {
      ...definition,
      ...rest,
      ...(displayName === undefined ? {} : { displayName: checkDisplayName(displayName) }),
      ...(validation === undefined ? {} : { validation }),
      updatedAt: by.at,
      lastChangedBy: by,
    }
    // A default that stays must follow the new rules too.
    const wanted = defaultValue === undefined ? definition.defaultValue : defaultValue
    const pointer = defaultValue === undefined ? '/data/attributes/validation' : '/data/attributes/default_value'
    const next: FieldDefinition = {
      ...changed,
      defaultValue:
        (wanted ?? null) === null ? null : await checkValue(db, service, changed, { value: wanted, pointer }),
    }
    const diff = diffOf(definition, next, definitionFields)
    if (diff === null) return definition
    await updateRow(db, next)
    await recordChange(db, service, context, {
      action: 'custom_field_definition.updated',
      target: { type: 'custom_field_definition', id },
      diff,
    })
    return next
  })
}
