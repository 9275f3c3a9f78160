/** Takes the locks of a state, each once and in order of id, and returns the locked rows. */

import type { Db } from '../../db/database.ts'
import type { ShipmentKey } from './journey-state-sql.ts'
import { type ShipmentRow, shipmentColumns } from './shipments-sql.ts'
import { requestColumns, type TrackingRequestRow } from './tracking-requests-sql.ts'

/**
 * Locks the requests, and with `locksAllRequests` also all requests that ask for the shipments: the shipments that are
 * named and those of the requests. A request that begins to ask while this waits for a lock is not included; it is
 * found when the rest is read.
 */
export async function lockRequests(
  db: Db,
  keys: {
    readonly accountId: string
    readonly requestIds: readonly string[]
    readonly shipmentIds: readonly string[]
    readonly locksAllRequests: boolean
  },
): Promise<readonly TrackingRequestRow[]> {
  const { accountId, requestIds, shipmentIds, locksAllRequests } = keys
  if (requestIds.length === 0 && !(locksAllRequests && shipmentIds.length > 0)) return []
  if (!locksAllRequests) {
    const { rows } = await db.query<TrackingRequestRow>({
      name: 'state_lock_requests',
      text: `select ${requestColumns} from tracking_requests
              where account_id = $1 and id = any($2::uuid[]) order by id for update`,
      values: [accountId, requestIds],
    })
    return rows
  }
  const { rows } = await db.query<TrackingRequestRow>({
    name: 'state_lock_asking',
    text: `select ${requestColumns} from tracking_requests
            where account_id = $1 and id in (
                    select unnest($2::uuid[])
                    union
                    select id from tracking_requests where account_id = $1 and shipment_id = any($3::uuid[])
                    union
                    select s.id from tracking_requests r
                      join tracking_requests s on s.account_id = $1 and s.shipment_id = r.shipment_id
                     where r.account_id = $1 and r.id = any($2::uuid[]))
            order by id for update`,
    values: [accountId, requestIds, shipmentIds],
  })
  return rows
}

/**
 * Several requests of an account may have one poll target. Only one of them at a time ingests what is stated about it.
 */
export async function lockTargetIngestion(
  db: Db,
  of: { readonly accountId: string; readonly subjectIds: readonly string[] },
): Promise<void> {
  if (of.subjectIds.length === 0) return
  await db.query({
    name: 'state_hold_subjects',
    text: `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || s.id, 0))
             from (select distinct unnest($2::text[]) as id order by 1) s`,
    values: [of.accountId, of.subjectIds],
  })
}

/** Locks the shipments with these ids, and those with these numbers under any id. */
export async function lockShipments(
  db: Db,
  of: {
    readonly accountId: string
    readonly ids: readonly string[]
    readonly opened: readonly Pick<ShipmentKey, 'scac' | 'normalizedNumber'>[]
  },
): Promise<readonly ShipmentRow[]> {
  const { rows } = await db.query<ShipmentRow>({
    name: 'state_lock_shipments',
    text: `select ${shipmentColumns} from shipments
            where account_id = $1 and id in (
                    select unnest($2::uuid[])
                    union
                    select s.id from unnest($3::text[], $4::text[]) as k (scac, number)
                      join shipments s on s.account_id = $1 and s.scac = k.scac and s.normalized_number = k.number)
            order by id for update`,
    values: [
      of.accountId,
      of.ids,
      of.opened.map(({ scac }) => scac),
      of.opened.map(({ normalizedNumber }) => normalizedNumber),
    ],
  })
  return rows
}
