/** Custom field definitions: which fields an account stores on shipments, containers and tracking requests. */

import type { Db } from '../../db/database.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'
import type {
  FieldDataType,
  FieldEntityType,
  FieldReferenceType,
  FieldValidation,
  FieldValue,
} from '../../domain/values/custom-field.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'

export interface FieldDefinition {
  readonly accountId: string
  readonly id: string
  readonly entityType: FieldEntityType
  readonly apiSlug: string
  readonly displayName: string
  readonly description: string | null
  readonly dataType: FieldDataType
  readonly referenceType: FieldReferenceType | null
  readonly validation: FieldValidation | null
  readonly defaultFormat: string | null
  readonly defaultValue: FieldValue
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastChangedBy: LastChangedBy
}

const columns = `account_id as "accountId", id, entity_type as "entityType", api_slug as "apiSlug",
  display_name as "displayName", description, data_type as "dataType", reference_type as "referenceType", validation,
  default_format as "defaultFormat", default_value as "defaultValue", created_at as "createdAt",
  updated_at as "updatedAt", last_changed_by as "lastChangedBy"`

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Returns false when the account has a field with that slug on that entity type. */
export async function insertDefinition(db: Db, definition: FieldDefinition): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'custom_field_definition_insert',
    text: `insert into custom_field_definitions
             (account_id, id, entity_type, api_slug, display_name, description, data_type, reference_type, validation,
              default_format, default_value, created_at, updated_at, last_changed_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
           on conflict (account_id, entity_type, api_slug) do nothing`,
    values: [
      definition.accountId,
      definition.id,
      definition.entityType,
      definition.apiSlug,
      definition.displayName,
      definition.description,
      definition.dataType,
      definition.referenceType,
      json(definition.validation),
      definition.defaultFormat,
      json(definition.defaultValue),
      definition.createdAt,
      definition.updatedAt,
      json(definition.lastChangedBy),
    ],
  })
  return rowCount === 1
}

export async function updateDefinition(db: Db, definition: FieldDefinition): Promise<void> {
  await db.query({
    name: 'custom_field_definition_update',
    text: `update custom_field_definitions
              set display_name = $3, description = $4, validation = $5, default_format = $6, default_value = $7,
                  updated_at = $8, last_changed_by = $9
            where account_id = $1 and id = $2`,
    values: [
      definition.accountId,
      definition.id,
      definition.displayName,
      definition.description,
      json(definition.validation),
      definition.defaultFormat,
      json(definition.defaultValue),
      definition.updatedAt,
      json(definition.lastChangedBy),
    ],
  })
}

/** Deletes the definition with its options and values. */
export async function deleteDefinition(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<void> {
  await db.query({
    name: 'custom_field_definition_delete',
    text: `delete from custom_field_definitions where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
}

/**
 * Locks the definition, so that a change of its options or of a value and a change of the definition run one after the
 * other.
 */
export async function lockDefinition(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<FieldDefinition | null> {
  const { rows } = await db.query<FieldDefinition>({
    name: 'custom_field_definition_lock',
    text: `select ${columns} from custom_field_definitions where account_id = $1 and id = $2 for update`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/** Locks the definitions against changes until the transaction ends. Others who write values may share the lock. */
export async function lockDefinitionsForShare(
  db: Db,
  of: { readonly accountId: string; readonly entityType: FieldEntityType; readonly slugs: readonly string[] },
): Promise<readonly FieldDefinition[]> {
  const { rows } = await db.query<FieldDefinition>({
    name: 'custom_field_definitions_hold',
    text: `select ${columns} from custom_field_definitions
            where account_id = $1 and entity_type = $2 and api_slug = any($3::text[])
            order by id
              for share`,
    values: [of.accountId, of.entityType, of.slugs],
  })
  return rows
}

export async function lockDefinitionForShare(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<FieldDefinition | null> {
  const { rows } = await db.query<FieldDefinition>({
    name: 'custom_field_definition_hold',
    text: `select ${columns} from custom_field_definitions where account_id = $1 and id = $2 for share`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/** In no particular order. */
export async function findDefinitionsBySlug(
  db: Db,
  of: { readonly accountId: string; readonly entityType: FieldEntityType; readonly slugs: readonly string[] },
): Promise<readonly FieldDefinition[]> {
  const { rows } = await db.query<FieldDefinition>({
    name: 'custom_field_definitions_of_slugs',
    text: `select ${columns} from custom_field_definitions
            where account_id = $1 and entity_type = $2 and api_slug = any($3::text[])`,
    values: [of.accountId, of.entityType, of.slugs],
  })
  return rows
}

/** In no particular order. */
export async function findDefinitions(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly FieldDefinition[]> {
  const { rows } = await db.query<FieldDefinition>({
    name: 'custom_field_definitions_find',
    text: `select ${columns} from custom_field_definitions where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}

export interface DefinitionFilter {
  readonly entityType: FieldEntityType | null
  readonly dataType: FieldDataType | null
  /** The beginning of the name, in upper or lower case. */
  readonly displayName: string | null
}

const matching = `account_id = $1
  and ($2::text is null or entity_type = $2)
  and ($3::text is null or data_type = $3)
  and ($4::text is null or starts_with(lower(display_name), lower($4)))`

/** Newest first. */
export async function listDefinitions(
  db: Db,
  list: { readonly accountId: string; readonly filter: DefinitionFilter; readonly page: PageRequest },
): Promise<Page<FieldDefinition>> {
  const { entityType, dataType, displayName } = list.filter
  const values = [list.accountId, entityType, dataType, displayName]
  const { rows } = await db.query<FieldDefinition>({
    name: 'custom_field_definitions_list',
    text: `select ${columns} from custom_field_definitions where ${matching}
            order by created_at desc, id limit $5 offset $6`,
    values: [...values, ...boundsOf(list.page)],
  })
  const counted = await db.query<{ total: number }>({
    name: 'custom_field_definitions_count',
    text: `select count(*) as total from custom_field_definitions where ${matching}`,
    values,
  })
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** A pattern in a definition of any account, for the operator. */
export interface StoredPattern {
  readonly accountId: string
  readonly companyName: string
  readonly id: string
  readonly entityType: FieldEntityType
  readonly apiSlug: string
  readonly pattern: string
}

export async function listPatterns(db: Db): Promise<readonly StoredPattern[]> {
  const { rows } = await db.query<StoredPattern>({
    name: 'custom_field_patterns',
    text: `select d.account_id as "accountId", a.company_name as "companyName", d.id, d.entity_type as "entityType",
                  d.api_slug as "apiSlug", d.validation ->> 'pattern' as pattern
             from custom_field_definitions d join accounts a on a.id = d.account_id
            where d.validation ->> 'pattern' is not null
            order by a.company_name, d.account_id, d.entity_type, d.api_slug`,
  })
  return rows
}
