/**
 * `custom_field_definition` and its `custom_field_option`s: which fields an account has, and which values they allow.
 */

import {
  type IdentifiedReading,
  type ResourceKind,
  toMany,
  toManyTruncated,
  toOne,
} from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeIfTime } from '../../api/shape/whole-times.ts'
import { fieldDataTypes, fieldEntityTypes, fieldReferenceTypes } from '../../domain/values/custom-field.ts'
import { lastChangedBy } from '../audit/last-changed-by-resource.ts'
import type { FieldDefinition } from './custom-field-definitions-sql.ts'
import type { FieldOption } from './custom-field-options-sql.ts'
import { fieldValueSchema, validationSchema, writeValidation } from './custom-field-value-resource.ts'
import { findPatternFault } from './pattern.ts'

export interface CustomFieldDefinitionReading extends IdentifiedReading {
  readonly type: 'custom_field_definition'
  readonly definition: FieldDefinition
}

export function readDefinition(definition: FieldDefinition): CustomFieldDefinitionReading {
  return { type: 'custom_field_definition', id: definition.id, definition }
}

export const customFieldDefinition: ResourceKind<CustomFieldDefinitionReading> = {
  type: 'custom_field_definition',
  attributes: {
    entity_type: schema.oneOf(fieldEntityTypes),
    api_slug: schema.text(),
    display_name: schema.text(),
    description: schema.textOrNull(),
    data_type: schema.oneOf(fieldDataTypes),
    reference_type: schema.oneOfOrNull(fieldReferenceTypes),
    validation: validationSchema,
    default_format: schema.textOrNull(),
    default_value: fieldValueSchema,
    template_id: schema.textOrNull({ format: 'uuid', description: 'Always null: there are no templates.' }),
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {
    account: toOne('account'),
    fields: toManyTruncated('custom_field'),
    options: toMany('custom_field_option'),
  },
  write: ({ definition }) => ({
    entity_type: definition.entityType,
    api_slug: definition.apiSlug,
    display_name: definition.displayName,
    description: definition.description,
    data_type: definition.dataType,
    reference_type: definition.referenceType,
    validation: definition.validation === null ? null : writeValidation(definition.validation),
    default_format: definition.defaultFormat,
    default_value: definition.dataType === 'datetime' ? writeIfTime(definition.defaultValue) : definition.defaultValue,
    template_id: null,
    created_at: definition.createdAt,
    updated_at: definition.updatedAt,
  }),
  link: ({ definition }) => ({ account: { type: 'account', id: definition.accountId } }),
  related: ({ id }) => ({
    fields: `/custom_fields?filter%5Bdefinition_id%5D=${id}`,
    options: `/custom_field_definitions/${id}/options`,
  }),
  meta: {
    properties: {
      ...lastChangedBy.properties,
      pattern_not_enforced: schema.textOrNull({
        description:
          'Why the pattern is not checked: an earlier version of Landfall stored it, and its syntax is not supported now. Null if the pattern is checked, or if there is no pattern.',
      }),
    },
    write: ({ definition }) => ({
      ...lastChangedBy.write(definition),
      pattern_not_enforced: describePatternFault(definition),
    }),
  },
}

function describePatternFault({ validation }: FieldDefinition): string | null {
  const fault = validation?.pattern === undefined ? null : findPatternFault(validation.pattern)
  return fault === null ? null : `The pattern ${fault}.`
}

export interface CustomFieldOptionReading extends IdentifiedReading {
  readonly type: 'custom_field_option'
  readonly option: FieldOption
}

export function readOption(option: FieldOption): CustomFieldOptionReading {
  return { type: 'custom_field_option', id: option.id, option }
}

export const customFieldOption: ResourceKind<CustomFieldOptionReading> = {
  type: 'custom_field_option',
  attributes: { label: schema.text(), value: schema.text(), position: schema.integerOrNull() },
  relations: {},
  write: ({ option: { label, value, position } }) => ({ label, value, position }),
  link: () => ({}),
}
