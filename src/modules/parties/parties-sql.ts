/** Parties: the companies for which an account tracks. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { readJsonRow } from '../../db/listing/json-instant.ts'
import { readListing, readOrder, rowJson, type SortColumn } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'

export interface Party {
  readonly accountId: string
  readonly id: string
  readonly companyName: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastChangedBy: LastChangedBy
}

const columns = `account_id as "accountId", id, company_name as "companyName", created_at as "createdAt",
  updated_at as "updatedAt", last_changed_by as "lastChangedBy"`

export async function insertParty(db: Db, party: Party): Promise<void> {
  await db.query({
    name: 'party_insert',
    text: `insert into parties (account_id, id, company_name, created_at, updated_at, last_changed_by)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [
      party.accountId,
      party.id,
      party.companyName,
      party.createdAt,
      party.updatedAt,
      JSON.stringify(party.lastChangedBy),
    ],
  })
}

export async function updateParty(db: Db, party: Party): Promise<void> {
  await db.query({
    name: 'party_update',
    text: `update parties set company_name = $3, updated_at = $4, last_changed_by = $5
            where account_id = $1 and id = $2`,
    values: [party.accountId, party.id, party.companyName, party.updatedAt, JSON.stringify(party.lastChangedBy)],
  })
}

/** The party, locked until the transaction ends; null when the account has none with that id. */
export async function lockParty(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<Party | null> {
  const { rows } = await db.query<Party>({
    name: 'party_lock',
    text: `select ${columns} from parties where account_id = $1 and id = $2 for update`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

/** In no particular order. */
export async function findParties(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly Party[]> {
  const { rows } = await db.query<Party>({
    name: 'parties_find',
    text: `select ${columns} from parties where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}

/** What the list can be sorted by. */
const partySorts = {
  created_at: { column: 'created_at', type: 'timestamptz' },
} as const satisfies Readonly<Record<string, SortColumn>>
export type PartyOrder = 'created_at' | '-created_at'

export interface PartyFilter {
  /** The beginning of the company's name, in upper or lower case; null for any. */
  readonly companyName: string | null
  /** A part of the company's name, in upper or lower case; null for any. */
  readonly namePart: string | null
}

export async function listParties(
  db: Db,
  list: {
    readonly accountId: string
    readonly filter: PartyFilter
    readonly order: PartyOrder
    readonly page: PageRequest
  },
): Promise<Page<Party>> {
  const { filter, order, page } = list
  const conditions = makeConditions('p', list.accountId)
  // Both bounds, up to the greatest character, are read from the index alone (migration 0123): `starts_with` would be
  // evaluated for each row that is counted.
  conditions.add(sql`lower(p.company_name) ~>=~ lower(${filter.companyName})`)
  conditions.add(sql`lower(p.company_name) ~<=~ (lower(${filter.companyName}) || chr(1114111))`)
  conditions.add(sql`strpos(lower(p.company_name), lower(${filter.namePart})) > 0`)
  const { rows, ...rest } = await readListing<Party>(db, {
    table: 'parties',
    alias: 'p',
    select: rowJson(columns),
    joins: '',
    ...readOrder(partySorts, order),
    conditions,
    page,
    isCounted: true,
  })
  return { rows: rows.map(readJsonRow), ...rest }
}
