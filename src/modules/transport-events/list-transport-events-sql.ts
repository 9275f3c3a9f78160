/** Transport events as the APIs read them: the active ones of containers, or any by id (invalidated ones too). */

import type { Db } from '../../db/database.ts'
import { type Page, type PageRequest, readCounted } from '../../db/listing/page.ts'

export interface TransportEventReading {
  readonly type: 'transport_event'
  readonly id: string
  readonly shipmentId: string
  readonly containerId: string
  readonly event: string
  readonly occursAt: string | null
  readonly timeZone: string | null
  readonly unlocode: string | null
  readonly terminalId: string | null
  readonly vesselImo: string | null
  readonly vesselName: string | null
  readonly voyageNumber: string | null
  readonly dataSource: string
  readonly value: string | null
  readonly sourceClaimId: string | null
  readonly previousVersionId: string | null
  readonly createdAt: string
  readonly invalidatedAt: string | null
}

const columns = `'transport_event' as type, e.id, e.shipment_id as "shipmentId", e.container_id as "containerId",
  e.event, e.occurs_at as "occursAt", e.time_zone as "timeZone", e.unlocode, e.terminal_id as "terminalId",
  e.vessel_imo as "vesselImo", e.vessel_name as "vesselName", e.voyage_number as "voyageNumber",
  e.data_source as "dataSource", e.value, e.source_claim_id as "sourceClaimId",
  e.previous_version_id as "previousVersionId", e.created_at as "createdAt", e.invalidated_at as "invalidatedAt"`

/**
 * Active transport events, in the order in which they happened. With `withInvalidated`, also what was replaced or
 * withdrawn.
 */
export async function readTransportEventsOfContainers(
  db: Db,
  of: {
    readonly accountId: string
    readonly containerIds: readonly string[]
    readonly withInvalidated: boolean
  },
): Promise<readonly TransportEventReading[]> {
  const { rows } = await db.query<TransportEventReading>({
    name: 'read_transport_events_of_containers',
    text: `select ${columns} from transport_events e
            where e.account_id = $1 and e.container_id = any($2::uuid[])
              and ($3 or e.invalidated_at is null)
            order by e.container_id, e.occurs_at nulls last, e.created_at, e.call_key, e.id`,
    values: [of.accountId, of.containerIds, of.withInvalidated],
  })
  return rows
}

/** Like `readTransportEventsOfContainers`, but one page for one container. */
export async function readTransportEventPage(
  db: Db,
  of: {
    readonly accountId: string
    readonly containerId: string
    readonly withInvalidated: boolean
    readonly page: PageRequest
  },
): Promise<Page<TransportEventReading>> {
  return readCounted(of.page, async (limit, offset) => {
    const { rows } = await db.query<TransportEventReading & { readonly ofAll: number }>({
      name: 'read_transport_event_page',
      text: `select ${columns}, count(*) over () as "ofAll" from transport_events e
              where e.account_id = $1 and e.container_id = $2 and ($3 or e.invalidated_at is null)
              order by e.occurs_at nulls last, e.created_at, e.call_key, e.id
              limit $4 offset $5`,
      values: [of.accountId, of.containerId, of.withInvalidated, limit, offset],
    })
    return rows
  })
}

export async function readTransportEvents(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly TransportEventReading[]> {
  const { rows } = await db.query<TransportEventReading>({
    name: 'read_transport_events',
    text: `select ${columns} from transport_events e where e.account_id = $1 and e.id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}
