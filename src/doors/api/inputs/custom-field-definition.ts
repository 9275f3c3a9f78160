/** Bodies of custom field definitions and their options. */

import {
  type FieldDataType,
  type FieldEntityType,
  type FieldReferenceType,
  fieldDataTypes,
  fieldEntityTypes,
  fieldReferenceTypes,
} from '../../../core/values/custom-field.ts'
import { Type } from '../../../platform/json-schema.ts'
import type { OptionInput } from '../../../service/tracking/custom-fields/change-options.ts'
import type { NewDefinition } from '../../../service/tracking/custom-fields/definition-input.ts'
import type { DefinitionChanges } from '../../../service/tracking/custom-fields/update-definition.ts'
import {
  givenValueSchema,
  readValidation,
  validationSchema,
} from '../../documents/resources/custom-fields/custom-field-value.ts'
import { textOrNull } from '../../documents/shape/schema.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

/** Some clients call a container `Cargo`. */
const entityTypes = [...fieldEntityTypes, 'Cargo'] as const
export type AcceptedEntityType = (typeof entityTypes)[number]

export function readEntityType(given: AcceptedEntityType): FieldEntityType {
  return given === 'Cargo' ? 'Container' : given
}

const displayName = Type.String({ minLength: 1, maxLength: 100 })
const words = {
  description: textOrNull({ maxLength: 1_000 }),
  validation: validationSchema,
  default_format: textOrNull({ maxLength: 60 }),
  default_value: givenValueSchema,
}
const kinds = {
  entity_type: Type.Unsafe<AcceptedEntityType>({ type: 'string', enum: entityTypes }),
  api_slug: Type.String({ minLength: 1, maxLength: 64 }),
  data_type: Type.Unsafe<FieldDataType>({ type: 'string', enum: fieldDataTypes }),
  reference_type: Type.Unsafe<FieldReferenceType | null>({ enum: [...fieldReferenceTypes, null] }),
}

const { properties: optionalWords } = Type.Partial(Type.Object(words))

const newDefinition = Type.Object(
  {
    entity_type: kinds.entity_type,
    api_slug: Type.Optional(
      Type.Unsafe<string | null>({
        ...kinds.api_slug,
        type: ['string', 'null'],
        description: 'If it is missing, it is made from the display name. It cannot be changed.',
      }),
    ),
    data_type: kinds.data_type,
    reference_type: Type.Optional(kinds.reference_type),
    ...optionalWords,
    display_name: displayName,
  },
  closed,
)
export const definitionBody = bodyOf('custom_field_definition', newDefinition)
const { properties: changeable } = Type.Partial(
  Type.Object({ ...kinds, display_name: displayName, ...words }),
)
const changes = Type.Object(changeable, closed)
export const definitionChangesBody = bodyOf('custom_field_definition', changes)
const readOnly = readOnlyOf('custom_field_definition', newDefinition)

export function readNewDefinition(body: unknown): NewDefinition {
  const given = readAttributes(body, {
    type: 'custom_field_definition',
    id: null,
    attributes: newDefinition,
    readOnly,
  })
  return {
    entityType: readEntityType(given.entity_type),
    apiSlug: given.api_slug ?? null,
    displayName: given.display_name,
    description: given.description ?? null,
    dataType: given.data_type,
    referenceType: given.reference_type ?? null,
    validation: given.validation == null ? null : readValidation(given.validation),
    defaultFormat: given.default_format ?? null,
    defaultValue: given.default_value ?? null,
  }
}

/** Attributes that the body does not name are not changed. */
export function readDefinitionChanges(body: unknown, id: string): DefinitionChanges {
  const given = readAttributes(body, {
    type: 'custom_field_definition',
    id,
    attributes: changes,
    readOnly,
  })
  const { display_name, description, validation, default_format, default_value } = given
  const { api_slug, entity_type, data_type, reference_type } = given
  return {
    ...(display_name === undefined ? {} : { displayName: display_name }),
    ...(description === undefined ? {} : { description }),
    ...(validation === undefined
      ? {}
      : { validation: validation === null ? null : readValidation(validation) }),
    ...(default_format === undefined ? {} : { defaultFormat: default_format }),
    ...(default_value === undefined ? {} : { defaultValue: default_value }),
    fixed: {
      ...(api_slug == null ? {} : { apiSlug: api_slug }),
      ...(entity_type === undefined ? {} : { entityType: readEntityType(entity_type) }),
      ...(data_type === undefined ? {} : { dataType: data_type }),
      ...(reference_type === undefined ? {} : { referenceType: reference_type }),
    },
  }
}

const optionFields = {
  label: Type.String({ minLength: 1, maxLength: 200 }),
  value: Type.String({ minLength: 1, maxLength: 200 }),
  position: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: 1_000_000,
    description: 'Its place in the order of the options. Options without a position come last.',
  }),
}
const newOption = Type.Object(
  { label: optionFields.label, value: optionFields.value, position: Type.Optional(optionFields.position) },
  closed,
)
export const optionBody = bodyOf('custom_field_option', newOption)
const optionChanges = Type.Object(Type.Partial(Type.Object(optionFields)).properties, closed)
export const optionChangesBody = bodyOf('custom_field_option', optionChanges)
const optionReadOnly = readOnlyOf('custom_field_option', newOption)

export function readNewOption(body: unknown): OptionInput {
  const expected = {
    type: 'custom_field_option',
    id: null,
    attributes: newOption,
    readOnly: optionReadOnly,
  }
  const { label, value, position = null } = readAttributes(body, expected)
  return { label, value, position }
}

/** Attributes that the body does not name are not changed. */
export function readOptionChanges(body: unknown, id: string): Partial<OptionInput> {
  return readAttributes(body, {
    type: 'custom_field_option',
    id,
    attributes: optionChanges,
    readOnly: optionReadOnly,
  })
}
