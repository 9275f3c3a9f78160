/** Changes a custom field definition: its words, its rules, its default. What kind of field it is stays. */

import type { FieldValidation } from '../../../core/custom-field.ts'
import {
  type FieldDefinition,
  lockDefinition,
  updateDefinition as updateRow,
} from '../../../store/custom-field-definitions.ts'
import { inTransaction } from '../../../store/database.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound, refusedAt } from '../../errors.ts'
import { type IfCurrent, requireCurrent } from '../../ground/if-current.ts'
import { changedBy, diffOf, recordChange } from '../../people/audit/record-change.ts'
import type { Service } from '../../service.ts'
import { checkValue } from './check-value.ts'
import { definitionFields } from './create-definition.ts'
import { checkDisplayName, checkValidation } from './definition-input.ts'

export interface DefinitionChanges {
  readonly displayName?: string
  readonly description?: string | null
  readonly validation?: FieldValidation | null
  readonly defaultFormat?: string | null
  readonly defaultValue?: unknown
  /** What cannot change: may be said again, as clients that send the whole resource back do. */
  readonly fixed: Partial<Pick<FieldDefinition, 'apiSlug' | 'entityType' | 'dataType' | 'referenceType'>>
}

const fixedMembers = [
  ['apiSlug', 'api_slug'],
  ['entityType', 'entity_type'],
  ['dataType', 'data_type'],
  ['referenceType', 'reference_type'],
] as const

/** What is left out stays. Values that are there already are not held against new rules. */
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
    readonly ifCurrent?: IfCurrent<FieldDefinition> | null
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
        throw refusedAt(
          `/data/attributes/${member}`,
          `\`${member}\` cannot change; define another field instead.`,
        )
    }
    const validation =
      given.validation === undefined
        ? undefined
        : await checkValidation(service, given.validation, definition)
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
    // Also the default that stays must keep the new rules.
    const wanted = defaultValue === undefined ? definition.defaultValue : defaultValue
    const pointer =
      defaultValue === undefined ? '/data/attributes/validation' : '/data/attributes/default_value'
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
