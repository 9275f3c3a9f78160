/** Gives a shipment, container or tracking request a value of a custom field. */

import { type Db, inTransaction } from '../../db/database.ts'
import type { FieldEntityType } from '../../domain/values/custom-field.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { checkValue } from './check-value.ts'
import {
  type FieldDefinition,
  lockDefinitionForShare,
  lockDefinitionsForShare,
} from './custom-field-definitions-sql.ts'
import { entityExists, insertField, lockFieldOf } from './custom-fields-sql.ts'
import { writeValue } from './update-field.ts'

export interface FieldInput {
  readonly entity: { readonly type: FieldEntityType; readonly id: string }
  /** `apiSlug` or `definitionId` names the definition. */
  readonly apiSlug: string | null
  readonly definitionId: string | null
  /** Undefined for the definition's default. */
  readonly value: unknown
  /** True: an existing value is replaced. False: it is refused as a duplicate. */
  readonly isUpsert: boolean
  /** Where the body names the entity; null where the address does. */
  readonly entityPointer: string | null
}

const entityNames: Readonly<Record<FieldEntityType, string>> = {
  Shipment: 'shipment',
  Container: 'container',
  TrackingRequest: 'tracking request',
}

/** Refuses (not found) an entity that the account does not have. */
export async function checkEntity(service: Service, context: Context, entity: FieldInput['entity']): Promise<void> {
  requireScope(context, 'read')
  const { type, id } = entity
  if (!(await entityExists(service.pool, { accountId: context.account.id, type, id })))
    throw notFound(entityNames[type])
}

export async function setField(
  service: Service,
  context: Context,
  input: FieldInput,
): Promise<{ readonly id: string }> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const { entity, entityPointer } = input
  return inTransaction(service.pool, async (db) => {
    if (!(await entityExists(db, { accountId, ...entity }))) {
      throw entityPointer === null
        ? notFound(entityNames[entity.type])
        : refusedAt(entityPointer, `There is no ${entityNames[entity.type]} of this id.`)
    }
    const definition = await findDefinition(db, accountId, input)
    const given = input.value === undefined ? definition.defaultValue : input.value
    if (input.value === undefined && given === null)
      throw refusedAt('/data/attributes/value', 'A value is needed: the field has no default.')
    const value = await checkValue(db, service, definition, {
      value: given,
      pointer: '/data/attributes/value',
    })
    const by = changedBy(service, context)
    const row = {
      accountId,
      id: uuidV7(service.clock.now()),
      definitionId: definition.id,
      entityId: entity.id,
      value,
      createdAt: by.at,
      updatedAt: by.at,
      lastChangedBy: by,
    }
    if (await insertField(db, row)) {
      await recordChange(db, service, context, {
        action: 'custom_field.created',
        target: { type: 'custom_field', id: row.id },
        diff: diffOf(null, row, ['definitionId', 'entityId', 'value']),
      })
      return { id: row.id }
    }
    const stored = await lockFieldOf(db, { accountId, entityId: entity.id, definitionId: definition.id })
    if (!input.isUpsert || stored === null) throw alreadySetError(definition)
    await writeValue(db, service, context, { stored, value })
    return { id: stored.id }
  })
}

async function findDefinition(db: Db, accountId: string, input: FieldInput): Promise<FieldDefinition> {
  const { entity, apiSlug, definitionId } = input
  if (definitionId !== null) {
    const definition = await lockDefinitionForShare(db, { accountId, id: definitionId })
    const isFit = definition?.entityType === entity.type && (apiSlug ?? definition.apiSlug) === definition.apiSlug
    if (definition !== null && isFit) return definition
    throw refusedAt(
      '/data/relationships/definition/data/id',
      `No custom field on ${entity.type} is defined under this id.`,
    )
  }
  const [definition] = await lockDefinitionsForShare(db, {
    accountId,
    entityType: entity.type,
    slugs: apiSlug === null ? [] : [apiSlug],
  })
  if (definition !== undefined) return definition
  throw refusedAt('/data/attributes/api_slug', unknownSlugMessage(entity.type, apiSlug))
}

export function unknownSlugMessage(entityType: FieldEntityType, apiSlug: string | null): string {
  return apiSlug === null
    ? 'The slug of a custom field is needed.'
    : `There is no custom field \`${apiSlug.slice(0, 64)}\` on ${entityType}.`
}

function alreadySetError({ apiSlug }: FieldDefinition): ServiceError {
  return new ServiceError('duplicate', `\`${apiSlug}\` is set here already; change it with PATCH.`, {
    source: { pointer: '/data/attributes/api_slug' },
  })
}
