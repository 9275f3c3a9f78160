/** Options of `enum` and `enum_multi` fields, in the order that their owner gave them. */

import type { Db } from '../../db/database.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'

export interface FieldOption {
  readonly accountId: string
  readonly id: string
  readonly definitionId: string
  readonly label: string
  /** What is stored in values of the field. */
  readonly value: string
  readonly position: number | null
  readonly createdAt: string
  readonly updatedAt: string
}

const columns = `account_id as "accountId", id, definition_id as "definitionId", label, value, position,
  created_at as "createdAt", updated_at as "updatedAt"`
const inOrder = `position nulls last, created_at, id`

/** Returns false when the field has an option with that value. */
export async function insertOption(db: Db, option: FieldOption): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'custom_field_option_insert',
    text: `insert into custom_field_options
             (account_id, id, definition_id, label, value, position, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (account_id, definition_id, value) do nothing`,
    values: [
      option.accountId,
      option.id,
      option.definitionId,
      option.label,
      option.value,
      option.position,
      option.createdAt,
      option.updatedAt,
    ],
  })
  return rowCount === 1
}

/** The caller has locked the definition and checked that no other option has this value. */
export async function updateOption(db: Db, option: FieldOption): Promise<void> {
  await db.query({
    name: 'custom_field_option_update',
    text: `update custom_field_options set label = $3, value = $4, position = $5, updated_at = $6
            where account_id = $1 and id = $2`,
    values: [option.accountId, option.id, option.label, option.value, option.position, option.updatedAt],
  })
}

export async function deleteOption(db: Db, key: { readonly accountId: string; readonly id: string }): Promise<void> {
  await db.query({
    name: 'custom_field_option_delete',
    text: `delete from custom_field_options where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
}

/** The options of all these definitions, those of each one in order. */
export async function optionsOf(
  db: Db,
  of: { readonly accountId: string; readonly definitionIds: readonly string[] },
): Promise<readonly FieldOption[]> {
  const { rows } = await db.query<FieldOption>({
    name: 'custom_field_options_of',
    text: `select ${columns} from custom_field_options where account_id = $1 and definition_id = any($2::uuid[])
            order by definition_id, ${inOrder}`,
    values: [of.accountId, of.definitionIds],
  })
  return rows
}

export async function listOptions(
  db: Db,
  list: { readonly accountId: string; readonly definitionId: string; readonly page: PageRequest },
): Promise<Page<FieldOption>> {
  const { rows } = await db.query<FieldOption>({
    name: 'custom_field_options_list',
    text: `select ${columns} from custom_field_options where account_id = $1 and definition_id = $2
            order by ${inOrder} limit $3 offset $4`,
    values: [list.accountId, list.definitionId, ...boundsOf(list.page)],
  })
  const counted = await db.query<{ total: number }>({
    name: 'custom_field_options_count',
    text: `select count(*) as total from custom_field_options where account_id = $1 and definition_id = $2`,
    values: [list.accountId, list.definitionId],
  })
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** How many values have this option, including values that wait for a shipment or container. */
export async function countUses(
  db: Db,
  of: { readonly accountId: string; readonly definitionId: string; readonly value: string },
): Promise<number> {
  const { rows } = await db.query<{ uses: number }>({
    name: 'custom_field_option_uses',
    // In jsonb, `@>` is true for a text and itself, and for a list and its members.
    text: `select (select count(*) from custom_fields
                    where account_id = $1 and definition_id = $2 and value @> to_jsonb($3::text))
                + (select count(*) from initial_custom_fields
                    where account_id = $1 and definition_id = $2 and value @> to_jsonb($3::text)) as uses`,
    values: [of.accountId, of.definitionId, of.value],
  })
  return rows[0]?.uses ?? 0
}
