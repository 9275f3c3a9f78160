/** Domain events as they are told to others: the event with its account, by id. */

import type { Db } from '../database.ts'
import type { DomainEvent } from '../domain-events.ts'

export interface DomainEventReading extends DomainEvent {
  readonly accountId: string
  readonly createdAt: string
}

export interface EventOfAccount {
  readonly event: DomainEventReading
  readonly companyName: string
  readonly isFiction: boolean
}

export async function readEventOfAccount(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<EventOfAccount | null> {
  const { rows } = await db.query<DomainEventReading & Omit<EventOfAccount, 'event'>>({
    name: 'read_event_of_account',
    text: `select e.account_id as "accountId", e.id, e.name, e.reference_type as "referenceType",
                  e.reference_id as "referenceId", e.tracking_request_id as "trackingRequestId",
                  e.shipment_id as "shipmentId", e.container_id as "containerId", e.payload,
                  e.created_at as "createdAt", a.company_name as "companyName", a.is_fiction as "isFiction"
             from events e join accounts a on a.id = e.account_id
            where e.account_id = $1 and e.id = $2`,
    values: [key.accountId, key.id],
  })
  const row = rows[0]
  if (row === undefined) return null
  const { companyName, isFiction, ...event } = row
  return { event, companyName, isFiction }
}
