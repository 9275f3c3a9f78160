/** Ids that documents of containers and of custom field definitions link to, for many of them in one statement. */

import type { Db } from '../../db/database.ts'
import { idsOfEvents } from '../provenance/raw-events-sql.ts'

export interface EventIds {
  readonly containerId: string
  /** Active transport events, in the order in which they happened. */
  readonly transportEventIds: readonly string[]
  /** All stated events, also those that were withdrawn; last ingested first. */
  readonly rawEventIds: readonly string[]
}

const claimsOfRequests = `tracking_requests t join claims cl on cl.account_id = $1 and cl.subject_id = t.subject_id`
const ofShipment = `t.account_id = $1 and t.shipment_id = c.shipment_id`
const isEvent = `cl.observation ->> 'kind' = 'event' and cl.source_kind <> 'user'`

/**
 * Two arrays of ids, as `EventIds` has them, for `containers c`. They name the same events that
 * `readTransportEventsOfContainers` and `readRawEvents` find. Claims are looked up by the container's own number,
 * because a bill may have hundreds of containers.
 */
export const eventIdsColumns = {
  transport: `array(select e.id from transport_events e
                    where e.account_id = $1 and e.container_id = c.id and e.invalidated_at is null
                    order by e.occurs_at nulls last, e.created_at, e.call_key, e.id)`,
  /** At most `$3` of them. */
  raw: `array(select r.id from (${idsOfEvents(`
                       select cl.* from ${claimsOfRequests} and cl.equipment = c.number where ${ofShipment} and ${isEvent}
                       union all
                       select cl.* from ${claimsOfRequests} and cl.equipment is null where ${ofShipment} and ${isEvent}
                       union all
                       select cl.* from claims cl
                        where cl.account_id = $1 and cl.shipment_id = c.shipment_id
                          and (cl.equipment is null or cl.equipment = c.number) and ${isEvent}`)}) as r
                    order by r.recorded_at desc, r.id limit $3)`,
} as const

/**
 * The list of ids is a subquery, so that the plan does not depend on its length and one plan serves all. Planned again
 * for each list, one container took 0.52 ms instead of 0.15.
 */
export async function readEventIds(
  db: Db,
  of: { readonly accountId: string; readonly containerIds: readonly string[]; readonly rawMax: number },
): Promise<readonly EventIds[]> {
  const { rows } = await db.query<EventIds>({
    name: 'read_event_ids',
    text: `
      select c.id as "containerId", ${eventIdsColumns.transport} as "transportEventIds", ${eventIdsColumns.raw} as "rawEventIds"
        from containers c
       where c.account_id = $1 and c.id = any(array(select unnest($2::uuid[])))`,
    values: [of.accountId, of.containerIds, of.rawMax],
  })
  return rows
}

export interface ValueIds {
  readonly definitionId: string
  /** Newest first. */
  readonly fieldIds: readonly string[]
  /** In the order that the definition gives them. */
  readonly optionIds: readonly string[]
}

export async function readValueIds(
  db: Db,
  of: { readonly accountId: string; readonly definitionIds: readonly string[]; readonly fieldsMax: number },
): Promise<readonly ValueIds[]> {
  const { rows } = await db.query<ValueIds>({
    name: 'read_value_ids',
    text: `
      select d.id as "definitionId",
             array(select f.id from custom_fields f where f.account_id = $1 and f.definition_id = d.id
                    order by f.created_at desc, f.id limit $3) as "fieldIds",
             array(select o.id from custom_field_options o where o.account_id = $1 and o.definition_id = d.id
                    order by o.position nulls last, o.created_at, o.id) as "optionIds"
        from custom_field_definitions d
       where d.account_id = $1 and d.id = any($2::uuid[])`,
    values: [of.accountId, of.definitionIds, of.fieldsMax],
  })
  return rows
}
