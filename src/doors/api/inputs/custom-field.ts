/** What bodies say of custom field values: on an entity that the address names, or that the body does. */

import { Type } from 'typebox'
import type { FieldEntityType } from '../../../core/custom-field.ts'
import { membersOf } from '../../../core/json-value.ts'
import type { FieldInput } from '../../../service/tracking/custom-fields/set-field.ts'
import { readAttributes } from '../body.ts'
import { bodyOf } from '../operation.ts'
import { isUuid } from '../path-id.ts'
import { pointerFault } from '../problem.ts'
import { givenValueSchema } from '../resources/custom-field-value.ts'
import * as schema from '../schema.ts'
import { closed, readOnlyOf } from './attributes.ts'

export const slugSchema = Type.String({ minLength: 1, maxLength: 64 })
const value = Type.Optional(givenValueSchema)
const newField = Type.Object({ api_slug: Type.Optional(slugSchema), value }, closed)
const nestedField = Type.Object({ api_slug: slugSchema, value }, closed)
const identifier = (types: readonly string[]) =>
  schema.object({ data: schema.object({ type: schema.oneOf(types), id: schema.text() }) })
const entityTypes: Readonly<Record<string, FieldEntityType>> = {
  shipment: 'Shipment',
  container: 'Container',
  cargo: 'Container',
  tracking_request: 'TrackingRequest',
}

export const customFieldBody = bodyOf(
  'custom_field',
  newField,
  schema.object({
    entity: identifier(Object.keys(entityTypes)),
    definition: schema.optional(identifier(['custom_field_definition'])),
  }),
)
export const nestedCustomFieldBody = bodyOf('custom_field', nestedField)
const changes = Type.Object({ api_slug: Type.Optional(slugSchema), value: givenValueSchema }, closed)
export const customFieldChangesBody = bodyOf('custom_field', changes)
const readOnly = readOnlyOf('custom_field', newField)

interface Given {
  readonly api_slug?: string
  readonly value?: unknown
}

/** The body names the entity, and the definition by its slug or its id. */
export function readNewField(body: unknown): FieldInput {
  const given = readAttributes<Given>(body, {
    type: 'custom_field',
    id: null,
    attributes: newField,
    readOnly,
    relationships: ['entity', 'definition'],
  })
  const entity = readIdentifier(body, 'entity', Object.keys(entityTypes))
  const definition = readIdentifier(body, 'definition', ['custom_field_definition'])
  if (entity === null) {
    const detail = 'The shipment, container or tracking request is needed.'
    throw pointerFault('invalid', '/data/relationships/entity', detail)
  }
  if (given.api_slug === undefined && definition === null)
    throw pointerFault('invalid', '/data/attributes/api_slug', 'The slug of a custom field is needed.')
  return {
    entity: { type: entityTypes[entity.type] ?? 'Shipment', id: entity.id },
    apiSlug: given.api_slug ?? null,
    definitionId: definition?.id ?? null,
    value: given.value,
    isUpsert: false,
    entityPointer: '/data/relationships/entity/data/id',
  }
}

/** On the entity that the address names: set again, a value is written over. */
export function readNestedField(body: unknown, entity: FieldInput['entity']): FieldInput {
  const given = readAttributes<Given & { readonly api_slug: string }>(body, {
    type: 'custom_field',
    id: null,
    attributes: nestedField,
    readOnly,
  })
  const { api_slug: apiSlug, value: givenValue } = given
  return { entity, apiSlug, definitionId: null, value: givenValue, isUpsert: true, entityPointer: null }
}

/** `of`: the field that is changed; its slug may be said again, not changed. */
export function readFieldChanges(
  body: unknown,
  of: { readonly id: string; readonly apiSlug: string },
): { readonly value: unknown } {
  const given = readAttributes<Given>(body, {
    type: 'custom_field',
    id: of.id,
    attributes: changes,
    readOnly,
  })
  if (given.api_slug !== undefined && given.api_slug !== of.apiSlug)
    throw pointerFault('invalid', '/data/attributes/api_slug', 'The slug cannot change.')
  return { value: given.value ?? null }
}

/** Null when the body has no such relationship. Throws for one that is no resource identifier. */
export function readIdentifier(
  body: unknown,
  name: string,
  types: readonly string[],
): { readonly type: string; readonly id: string } | null {
  const relationships = membersOf(membersOf(membersOf(body)['data'])['relationships'])
  const given = Object.hasOwn(relationships, name) ? relationships[name] : null
  if (given === null) return null
  const linkage = membersOf(given)['data']
  if (linkage === null) return null
  const at = `/data/relationships/${name}/data`
  // Without `data` it would be taken for none, and whoever named one would not hear that it was not read.
  if (typeof linkage !== 'object')
    throw pointerFault('invalid', at, 'This must be an object with `type` and `id`, or null.')
  const { type, id } = membersOf(linkage)
  if (typeof type !== 'string' || !types.includes(type))
    throw pointerFault('invalid', `${at}/type`, `The type of this is ${types.join(' or ')}.`)
  // What is no id is nobody's.
  if (typeof id !== 'string' || !isUuid(id))
    throw pointerFault('invalid', `${at}/id`, 'There is nothing of this id.')
  return { type, id: id.toLowerCase() }
}
