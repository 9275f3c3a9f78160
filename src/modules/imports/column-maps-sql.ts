/** Column maps: how an account's own tables are read, by name. */

import type { Db } from '../../db/database.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'

export interface SavedMap {
  readonly accountId: string
  readonly id: string
  readonly name: string
  /** As it was sent. */
  readonly map: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastChangedBy: LastChangedBy
}

const columns = `account_id as "accountId", id, name, map, created_at as "createdAt", updated_at as "updatedAt",
  last_changed_by as "lastChangedBy"`

export async function findColumnMap(
  db: Db,
  key: { readonly accountId: string; readonly name: string },
): Promise<SavedMap | null> {
  const { rows } = await db.query<SavedMap>({
    name: 'column_map_find',
    text: `select ${columns} from column_maps where account_id = $1 and name = $2`,
    values: [key.accountId, key.name],
  })
  return rows[0] ?? null
}

/** In the order of their names. */
export async function listColumnMaps(db: Db, accountId: string): Promise<readonly SavedMap[]> {
  const { rows } = await db.query<SavedMap>({
    name: 'column_maps_list',
    text: `select ${columns} from column_maps where account_id = $1 order by name collate "C"`,
    values: [accountId],
  })
  return rows
}

/** Makes the map or overwrites it. An overwritten map keeps its id and the time when it was made. */
export async function putColumnMap(db: Db, map: SavedMap): Promise<void> {
  await db.query({
    name: 'column_map_put',
    text: `insert into column_maps (account_id, id, name, map, created_at, updated_at, last_changed_by)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (account_id, name)
           do update set map = excluded.map, updated_at = excluded.updated_at, last_changed_by = excluded.last_changed_by`,
    values: [
      map.accountId,
      map.id,
      map.name,
      JSON.stringify(map.map),
      map.createdAt,
      map.updatedAt,
      JSON.stringify(map.lastChangedBy),
    ],
  })
}

export async function deleteColumnMap(db: Db, key: { readonly accountId: string; readonly id: string }): Promise<void> {
  await db.query({
    name: 'column_map_delete',
    text: `delete from column_maps where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
}
