/** Values of custom fields as the APIs read them: with their definition, the labels of its options, and names. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { readJsonRow } from '../../db/listing/json-instant.ts'
import { readListing, readOrder, rowJson, type SortColumn } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import type {
  FieldDataType,
  FieldEntityType,
  FieldReferenceType,
  FieldValue,
} from '../../domain/values/custom-field.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'

export interface CustomFieldReading {
  readonly type: 'custom_field'
  readonly id: string
  readonly definitionId: string
  readonly entityType: FieldEntityType
  readonly entityId: string
  readonly apiSlug: string
  readonly dataType: FieldDataType
  readonly referenceType: FieldReferenceType | null
  readonly defaultFormat: string | null
  readonly value: FieldValue
  /** Labels by the value of the option. */
  readonly labels: Readonly<Record<string, string>> | null
  readonly referenceName: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastChangedBy: LastChangedBy
}

const columns = `'custom_field' as type, f.id, f.definition_id as "definitionId", d.entity_type as "entityType",
  f.entity_id as "entityId", d.api_slug as "apiSlug", d.data_type as "dataType",
  d.reference_type as "referenceType", d.default_format as "defaultFormat", f.value,
  case when d.data_type in ('enum', 'enum_multi') then
    (select jsonb_object_agg(o.value, o.label) from custom_field_options o
      where o.account_id = $1 and o.definition_id = f.definition_id) end as labels,
  case d.reference_type
    when 'Party' then (select p.company_name from parties p
                        where p.account_id = $1 and p.id = (f.value #>> '{}')::uuid)
    when 'Shipment' then (select s.bill_of_lading_number from shipments s
                           where s.account_id = $1 and s.id = (f.value #>> '{}')::uuid)
    when 'Container' then (select c.number from containers c
                            where c.account_id = $1 and c.id = (f.value #>> '{}')::uuid)
    when 'TrackingRequest' then (select r.request_number from tracking_requests r
                                  where r.account_id = $1 and r.id = (f.value #>> '{}')::uuid)
  end as "referenceName",
  f.created_at as "createdAt", f.updated_at as "updatedAt", f.last_changed_by as "lastChangedBy"`

const definition = `join custom_field_definitions d on d.account_id = $1 and d.id = f.definition_id`
const joined = `custom_fields f ${definition}`

/** In no particular order. */
export async function readCustomFields(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly CustomFieldReading[]> {
  const { rows } = await db.query<CustomFieldReading>({
    name: 'read_custom_fields',
    text: `select ${columns} from ${joined} where f.account_id = $1 and f.id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}

/** The fields of all these entities, by slug. */
export async function readCustomFieldsOf(
  db: Db,
  of: { readonly accountId: string; readonly entityIds: readonly string[] },
): Promise<readonly CustomFieldReading[]> {
  const { rows } = await db.query<CustomFieldReading>({
    name: 'read_custom_fields_of',
    text: `select ${columns} from ${joined} where f.account_id = $1 and f.entity_id = any($2::uuid[])
            order by d.api_slug, f.id`,
    values: [of.accountId, of.entityIds],
  })
  return rows
}

/** Up to `max` fields of each definition, newest first. */
export async function readNewestCustomFields(
  db: Db,
  of: { readonly accountId: string; readonly definitionIds: readonly string[]; readonly max: number },
): Promise<readonly CustomFieldReading[]> {
  const { rows } = await db.query<CustomFieldReading>({
    name: 'read_newest_custom_fields',
    text: `select ${columns}
             from custom_field_definitions d
             cross join lateral (
               select * from custom_fields v where v.account_id = $1 and v.definition_id = d.id
                order by v.created_at desc, v.id limit $3) as f
            where d.account_id = $1 and d.id = any($2::uuid[])
            order by f.definition_id, f.created_at desc, f.id`,
    values: [of.accountId, of.definitionIds, of.max],
  })
  return rows
}

export interface CustomFieldFilter {
  readonly entityType: FieldEntityType | null
  readonly entityId: string | null
  readonly definitionId: string | null
}

/** What the list can be sorted by. */
const fieldSorts = {
  created_at: { column: 'created_at', type: 'timestamptz' },
} as const satisfies Readonly<Record<string, SortColumn>>
export type CustomFieldOrder = 'created_at' | '-created_at'

export async function listCustomFieldRows(
  db: Db,
  list: {
    readonly accountId: string
    readonly filter: CustomFieldFilter
    readonly order: CustomFieldOrder
    readonly page: PageRequest
  },
): Promise<Page<CustomFieldReading>> {
  const { filter, order, page } = list
  const conditions = makeConditions('f', list.accountId)
  conditions.add(sql`f.definition_id in (
    select o.id from custom_field_definitions o where o.account_id = $1 and o.entity_type = ${filter.entityType})`)
  conditions.add(sql`f.entity_id = ${filter.entityId}`)
  conditions.add(sql`f.definition_id = ${filter.definitionId}`)
  const { rows, ...rest } = await readListing<CustomFieldReading>(db, {
    table: 'custom_fields',
    alias: 'f',
    select: rowJson(columns),
    joins: definition,
    ...readOrder(fieldSorts, order),
    conditions,
    page,
    isCounted: true,
  })
  return { rows: rows.map(readJsonRow), ...rest }
}
