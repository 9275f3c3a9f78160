/** The events that an entry of the ledger made, and by which numbers subscribers know them. */

import type { Db } from '../../db/database.ts'

export interface ChangeEvent {
  readonly id: string
  readonly name: string
  readonly containerId: string | null
  /** Null until it is numbered, and for an event that never was. */
  readonly sequence: number | null
}

/** The events of a shipment that were written after an ordinal, and the newest ordinal now. */
export async function readEventsAfterOrdinal(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly ordinal: number },
): Promise<{ readonly events: readonly ChangeEvent[]; readonly ordinal: number }> {
  const { rows } = await db.query<ChangeEvent & { readonly ordinal: number }>({
    name: 'history_events',
    text: `select id, name, container_id as "containerId", null as sequence, ordinal
             from events
            where account_id = $1 and shipment_id = $2 and ordinal > $3
            order by ordinal`,
    values: [of.accountId, of.shipmentId, of.ordinal],
  })
  const events = rows.map(({ id, name, containerId, sequence }) => ({ id, name, containerId, sequence }))
  return { events, ordinal: rows.at(-1)?.ordinal ?? of.ordinal }
}

export async function readEventSequences(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, number | null>> {
  const { rows } = await db.query<{ id: string; sequence: number | null }>({
    name: 'history_sequences',
    text: `select id, sequence from events where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return new Map(rows.map(({ id, sequence }) => [id, sequence]))
}
