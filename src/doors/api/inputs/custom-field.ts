/** Bodies of custom field values. The entity is named by the address or by the body. */

import type { FieldEntityType } from '../../../core/values/custom-field.ts'
import { membersOf } from '../../../core/values/json-value.ts'
import { Type } from '../../../platform/json-schema.ts'
import type { FieldInput } from '../../../service/tracking/custom-fields/set-field.ts'
import { givenValueSchema } from '../../documents/resources/custom-fields/custom-field-value.ts'
import * as schema from '../../documents/shape/schema.ts'
import { isUuid } from '../../http/path-id.ts'
import { pointerFault } from '../../http/problem.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
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

/** Here the body names the entity, and the definition by slug or id. */
export function readNewField(body: unknown): FieldInput {
  const given = readAttributes(body, {
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

/** Here the address names the entity. A value that exists already is overwritten. */
export function readNestedField(body: unknown, entity: FieldInput['entity']): FieldInput {
  const given = readAttributes(body, {
    type: 'custom_field',
    id: null,
    attributes: nestedField,
    readOnly,
  })
  const { api_slug: apiSlug, value: givenValue } = given
  return { entity, apiSlug, definitionId: null, value: givenValue, isUpsert: true, entityPointer: null }
}

/** `of` is the field to change. The body may repeat its slug, but not change it. */
export function readFieldChanges(
  body: unknown,
  of: { readonly id: string; readonly apiSlug: string },
): { readonly value: unknown } {
  const given = readAttributes(body, {
    type: 'custom_field',
    id: of.id,
    attributes: changes,
    readOnly,
  })
  if (given.api_slug !== undefined && given.api_slug !== of.apiSlug)
    throw pointerFault('invalid', '/data/attributes/api_slug', 'The slug cannot change.')
  return { value: given.value ?? null }
}

/** Null when the body has no such relationship. Throws when the relationship is no resource identifier. */
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
  // A relationship without `data` is refused. If it were read as null, the client would not learn that its entity was
  // not read.
  if (typeof linkage !== 'object')
    throw pointerFault('invalid', at, 'This must be an object with `type` and `id`, or null.')
  const { type, id } = membersOf(linkage)
  if (typeof type !== 'string' || !types.includes(type))
    throw pointerFault('invalid', `${at}/type`, `The type of this is ${types.join(' or ')}.`)
  // An id that is no UUID belongs to nothing.
  if (typeof id !== 'string' || !isUuid(id))
    throw pointerFault('invalid', `${at}/id`, 'There is nothing of this id.')
  return { type, id: id.toLowerCase() }
}
