/**
 * Values of custom fields: one for each definition and entity. The values as the API reads them are in
 * `list-custom-fields-sql.ts`.
 */

import type { Db } from '../../db/database.ts'
import type { FieldEntityType, FieldValue } from '../../domain/values/custom-field.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'

export interface FieldRow {
  readonly accountId: string
  readonly id: string
  readonly definitionId: string
  readonly entityId: string
  readonly value: FieldValue
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastChangedBy: LastChangedBy
}

const columns = `account_id as "accountId", id, definition_id as "definitionId", entity_id as "entityId", value,
  created_at as "createdAt", updated_at as "updatedAt", last_changed_by as "lastChangedBy"`

/** Returns false when the entity has a value of this field. */
export async function insertField(db: Db, field: FieldRow): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'custom_field_insert',
    text: `insert into custom_fields
             (account_id, id, definition_id, entity_id, value, created_at, updated_at, last_changed_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (account_id, entity_id, definition_id) do nothing`,
    values: [
      field.accountId,
      field.id,
      field.definitionId,
      field.entityId,
      JSON.stringify(field.value),
      field.createdAt,
      field.updatedAt,
      JSON.stringify(field.lastChangedBy),
    ],
  })
  return rowCount === 1
}

export async function updateField(
  db: Db,
  field: Pick<FieldRow, 'accountId' | 'id' | 'value' | 'updatedAt' | 'lastChangedBy'>,
): Promise<void> {
  await db.query({
    name: 'custom_field_update',
    text: `update custom_fields set value = $3, updated_at = $4, last_changed_by = $5
            where account_id = $1 and id = $2`,
    values: [
      field.accountId,
      field.id,
      JSON.stringify(field.value),
      field.updatedAt,
      JSON.stringify(field.lastChangedBy),
    ],
  })
}

export async function deleteField(db: Db, key: { readonly accountId: string; readonly id: string }): Promise<void> {
  await db.query({
    name: 'custom_field_delete',
    text: `delete from custom_fields where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
}

export async function lockField(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<FieldRow | null> {
  const { rows } = await db.query<FieldRow>({
    name: 'custom_field_lock',
    text: `select ${columns} from custom_fields where account_id = $1 and id = $2 for update`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

export async function lockFieldOf(
  db: Db,
  key: { readonly accountId: string; readonly entityId: string; readonly definitionId: string },
): Promise<FieldRow | null> {
  const { rows } = await db.query<FieldRow>({
    name: 'custom_field_of_entity_lock',
    text: `select ${columns} from custom_fields
            where account_id = $1 and entity_id = $2 and definition_id = $3 for update`,
    values: [key.accountId, key.entityId, key.definitionId],
  })
  return rows[0] ?? null
}

export async function countFieldsOf(
  db: Db,
  key: { readonly accountId: string; readonly definitionId: string },
): Promise<number> {
  const { rows } = await db.query<{ total: number }>({
    name: 'custom_fields_of_definition_count',
    text: `select count(*) as total from custom_fields where account_id = $1 and definition_id = $2`,
    values: [key.accountId, key.definitionId],
  })
  return rows[0]?.total ?? 0
}

/** Whether the account has such a thing, to which a field may belong or refer. */
export async function entityExists(
  db: Db,
  key: { readonly accountId: string; readonly id: string; readonly type: FieldEntityType | 'Party' },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'custom_field_entity',
    text: `select 1 from shipments where $3 = 'Shipment' and account_id = $1 and id = $2
           union all
           select 1 from containers where $3 = 'Container' and account_id = $1 and id = $2
           union all
           select 1 from tracking_requests where $3 = 'TrackingRequest' and account_id = $1 and id = $2
           union all
           select 1 from parties where $3 = 'Party' and account_id = $1 and id = $2`,
    values: [key.accountId, key.id, key.type],
  })
  return rowCount === 1
}
