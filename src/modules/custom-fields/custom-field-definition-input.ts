/** Bodies of custom field definitions and their options. */

import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import { textOrNull } from '../../api/shape/schema.ts'
import {
  type FieldDataType,
  type FieldEntityType,
  type FieldReferenceType,
  fieldDataTypes,
  fieldEntityTypes,
  fieldReferenceTypes,
} from '../../domain/values/custom-field.ts'
import { Type } from '../../platform/json-schema.ts'
import { customFieldDefinition, customFieldOption } from './custom-field-definition-resource.ts'
import { givenValueSchema, readValidation, validationSchema } from './custom-field-value-resource.ts'

/** Some clients call a container `Cargo`. */
const entityTypes = [...fieldEntityTypes, 'Cargo'] as const
export type AcceptedEntityType = (typeof entityTypes)[number]

export function readEntityType(given: AcceptedEntityType): FieldEntityType {
  return given === 'Cargo' ? 'Container' : given
}

const displayName = Type.String({ minLength: 1, maxLength: 100 })
const textAttributes = {
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

const { properties: optionalTexts } = Type.Partial(Type.Object(textAttributes))

const attributes = Type.Object(
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
    ...optionalTexts,
    display_name: displayName,
  },
  closed,
)

export const newDefinition = defineCreateBody(customFieldDefinition, attributes, (given) => ({
  entityType: readEntityType(given.entity_type),
  apiSlug: given.api_slug ?? null,
  displayName: given.display_name,
  description: given.description ?? null,
  dataType: given.data_type,
  referenceType: given.reference_type ?? null,
  validation: given.validation == null ? null : readValidation(given.validation),
  defaultFormat: given.default_format ?? null,
  defaultValue: given.default_value ?? null,
}))

const changes = Type.Partial(Type.Object({ ...kinds, display_name: displayName, ...textAttributes }), closed)

/** The members that cannot change may be sent as they are. */
export const definitionChanges = defineChangeBody(
  customFieldDefinition,
  changes,
  ({ api_slug: slug, entity_type: entityType, data_type: dataType, reference_type: referenceType, ...given }) => {
    const { validation, ...rest } = given
    return {
      ...camelNames(rest),
      ...(validation === undefined ? {} : { validation: validation && readValidation(validation) }),
      fixed: {
        ...(slug == null ? {} : { apiSlug: slug }),
        ...(entityType === undefined ? {} : { entityType: readEntityType(entityType) }),
        ...(dataType === undefined ? {} : { dataType }),
        ...(referenceType === undefined ? {} : { referenceType }),
      },
    }
  },
)

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
const optionAttributes = Type.Object(
  { label: optionFields.label, value: optionFields.value, position: Type.Optional(optionFields.position) },
  closed,
)

export const newOption = defineCreateBody(customFieldOption, optionAttributes, ({ position = null, ...given }) => ({
  ...given,
  position,
}))
export const optionChanges = defineChangeBody(
  customFieldOption,
  Type.Partial(Type.Object(optionFields), closed),
  camelNames,
)
