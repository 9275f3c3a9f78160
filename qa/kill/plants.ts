/** Faults that are made on purpose, directly in the database: a check that does not find them proves nothing. */

import { randomUUID } from 'node:crypto'
import type { Pool } from '../../src/db/database.ts'

/** Deletes one numbered event, like a crash that loses a write. */
export async function plantLoss(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ readonly name: string; readonly sequence: number }>(
    `delete from events where (account_id, id) in (
       select account_id, id from events where sequence is not null
        order by sequence offset (select count(*) / 2 from events) limit 1)
     returning name, sequence`,
  )
  return `Planted: event ${rows[0]?.sequence} (${rows[0]?.name}) is gone.`
}

/** Inserts the event of one transport event again under a new id, like a retry without a stable id. */
export async function plantDuplicate(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ readonly name: string; readonly id: string }>(
    `insert into events (account_id, id, name, reference_type, reference_id, tracking_request_id, shipment_id,
                         container_id, payload, created_at)
     select account_id, $1, name, reference_type, reference_id, tracking_request_id, shipment_id, container_id, payload,
            created_at
       from events where reference_type = 'transport_event'
      order by sequence offset (select count(*) / 2 from events where reference_type = 'transport_event') limit 1
     returning name, id`,
    [randomUUID()],
  )
  return `Planted: ${rows[0]?.name} is told a second time as ${rows[0]?.id}.`
}

/** Tells an availability a second time, at a port that nobody named, like a rule that puts a box at the wrong quay. */
export async function plantMisplaced(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ readonly event: string; readonly container_id: string }>(
    `insert into transport_events (account_id, id, shipment_id, container_id, event, call_key, occurs_at, time_zone,
                                   unlocode, data_source, milestone, created_at)
     select account_id, $1, shipment_id, container_id, event, 'AQMCM#1', occurs_at, time_zone, 'AQMCM', data_source,
            milestone, created_at
       from transport_events
      where event = 'container.transport.available' and invalidated_at is null and milestone is not null
      order by created_at, id limit 1
     returning event, container_id`,
    [randomUUID()],
  )
  return `Planted: ${rows[0]?.event} of container ${rows[0]?.container_id} stands at a port too that nobody named.`
}
