/** Saved views: a name for a list of shipments or containers with its filters, order and columns. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { readJsonRow } from '../../db/listing/json-instant.ts'
import { readListing, readOrder, rowJson, type SortColumn } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'
import { type Author, authorOf } from '../audit/author-sql.ts'

export const viewedLists = ['shipments', 'containers'] as const
export type ViewedList = (typeof viewedLists)[number]

export interface SavedView {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly list: ViewedList
  /** Parameters of the list by their names, as they are in an address. */
  readonly query: Readonly<Record<string, string>>
  readonly columns: readonly string[]
  /** The person who alone sees it; null when everybody in the account does. */
  readonly ownerId: string | null
  readonly createdBy: Author
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastChangedBy: LastChangedBy
}

const columns = `v.account_id as "accountId", v.id, v.name, v.list, v.query, v.columns, v.owner_id as "ownerId",
  ${authorOf({ account: 'v.account_id', by: 'v.created_by' })} as "createdBy",
  v.created_at as "createdAt", v.updated_at as "updatedAt", v.last_changed_by as "lastChangedBy"`

/** False when the account has as many views of this kind (shared, or of this person) as it may have. */
export async function insertSavedView(db: Db, view: SavedView, viewsMax: number): Promise<boolean> {
  const { type, id } = view.createdBy
  const { rowCount } = await db.query({
    name: 'saved_view_insert',
    text: `insert into saved_views (account_id, id, name, list, query, columns, owner_id, created_by, created_at,
                                    updated_at, last_changed_by)
           select $1, $2, $3, $4, $5, $6, $7::uuid, $8, $9, $10, $11
            where (select count(*) from saved_views
                    where account_id = $1 and owner_id is not distinct from $7::uuid) < $12`,
    values: [
      view.accountId,
      view.id,
      view.name,
      view.list,
      JSON.stringify(view.query),
      view.columns,
      view.ownerId,
      JSON.stringify({ type, id }),
      view.createdAt,
      view.updatedAt,
      JSON.stringify(view.lastChangedBy),
      viewsMax,
    ],
  })
  return rowCount === 1
}

export async function updateSavedView(db: Db, view: SavedView): Promise<void> {
  await db.query({
    name: 'saved_view_update',
    text: `update saved_views
              set name = $3, query = $4, columns = $5, owner_id = $6, updated_at = $7, last_changed_by = $8
            where account_id = $1 and id = $2`,
    values: [
      view.accountId,
      view.id,
      view.name,
      JSON.stringify(view.query),
      view.columns,
      view.ownerId,
      view.updatedAt,
      JSON.stringify(view.lastChangedBy),
    ],
  })
}

/** Whose views are read: those of the whole account, and those of this person (null: of no person). */
interface Viewer {
  readonly accountId: string
  readonly userId: string | null
}

/** In no particular order. */
export async function findSavedViews(
  db: Db,
  of: Viewer & { readonly ids: readonly string[] },
): Promise<readonly SavedView[]> {
  const { rows } = await db.query<SavedView>({
    name: 'saved_views_find',
    text: `select ${columns} from saved_views v
            where v.account_id = $1 and v.id = any($2::uuid[]) and (v.owner_id is null or v.owner_id = $3)`,
    values: [of.accountId, of.ids, of.userId],
  })
  return rows
}

/** Whoever sees it, for a link to it; null when the account has none with this id. */
export async function findSavedView(
  db: Db,
  of: { readonly accountId: string; readonly id: string },
): Promise<SavedView | null> {
  const { rows } = await db.query<SavedView>({
    name: 'saved_view_find',
    text: `select ${columns} from saved_views v where v.account_id = $1 and v.id = $2`,
    values: [of.accountId, of.id],
  })
  return rows[0] ?? null
}

/** Locked until the transaction ends; null when the person sees no view with that id. */
export async function lockSavedView(db: Db, of: Viewer & { readonly id: string }): Promise<SavedView | null> {
  const { rows } = await db.query<SavedView>({
    name: 'saved_view_lock',
    text: `select ${columns} from saved_views v
            where v.account_id = $1 and v.id = $2 and (v.owner_id is null or v.owner_id = $3) for update of v`,
    values: [of.accountId, of.id, of.userId],
  })
  return rows[0] ?? null
}

export async function deleteSavedView(db: Db, of: { readonly accountId: string; readonly id: string }): Promise<void> {
  await db.query({
    name: 'saved_view_delete',
    text: `delete from saved_views where account_id = $1 and id = $2`,
    values: [of.accountId, of.id],
  })
}

const savedViewSorts = {
  name: { column: 'name', type: 'text' },
  created_at: { column: 'created_at', type: 'timestamptz' },
} as const satisfies Readonly<Record<string, SortColumn>>
export const savedViewOrders = ['name', '-name', '-created_at', 'created_at'] as const
export type SavedViewOrder = (typeof savedViewOrders)[number]

export interface SavedViewFilter {
  readonly list: ViewedList | null
}

export async function listSavedViews(
  db: Db,
  of: Viewer & {
    readonly filter: SavedViewFilter
    readonly order: SavedViewOrder
    readonly page: PageRequest
  },
): Promise<Page<SavedView>> {
  const conditions = makeConditions('v', of.accountId)
  conditions.add(sql`v.list = ${of.filter.list}`)
  if (of.userId === null) conditions.addText('v.owner_id is null')
  else conditions.add(sql`(v.owner_id is null or v.owner_id = ${of.userId})`)
  const { rows, ...rest } = await readListing<SavedView>(db, {
    table: 'saved_views',
    alias: 'v',
    select: rowJson(columns),
    joins: '',
    ...readOrder(savedViewSorts, of.order),
    conditions,
    page: of.page,
    isCounted: true,
  })
  return { rows: rows.map(readJsonRow), ...rest }
}
