/** Bodies of custom field values. The entity is named by the address or by the body. */

import { pointerFault } from '../../api/errors/problem.ts'
import { isUuid } from '../../api/http/path-parameters.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import * as schema from '../../api/shape/schema.ts'
import type { FieldEntityType } from '../../domain/values/custom-field.ts'
import { membersOf } from '../../domain/values/json-value.ts'
import { Type } from '../../platform/json-schema.ts'
import { customField } from './custom-field-resource.ts'
import { givenValueSchema } from './custom-field-value-resource.ts'
import type { FieldInput } from './set-field.ts'

export const slugSchema = Type.String({ minLength: 1, maxLength: 64 })
const value = Type.Optional(givenValueSchema)
const identifier = (types: readonly string[]) =>
  schema.object({ data: schema.object({ type: schema.oneOf(types), id: schema.text() }) })
const entityTypes: Readonly<Record<string, FieldEntityType>> = {
  shipment: 'Shipment',
  container: 'Container',
  cargo: 'Container',
  tracking_request: 'TrackingRequest',
}

/** Here the body names the entity, and the definition by slug or id. */
export const newCustomField = defineCreateBody(
  customField,
  Type.Object({ api_slug: Type.Optional(slugSchema), value }, closed),
  readNewField,
  {
    entity: identifier(Object.keys(entityTypes)),
    definition: schema.optional(identifier(['custom_field_definition'])),
  },
)

function readNewField(given: { readonly api_slug?: string; readonly value?: unknown }, body: unknown): FieldInput {
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

/** Here the address names the entity. */
export const nestedCustomField = defineCreateBody(
  customField,
  Type.Object({ api_slug: slugSchema, value }, closed),
  camelNames,
)

const changes = Type.Object({ api_slug: Type.Optional(slugSchema), value: givenValueSchema }, closed)
export const customFieldChanges = defineChangeBody(customField, changes, camelNames)

/** The body of a change may repeat the slug of the field, but not change it. */
export function valueIn(
  given: { readonly apiSlug?: string; readonly value: unknown },
  field: { readonly apiSlug: string },
): unknown {
  if (given.apiSlug !== undefined && given.apiSlug !== field.apiSlug)
    throw pointerFault('invalid', '/data/attributes/api_slug', 'The slug cannot change.')
  return given.value ?? null
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
    throw pointerFault('invalid', `${at}/type`, `The type must be ${types.join(' or ')}.`)
  // An id that is no UUID belongs to nothing.
  if (typeof id !== 'string' || !isUuid(id)) throw pointerFault('invalid', `${at}/id`, 'Nothing has this id.')
  return { type, id: id.toLowerCase() }
}
