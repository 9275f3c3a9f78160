/** Domain events as subscribers get them: the event with its account, found by id. */

import type { Db } from '../../db/database.ts'
import type { ReferenceType } from '../../domain/changes/event-table.ts'
import type { DomainEvent } from '../../pipeline/projection/domain-events-sql.ts'

export interface DomainEventReading extends DomainEvent {
  readonly referenceType: ReferenceType
  readonly accountId: string
  readonly createdAt: string
}

export interface EventOfAccount {
  readonly event: DomainEventReading
  readonly companyName: string
  readonly isSandbox: boolean
}

/** Each event is looked up in the account that is given with it. Events that are not there are left out. */
export async function readEventsOfAccounts(
  db: Db,
  keys: readonly { readonly accountId: string; readonly id: string }[],
): Promise<readonly EventOfAccount[]> {
  const { rows } = await db.query<DomainEventReading & Omit<EventOfAccount, 'event'>>({
    name: 'read_events_of_accounts',
    text: `select e.account_id as "accountId", e.id, e.name, e.reference_type as "referenceType",
                  e.reference_id as "referenceId", e.tracking_request_id as "trackingRequestId",
                  e.shipment_id as "shipmentId", e.container_id as "containerId", e.payload,
                  e.created_at as "createdAt", a.company_name as "companyName", a.is_fiction as "isSandbox"
             from unnest($1::uuid[], $2::uuid[]) as key (account_id, id)
             join events e on e.account_id = key.account_id and e.id = key.id
             join accounts a on a.id = e.account_id`,
    values: [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)],
  })
  return rows.map(({ companyName, isSandbox, ...event }) => ({ event, companyName, isSandbox }))
}
