/**
 * Roles of parties. The customer that a request named is one of them. It has no row of its own, so that there is one
 * place that says who it is, and cannot be removed alone.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'
import type { PartyRecordType, PartyRoleName } from '../../domain/values/party-role.ts'
import { copyRolesToShipment } from '../../pipeline/projection/tracking-requests-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5, uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import {
  deletePartyRole,
  findMissingParty,
  findPartyRoles,
  findRoleRecord,
  insertPartyRole,
  lockRequest,
  type PartyRole,
  type RoleRecord,
} from './party-roles-sql.ts'

const rolesMax = 100

/** The record that has the roles. */
interface OfRecord {
  readonly record: { readonly type: PartyRecordType; readonly id: string }
}

/** The customer first, then in the order in which they were added. */
export async function listPartyRoles(
  service: Service,
  context: Context,
  { record, page }: OfRecord & { readonly page: PageRequest },
): Promise<Page<PartyRole>> {
  const found = await requireRoleRecord(service, context, { record })
  const roles = await rolesOfRecords(service, context, { type: record.type, records: [found] })
  const [size, start] = boundsOf(page)
  return { rows: roles.slice(start, start + size), total: roles.length }
}

/** The same of several records of the account. */
export async function rolesOfRecords(
  service: Service,
  context: Context,
  of: {
    readonly type: PartyRecordType
    readonly records: readonly Pick<RoleRecord, 'id' | 'customerId' | 'createdAt'>[]
  },
): Promise<readonly PartyRole[]> {
  requireScope(context, 'read')
  const accountId = context.account.id
  const customers = of.records.flatMap(({ id, customerId, createdAt }): PartyRole | readonly [] =>
    customerId === null
      ? []
      : {
          accountId,
          id: customerRoleId(id),
          recordType: of.type,
          recordId: id,
          role: 'customer',
          partyId: customerId,
          createdAt,
        },
  )
  const recordIds = of.records.map(({ id }) => id)
  return [...customers, ...(await findPartyRoles(service.pool, { accountId, recordIds }))]
}

/** A role of a request goes to its shipment too: at once, or when it comes. */
export async function addPartyRole(
  service: Service,
  context: Context,
  { record, role, partyId }: OfRecord & { readonly role: PartyRoleName; readonly partyId: string },
): Promise<PartyRole> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const added: PartyRole = {
    accountId,
    id: uuidV7(service.clock.now()),
    recordType: record.type,
    recordId: record.id,
    role,
    partyId,
    createdAt: realNow(service),
  }
  return inTransaction(service.pool, async (db) => {
    if (record.type === 'tracking_request') await lockRequest(db, { accountId, id: record.id })
    const { customerId, shipmentId } = await readRecord(db, context, record)
    if ((await findMissingParty(db, { accountId, wanted: [added] })) !== undefined)
      throw new ServiceError('not_found', 'No such party.', {
        source: { pointer: '/data/relationships/party/data/id' },
      })
    if ((await findPartyRoles(db, { accountId, recordIds: [record.id] })).length >= rolesMax)
      throw refusedAt('/data', `A ${nameOf(record)} has at most ${rolesMax} roles. Remove one first.`)
    if ((role === 'customer' && customerId === partyId) || !(await insertPartyRole(db, added)))
      throw new ServiceError('duplicate', 'The party has this role already.', {
        source: { pointer: '/data/relationships/party/data/id' },
      })
    if (shipmentId !== null)
      await copyRolesToShipment(db, { accountId, trackingRequestId: record.id, shipmentId, roleId: added.id })
    await recordRoleChange(db, service, context, { action: 'party_role.created', before: null, after: added })
    return added
  })
}

/** The party stays, and so does the same role of other records. */
export async function removePartyRole(
  service: Service,
  context: Context,
  { record, id }: OfRecord & { readonly id: string },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const { customerId } = await readRecord(db, context, record)
    if (customerId !== null && id === customerRoleId(record.id))
      throw new ServiceError('conflict', 'A tracking request named this customer. The role cannot be removed.')
    const removed = await deletePartyRole(db, { accountId: context.account.id, recordId: record.id, id })
    if (removed === null) throw notFound('party role')
    await recordRoleChange(db, service, context, { action: 'party_role.deleted', before: removed, after: null })
  })
}

/** Refuses (not found) a record that the account does not have. */
export async function requireRoleRecord(service: Service, context: Context, { record }: OfRecord): Promise<RoleRecord> {
  requireScope(context, 'read')
  return readRecord(service.pool, context, record)
}

async function readRecord(db: Db, context: Context, record: OfRecord['record']): Promise<RoleRecord> {
  const found = await findRoleRecord(db, { ...record, accountId: context.account.id })
  if (found === null) throw notFound(nameOf(record))
  return found
}

async function recordRoleChange(
  db: Db,
  service: Service,
  context: Context,
  of: { readonly action: string; readonly before: PartyRole | null; readonly after: PartyRole | null },
): Promise<void> {
  const { action, before, after } = of
  const diff = diffOf(before, after, ['recordType', 'recordId', 'role', 'partyId'])
  const id = (after ?? before)?.id ?? null
  await recordChange(db, service, context, { action, target: { type: 'party_role', id }, diff })
}

function customerRoleId(recordId: string): string {
  return uuidV5(LANDFALL_NAMESPACE, `party_role:${recordId}:customer`)
}

function nameOf({ type }: OfRecord['record']): string {
  return type.replace('_', ' ')
}
