/** Containers as the doors read them: alone, with their shipment in one statement, of shipments, and in lists. */

import type { ContainerProjection } from '../../core/projection.ts'
import type { Db } from '../database.ts'
import { boundsOf, type Page, type PageRequest, type TimeRange } from './page.ts'
import { type ShipmentReading, shipmentColumns, shipmentLaterals } from './shipments.ts'

export interface ContainerReading {
  readonly type: 'container'
  readonly id: string
  readonly shipmentId: string
  readonly status: string
  readonly refNumbers: readonly string[]
  readonly projection: ContainerProjection
  readonly createdAt: string
  readonly updatedAt: string
  /** When the shipment's line was last asked. */
  readonly lastAttemptedAt: string | null
}

const columns = `'container' as type, c.id, c.shipment_id as "shipmentId", c.status, c.ref_numbers as "refNumbers",
  c.projection, c.created_at as "createdAt", c.updated_at as "updatedAt"`

const lateral = `
  left join lateral (
    select max(u.last_attempted_at) as attempted_at
      from tracking_requests t join subjects u on u.id = t.subject_id
     where t.account_id = c.account_id and t.shipment_id = c.shipment_id) l on true`

export async function readContainers(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly ContainerReading[]> {
  const { rows } = await db.query<Record<string, never>>({
    name: 'read_containers',
    text: `select ${columns}, l.attempted_at as "lastAttemptedAt"
             from containers c ${lateral}
            where c.account_id = $1 and c.id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows as unknown as ContainerReading[]
}

/** The most asked question, in one statement: bench/ holds it against a read of one primary key. */
export async function readContainerWithShipment(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<{ readonly container: ContainerReading; readonly shipment: ShipmentReading } | null> {
  const { rows } = await db.query<Record<string, never>>({
    name: 'read_container_with_shipment',
    text: `select ${columns}, l.attempted_at as "lastAttemptedAt", ${shipmentColumns('shipment.')}
             from containers c
             join shipments s on s.account_id = c.account_id and s.id = c.shipment_id ${shipmentLaterals}
            where c.account_id = $1 and c.id = $2`,
    values: [key.accountId, key.id],
  })
  const row = rows[0] as Record<string, unknown> | undefined
  if (row === undefined) return null
  const shipment: Record<string, unknown> = { type: 'shipment' }
  for (const name of shipmentFields) shipment[name] = row[`shipment.${name}`]
  return { container: row as unknown as ContainerReading, shipment: shipment as unknown as ShipmentReading }
}

const shipmentFields = [...shipmentColumns().matchAll(/as "(\w+)"/g)].map(([, name = '']) => name)

export async function readContainersOfShipments(
  db: Db,
  of: { readonly accountId: string; readonly shipmentIds: readonly string[] },
): Promise<readonly ContainerReading[]> {
  const { rows } = await db.query<Record<string, never>>({
    name: 'read_containers_of_shipments',
    text: `select ${columns}, l.attempted_at as "lastAttemptedAt"
             from containers c ${lateral}
            where c.account_id = $1 and c.shipment_id = any($2::uuid[])
            order by c.shipment_id, c.number, c.trip`,
    values: [of.accountId, of.shipmentIds],
  })
  return rows as unknown as ContainerReading[]
}

export const containerOrders = {
  '-updated_at': 'c.updated_at desc, c.id',
  updated_at: 'c.updated_at, c.id',
  '-created_at': 'c.created_at desc, c.id',
  created_at: 'c.created_at, c.id',
} as const
export type ContainerOrder = keyof typeof containerOrders

export interface ContainerFilter {
  readonly number: string | null
  readonly status: string | null
  readonly scac: string | null
  readonly updatedAt: TimeRange
}

const matching = `c.account_id = $1
  and ($2::text is null or c.number = upper($2))
  and ($3::text is null or c.status = $3)
  and ($4::text is null
       or exists (select from shipments s where s.account_id = c.account_id and s.id = c.shipment_id and s.scac = $4))
  and ($5::timestamptz is null or c.updated_at >= $5)
  and ($6::timestamptz is null or c.updated_at <= $6)`

export async function listContainerRows(
  db: Db,
  list: {
    readonly accountId: string
    readonly filter: ContainerFilter
    readonly order: ContainerOrder
    readonly page: PageRequest
  },
): Promise<Page<ContainerReading>> {
  const { number, status, scac, updatedAt } = list.filter
  const values = [list.accountId, number, status, scac, updatedAt.start, updatedAt.end]
  const { rows } = await db.query<Record<string, never>>({
    name: `list_containers_${list.order}`,
    text: `select ${columns}, l.attempted_at as "lastAttemptedAt"
             from (select * from containers c where ${matching}
                    order by ${containerOrders[list.order]} limit $7 offset $8) c ${lateral}
            order by ${containerOrders[list.order]}`,
    values: [...values, ...boundsOf(list.page)],
  })
  const counted = await db.query<{ total: number }>({
    name: 'count_containers',
    text: `select count(*) as total from containers c where ${matching}`,
    values,
  })
  return { rows: rows as unknown as ContainerReading[], total: counted.rows[0]?.total ?? 0 }
}
