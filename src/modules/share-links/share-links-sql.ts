/** Share links: found by the HMAC of their token, and listed for those who made them. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { getJsonInstant, readJsonInstant } from '../../db/listing/json-instant.ts'
import { readListing, rowJson } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'
import { type Author, authorOf } from '../audit/author-sql.ts'

export interface ShareLink {
  readonly accountId: string
  readonly id: string
  readonly name: string
  /** Null for a link to a saved view, which then is not null. */
  readonly shipmentId: string | null
  readonly savedViewId: string | null
  readonly companyName: string | null
  readonly color: string | null
  readonly allowedOrigins: readonly string[]
  readonly expiresAt: string
  readonly openedCount: number
  readonly lastOpenedAt: string | null
  readonly createdBy: Author
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastChangedBy: LastChangedBy
}

const columns = `s.account_id as "accountId", s.id, s.name, s.shipment_id as "shipmentId",
  s.saved_view_id as "savedViewId", s.company_name as "companyName", s.color,
  s.allowed_origins as "allowedOrigins", s.expires_at as "expiresAt",
  s.opened_count::float8 as "openedCount", s.last_opened_at as "lastOpenedAt",
  ${authorOf({ account: 's.account_id', by: 's.created_by' })} as "createdBy",
  s.created_at as "createdAt", s.updated_at as "updatedAt", s.last_changed_by as "lastChangedBy"`

/** False when the account has as many as it may have. */
export async function insertShareLink(
  db: Db,
  link: ShareLink & { readonly tokenHmac: Buffer; readonly linksMax: number },
): Promise<boolean> {
  const { type, id } = link.createdBy
  const { rowCount } = await db.query({
    name: 'share_link_insert',
    text: `insert into share_links (account_id, id, token_hmac, name, shipment_id, saved_view_id, company_name, color,
                                    allowed_origins, expires_at, created_by, created_at, updated_at, last_changed_by)
           select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
            where (select count(*) from share_links where account_id = $1) < $15`,
    values: [
      link.accountId,
      link.id,
      link.tokenHmac,
      link.name,
      link.shipmentId,
      link.savedViewId,
      link.companyName,
      link.color,
      link.allowedOrigins,
      link.expiresAt,
      JSON.stringify({ type, id }),
      link.createdAt,
      link.updatedAt,
      JSON.stringify(link.lastChangedBy),
      link.linksMax,
    ],
  })
  return rowCount === 1
}

export async function updateShareLink(db: Db, link: ShareLink): Promise<void> {
  await db.query({
    name: 'share_link_update',
    text: `update share_links
              set name = $3, company_name = $4, color = $5, allowed_origins = $6, expires_at = $7, updated_at = $8,
                  last_changed_by = $9
            where account_id = $1 and id = $2`,
    values: [
      link.accountId,
      link.id,
      link.name,
      link.companyName,
      link.color,
      link.allowedOrigins,
      link.expiresAt,
      link.updatedAt,
      JSON.stringify(link.lastChangedBy),
    ],
  })
}

interface LinkKey {
  readonly accountId: string
  readonly id: string
}

export async function findShareLink(db: Db, key: LinkKey): Promise<ShareLink | null> {
  const { rows } = await db.query<ShareLink>({
    name: 'share_link_find',
    text: `select ${columns} from share_links s where s.account_id = $1 and s.id = $2`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/** Locked until the transaction ends; null when the account has none with that id. */
export async function lockShareLink(db: Db, key: LinkKey): Promise<ShareLink | null> {
  const { rows } = await db.query<ShareLink>({
    name: 'share_link_lock',
    text: `select ${columns} from share_links s where s.account_id = $1 and s.id = $2 for update of s`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

export async function deleteShareLink(db: Db, key: LinkKey): Promise<void> {
  await db.query({
    name: 'share_link_delete',
    text: `delete from share_links where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
}

/** Nobody sees through them what the view listed. A foreign key does it too, where the tables lie on one machine. */
export async function deleteShareLinksOfView(
  db: Db,
  of: { readonly accountId: string; readonly savedViewId: string },
): Promise<void> {
  await db.query({
    name: 'share_links_delete_of_view',
    text: `delete from share_links where account_id = $1 and saved_view_id = $2`,
    values: [of.accountId, of.savedViewId],
  })
}

/** What the public page needs of a link. */
export interface OpenedLink
  extends Pick<
    ShareLink,
    | 'accountId'
    | 'id'
    | 'shipmentId'
    | 'savedViewId'
    | 'companyName'
    | 'color'
    | 'allowedOrigins'
    | 'expiresAt'
    | 'updatedAt'
  > {
  readonly isSandbox: boolean
}

/** Null when it is withdrawn, has expired or never was. It does not name an account, because it finds out which it is. */
export async function findOpenLink(
  db: Db,
  of: { readonly tokenHmac: Buffer; readonly now: string },
): Promise<OpenedLink | null> {
  const { rows } = await db.query<OpenedLink>({
    name: 'share_link_by_token',
    text: `select s.account_id as "accountId", s.id, s.shipment_id as "shipmentId", s.saved_view_id as "savedViewId",
                  s.company_name as "companyName", s.color, s.allowed_origins as "allowedOrigins",
                  s.expires_at as "expiresAt", s.updated_at as "updatedAt", a.is_fiction as "isSandbox"
             from share_links s join accounts a on a.id = s.account_id
            where s.token_hmac = $1 and s.expires_at > $2`,
    values: [of.tokenHmac, of.now],
  })
  return rows[0] ?? null
}

/** Adds what one process has counted since it last wrote. */
export async function addOpenings(
  db: Db,
  of: LinkKey & { readonly count: number; readonly at: string },
): Promise<void> {
  await db.query({
    name: 'share_link_opened',
    text: `update share_links
              set opened_count = opened_count + $3, last_opened_at = greatest(last_opened_at, $4::timestamptz)
            where account_id = $1 and id = $2`,
    values: [of.accountId, of.id, of.count, of.at],
  })
}

export interface ShareLinkFilter {
  readonly shipmentId: string | null
  readonly savedViewId: string | null
}

/** Newest first. */
export async function listShareLinks(
  db: Db,
  of: { readonly accountId: string; readonly filter: ShareLinkFilter; readonly page: PageRequest },
): Promise<Page<ShareLink>> {
  const conditions = makeConditions('s', of.accountId)
  conditions.add(sql`s.shipment_id = ${of.filter.shipmentId}`)
  conditions.add(sql`s.saved_view_id = ${of.filter.savedViewId}`)
  const { rows, ...rest } = await readListing<ShareLink>(db, {
    table: 'share_links',
    alias: 's',
    select: rowJson(columns),
    joins: '',
    sort: { column: 'created_at', type: 'timestamptz' },
    isDescending: true,
    conditions,
    page: of.page,
    isCounted: true,
  })
  return { rows: rows.map(readJsonRow), ...rest }
}

function readJsonRow(row: ShareLink): ShareLink {
  return {
    ...row,
    expiresAt: getJsonInstant(row.expiresAt),
    lastOpenedAt: readJsonInstant(row.lastOpenedAt),
    createdAt: getJsonInstant(row.createdAt),
    updatedAt: getJsonInstant(row.updatedAt),
  }
}
