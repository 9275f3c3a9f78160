/** The roles of parties on shipments, containers and tracking requests. */

import type { Db } from '../../db/database.ts'
import type { PartyRecordType, PartyRoleName } from '../../domain/values/party-role.ts'

export interface PartyRole {
  readonly accountId: string
  readonly id: string
  readonly recordType: PartyRecordType
  readonly recordId: string
  readonly role: PartyRoleName
  readonly partyId: string
  readonly createdAt: string
}

export interface RecordKey {
  readonly accountId: string
  readonly type: PartyRecordType
  readonly id: string
}

/** What of a record matters for its roles. */
export interface RoleRecord {
  readonly id: string
  /** The customer that a request named. */
  readonly customerId: string | null
  /** Of a request that has one: the shipment gets its roles. */
  readonly shipmentId: string | null
  readonly createdAt: string
}

/** Null when the account has no such record. */
export async function findRoleRecord(db: Db, { accountId, type, id }: RecordKey): Promise<RoleRecord | null> {
  const { rows } = await db.query<RoleRecord>({
    name: 'party_role_record',
    text: `select id, customer_id as "customerId", null::uuid as "shipmentId", created_at as "createdAt"
             from shipments where account_id = $1 and id = $2 and $3 = 'shipment'
           union all
           select id, null, null, created_at from containers where account_id = $1 and id = $2 and $3 = 'container'
           union all
           select id, customer_id, shipment_id, created_at
             from tracking_requests where account_id = $1 and id = $2 and $3 = 'tracking_request'`,
    values: [accountId, id, type],
  })
  return rows[0] ?? null
}

/** Until the transaction ends, the request gets no shipment. */
export async function lockRequest(db: Db, { accountId, id }: Omit<RecordKey, 'type'>): Promise<void> {
  await db.query({
    name: 'party_role_request_lock',
    text: 'select from tracking_requests where account_id = $1 and id = $2 for share',
    values: [accountId, id],
  })
}

const columns = `account_id as "accountId", id, record_type as "recordType", record_id as "recordId", role,
  party_id as "partyId", created_at as "createdAt"`

/** In the order in which they were added. */
export async function findPartyRoles(
  db: Db,
  of: { readonly accountId: string; readonly recordIds: readonly string[] },
): Promise<readonly PartyRole[]> {
  const { rows } = await db.query<PartyRole>({
    name: 'party_roles_find',
    text: `select ${columns} from party_roles where account_id = $1 and record_id = any($2::uuid[])
            order by created_at, id`,
    values: [of.accountId, of.recordIds],
  })
  return rows
}

/** Returns false when the party has this role already. */
export async function insertPartyRole(db: Db, role: PartyRole): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'party_role_insert',
    text: `insert into party_roles (account_id, id, record_type, record_id, role, party_id, created_at)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (account_id, record_id, role, party_id) do nothing`,
    values: [role.accountId, role.id, role.recordType, role.recordId, role.role, role.partyId, role.createdAt],
  })
  return rowCount === 1
}

/** Returns the role as it was; null when the record has none of this id. */
export async function deletePartyRole(
  db: Db,
  key: { readonly accountId: string; readonly recordId: string; readonly id: string },
): Promise<PartyRole | null> {
  const { rows } = await db.query<PartyRole>({
    name: 'party_role_delete',
    text: `delete from party_roles where account_id = $1 and record_id = $2 and id = $3 returning ${columns}`,
    values: [key.accountId, key.recordId, key.id],
  })
  return rows[0] ?? null
}

/** The first of these parties that the account does not have; undefined when it has all. */
export async function findMissingParty<Wanted extends { readonly partyId: string }>(
  db: Db,
  of: { readonly accountId: string; readonly wanted: readonly Wanted[] },
): Promise<Wanted | undefined> {
  if (of.wanted.length === 0) return undefined
  const { rows } = await db.query<{ id: string }>({
    name: 'party_role_parties',
    text: 'select id from parties where account_id = $1 and id = any($2::uuid[])',
    values: [of.accountId, of.wanted.map(({ partyId }) => partyId)],
  })
  return of.wanted.find(({ partyId }) => !rows.some(({ id }) => id === partyId))
}
