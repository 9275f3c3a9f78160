/**
 * `custom_field_definition` and its `custom_field_option`s: which fields an account has, and which values they allow.
 */

import {
  fieldDataTypes,
  fieldEntityTypes,
  fieldReferenceTypes,
} from '../../../../core/values/custom-field.ts'
import { findPatternFault } from '../../../../service/tracking/custom-fields/pattern.ts'
import type { FieldDefinition } from '../../../../store/tracking/custom-field-definitions.ts'
import type { FieldOption } from '../../../../store/tracking/custom-field-options.ts'
import { type Identified, many, manyCut, one, type ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'
import { writeIfTime } from '../../shape/whole-times.ts'
import { lastChangedBy } from '../parts/last-changed-by.ts'
import { fieldValueSchema, validationSchema, writeValidation } from './custom-field-value.ts'

export interface CustomFieldDefinitionReading extends Identified {
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
    account: one('account'),
    fields: manyCut('custom_field'),
    options: many('custom_field_option'),
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
    default_value:
      definition.dataType === 'datetime' ? writeIfTime(definition.defaultValue) : definition.defaultValue,
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
      pattern_not_enforced: faultOf(definition),
    }),
  },
}

function faultOf({ validation }: FieldDefinition): string | null {
  const fault = validation?.pattern === undefined ? null : findPatternFault(validation.pattern)
  return fault === null ? null : `The pattern ${fault}.`
}

export interface CustomFieldOptionReading extends Identified {
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
