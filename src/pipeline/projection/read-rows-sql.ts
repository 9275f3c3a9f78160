/**
 * Reads all that belongs to the shipments and requests of a state, without locks: whoever changes it has locked one of
 * them.
 */

import type { Db } from '../../db/database.ts'
import type { Observation, Source } from '../../domain/statements/observation.ts'
import type { RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { ActiveTransportEvent, ClaimsById, WrittenClaim } from './journey-state-sql.ts'
import { isUniqueByNumberSql } from './live-statuses-sql.ts'
import type { ContainerRow } from './shipments-sql.ts'
import { requestColumns, type TrackingRequestRow } from './tracking-requests-sql.ts'

export interface PolledNumber {
  readonly scac: string
  readonly requestType: RequestType
  readonly number: string
}

interface ShipmentsQuery {
  readonly accountId: string
  readonly shipmentIds: readonly string[]
}

/** The requests of these shipments and the live requests of these numbers, without those that are locked already. */
export async function otherRequests(
  db: Db,
  of: ShipmentsQuery & { readonly numbers: readonly PolledNumber[]; readonly locked: readonly string[] },
): Promise<readonly TrackingRequestRow[]> {
  if (of.shipmentIds.length === 0 && of.numbers.length === 0) return []
  const { rows } = await db.query<TrackingRequestRow>({
    name: 'state_other_requests',
    text: `select ${requestColumns} from tracking_requests
            where account_id = $1 and id <> all($3::uuid[]) and id in (
                    select id from tracking_requests where account_id = $1 and shipment_id = any($2::uuid[])
                    union
                    select r.id from unnest($4::text[], $5::text[], $6::text[]) as k (scac, type, number)
                      join tracking_requests r
                        on r.account_id = $1 and r.scac = k.scac and r.request_type = k.type and r.number = k.number
                       and ${isUniqueByNumberSql('r')})
            order by created_at, id`,
    values: [
      of.accountId,
      of.shipmentIds,
      of.locked,
      of.numbers.map(({ scac }) => scac),
      of.numbers.map(({ requestType }) => requestType),
      of.numbers.map(({ number }) => number),
    ],
  })
  return rows
}

export async function containersByShipment(
  db: Db,
  of: ShipmentsQuery,
): Promise<ReadonlyMap<string, readonly ContainerRow[]>> {
  if (of.shipmentIds.length === 0) return new Map()
  const { rows } = await db.query<ContainerRow & { readonly shipmentId: string }>({
    name: 'state_containers',
    text: `select shipment_id as "shipmentId", id, number, trip, ref_numbers as "refNumbers", projection,
                  created_at as "createdAt", updated_at as "updatedAt"
             from containers where account_id = $1 and shipment_id = any($2::uuid[]) order by number, trip`,
    values: [of.accountId, of.shipmentIds],
  })
  return byShipment(rows)
}

/** In the order in which they were published. When two are under one key, a correction replaces the later one. */
export async function activeEventsByShipment(
  db: Db,
  of: ShipmentsQuery,
): Promise<ReadonlyMap<string, readonly ActiveTransportEvent[]>> {
  if (of.shipmentIds.length === 0) return new Map()
  const { rows } = await db.query<ActiveTransportEvent & { readonly shipmentId: string }>({
    name: 'state_standing',
    text: `select shipment_id as "shipmentId", id, container_id as "containerId", event, call_key as "callKey"
             from transport_events
            where account_id = $1 and shipment_id = any($2::uuid[]) and invalidated_at is null
              and call_key is not null
            order by created_at, id`,
    values: [of.accountId, of.shipmentIds],
  })
  return byShipment(rows)
}

function byShipment<Row extends { readonly shipmentId: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Omit<Row, 'shipmentId'>[]> {
  const groups = new Map<string, Omit<Row, 'shipmentId'>[]>()
  for (const { shipmentId, ...row } of rows) {
    const group = groups.get(shipmentId)
    if (group === undefined) groups.set(shipmentId, [row])
    else group.push(row)
  }
  return groups
}

type ClaimRow = Omit<WrittenClaim, 'source' | 'standsAt' | 'retiredAt'> & {
  readonly sourceKind: Source['kind']
  readonly sourceCode: string
  readonly observation: Observation
  /** Null: since it was recorded. */
  readonly standsAt: string | null
}

const claimColumns = `id, subject_id as "subjectId", shipment_id as "shipmentId", source_kind as "sourceKind",
  source_code as "sourceCode", observation, first_snapshot_id as "firstSnapshotId",
  gone_snapshot_id as "goneSnapshotId", reader, read_at as "readAt", recorded_at as "recordedAt",
  stands_at as "standsAt", hand, delivery_key as "deliveryKey", missing_since as "missingSince"`

/** The active claims of each of the poll targets. */
export async function findClaimsByTarget(
  db: Db,
  of: { readonly accountId: string; readonly subjectIds: readonly string[] },
): Promise<ReadonlyMap<string, ClaimsById>> {
  if (of.subjectIds.length === 0) return new Map()
  const { rows } = await db.query<ClaimRow>({
    name: 'state_claims_of_subjects',
    text: `select ${claimColumns} from claims
            where account_id = $1 and subject_id = any($2::uuid[]) and shipment_id is null and retired_at is null`,
    values: [of.accountId, of.subjectIds],
  })
  return groupClaimsById(rows, of.subjectIds, ({ subjectId }) => subjectId)
}

/** The active claims, by poll target and by shipment. */
export async function findActiveClaims(
  db: Db,
  of: ShipmentsQuery & { readonly subjectIds: readonly string[] },
): Promise<{
  readonly byTarget: ReadonlyMap<string, ClaimsById>
  readonly byShipment: ReadonlyMap<string, ClaimsById>
}> {
  if (of.subjectIds.length === 0 && of.shipmentIds.length === 0) return { byTarget: new Map(), byShipment: new Map() }
  const { rows } = await db.query<ClaimRow>({
    name: 'state_claims',
    text: `select ${claimColumns} from claims
            where account_id = $1 and subject_id = any($2::uuid[]) and shipment_id is null and retired_at is null
           union all
           select ${claimColumns} from claims
            where account_id = $1 and shipment_id = any($3::uuid[]) and retired_at is null`,
    values: [of.accountId, of.subjectIds, of.shipmentIds],
  })
  return {
    byTarget: groupClaimsById(rows, of.subjectIds, ({ subjectId }) => subjectId),
    byShipment: groupClaimsById(rows, of.shipmentIds, ({ shipmentId }) => shipmentId),
  }
}

function groupClaimsById(
  rows: readonly ClaimRow[],
  ids: readonly string[],
  idOf: (row: ClaimRow) => string | null,
): ReadonlyMap<string, ClaimsById> {
  const groups = new Map<string, Map<string, WrittenClaim>>(ids.map((id) => [id, new Map()]))
  for (const row of rows) groups.get(idOf(row) ?? '')?.set(row.id, readClaim(row))
  return groups
}

function readClaim({ sourceKind, sourceCode, standsAt, ...row }: ClaimRow): WrittenClaim {
  const source = { kind: sourceKind, code: sourceCode }
  return { ...row, source, standsAt: standsAt ?? row.recordedAt, retiredAt: null }
}
