/**
 * The requests of one number that are searched for or tracked now, and the requests that a corrected reader goes
 * through.
 */

import type { Db } from '../../db/database.ts'
import type { RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import { isUniqueByNumberSql, liveOnes } from '../../pipeline/projection/live-statuses-sql.ts'

/** The live request that already tracks this number, if any. */
export async function findLiveRequest(
  db: Db,
  key: {
    readonly accountId: string
    readonly scac: string
    readonly requestType: RequestType
    readonly number: string
  },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'tracking_request_live',
    text: `select id from tracking_requests r
            where account_id = $1 and scac = $2 and request_type = $3 and number = $4 and ${isUniqueByNumberSql('r')}`,
    values: [key.accountId, key.scac, key.requestType, key.number],
  })
  return rows[0]?.id ?? null
}

/**
 * The request whose line for this number is being found, if any. It is locked, so that this request and one that names
 * the line are in the ledger in the order of their commits.
 */
export async function lockDetectingRequest(
  db: Db,
  key: { readonly accountId: string; readonly requestType: RequestType; readonly number: string },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'tracking_request_detecting',
    text: `select id from tracking_requests
            where account_id = $1 and number = $3 and request_type = $2 and scac is null and status = 'pending'
              for no key update`,
    values: [key.accountId, key.requestType, key.number],
  })
  return rows[0]?.id ?? null
}

/**
 * SQL: requests that are searched for, tracked, or were tracked once. For these a corrected reader may find something
 * new. A request that has ingested nothing itself waits for its first poll, whatever is stored about its number.
 */
const needsRereading = (r: string): string => `(${r}.status in ${liveOnes} or ${r}.status = 'tracking_stopped')
              and exists (select 1 from ledger l
                           where l.account_id = ${r}.account_id and l.tracking_request_id = ${r}.id
                             and l.kind in ('look', 'heard'))`

/** The account's next request for a corrected reader; null when there is none after this one. */
export async function findNextRequestToReread(
  db: Db,
  of: { readonly accountId: string; readonly afterId: string | null },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'tracking_request_next_to_read',
    text: `select r.id from tracking_requests r
            where r.account_id = $1 and ($2::uuid is null or r.id > $2) and ${needsRereading('r')}
            order by r.id limit 1`,
    values: [of.accountId, of.afterId],
  })
  return rows[0]?.id ?? null
}

/** The requests of all accounts that a corrected reader goes through. */
export async function listRequestsToReread(
  db: Db,
): Promise<readonly { readonly accountId: string; readonly id: string; readonly isSandbox: boolean }[]> {
  const { rows } = await db.query<{ accountId: string; id: string; isSandbox: boolean }>({
    name: 'tracking_requests_to_read',
    text: `select r.account_id as "accountId", r.id, a.is_fiction as "isSandbox"
             from tracking_requests r join accounts a on a.id = r.account_id
            where ${needsRereading('r')}
            order by r.account_id, r.created_at, r.id`,
  })
  return rows
}

/**
 * The shipment whose messages are read again with this request, when the request is the first of those that listen for
 * the shipment; otherwise null.
 */
export async function findShipmentToReread(
  db: Db,
  of: { readonly accountId: string; readonly id: string },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'tracking_request_shipment_to_read',
    text: `select r.shipment_id as id from tracking_requests r
            where r.account_id = $1 and r.id = $2 and r.shipment_id is not null
              and not exists (select 1 from tracking_requests o
                               where o.account_id = r.account_id and o.shipment_id = r.shipment_id and o.id < r.id
                                 and ${needsRereading('o')})`,
    values: [of.accountId, of.id],
  })
  return rows[0]?.id ?? null
}
