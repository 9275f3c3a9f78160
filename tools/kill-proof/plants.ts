/** Faults that are made on purpose, directly in the database: a check that does not find them proves nothing. */

import { randomUUID } from 'node:crypto'
import type { Pool } from '../../src/store/database.ts'

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
