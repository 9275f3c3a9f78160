/**
 * Numbers committed events: for each account, without gaps, and an earlier number never appears after a later one
 * (docs/decisions/0047).
 */

import type { Db } from '../../db/database.ts'
import { nobody } from '../../db/distributed/acquire-per-account.ts'
import type { EventName } from '../../domain/changes/event-table.ts'

export interface NumberedEvent {
  readonly accountId: string
  readonly id: string
  readonly sequence: number
  readonly name: EventName
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly referenceId: string
}

/** Any number that no other advisory lock uses. */
const sequencerLock = 7_361_204

/**
 * Programs up to 0.2.0 number all accounts at once, and alone: they wait until this transaction ends, and it waits for
 * them.
 */
export async function lockOutOldSequencers(db: Db): Promise<void> {
  await db.query({
    name: 'sequencer_lock',
    text: `select pg_advisory_xact_lock_shared($1)`,
    values: [sequencerLock],
  })
}

interface AccountSearchRange {
  /** Null for the first accounts of all. */
  readonly after: string | null
  readonly accountsMax: number
  /** Maximum of events that are checked. An account that has more of them is returned alone, if it is the first. */
  readonly eventsMax: number
}

/** The next accounts with events that wait for a number, in the order of their ids. Locks nothing. */
export async function findUnnumbered(db: Db, span: AccountSearchRange): Promise<readonly string[]> {
  const { rows } = await db.query<{ accountId: string }>({
    name: 'events_unnumbered',
    text: `select account_id as "accountId"
             from (select account_id from events
                    where sequence is null and account_id > $1
                    order by account_id limit $3) as waiting
            group by account_id order by account_id limit $2`,
    values: [span.after ?? nobody, span.accountsMax, span.eventsMax],
  })
  return rows.map(({ accountId }) => accountId)
}

/**
 * Makes this transaction the only one that numbers events of these accounts, and returns those of them that no other
 * numbers now. It must be a statement of its own before `numberOf`, so that the snapshot of `numberOf` is taken after the
 * last numbering has committed.
 */
export async function lockNumbering(db: Db, accountIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.query<{ accountId: string; isLocked: boolean }>({
    name: 'events_lock',
    text: `select a.id as "accountId", pg_try_advisory_xact_lock(${sequencerLock}, hashtext(a.id)) as "isLocked"
             from unnest($1::text[]) as a (id)`,
    values: [accountIds],
  })
  return rows.filter(({ isLocked }) => isLocked).map(({ accountId }) => accountId)
}

/** The same, but it waits until no other numbers events of the account. */
export async function waitForNumberingLock(db: Db, accountId: string): Promise<void> {
  await db.query({
    name: 'events_lock_await',
    text: `select pg_advisory_xact_lock(${sequencerLock}, hashtext($1))`,
    values: [accountId],
  })
}

/**
 * Numbers up to `limit` events of the account in the order of writing and returns them in the order of their numbers.
 * Writers of one shipment write one after the other, so its events keep their order; an event that commits later gets a
 * later number.
 */
export async function numberAccountEvents(db: Db, accountId: string, limit: number): Promise<readonly NumberedEvent[]> {
  const { rows } = await db.query<NumberedEvent>({
    name: 'events_number',
    text: `with batch as materialized (
             select id, ordinal from events where account_id = $1 and sequence is null order by ordinal limit $2
           ), placed as (
             select id, row_number() over (order by ordinal) as place from batch
           ), counter as (
             insert into event_counters (account_id, last_sequence)
             select $1, count(*) from batch
             on conflict (account_id)
             do update set last_sequence = event_counters.last_sequence + excluded.last_sequence
             returning last_sequence - (select count(*) from batch) as before
           )
           update events e
              set sequence = counter.before + placed.place
             from placed cross join counter
            where e.account_id = $1 and e.id = placed.id
           returning e.account_id as "accountId", e.id, e.sequence, e.name,
                     e.tracking_request_id as "trackingRequestId", e.shipment_id as "shipmentId", e.reference_id as "referenceId"`,
    values: [accountId, limit],
  })
  return rows.toSorted((a, b) => a.sequence - b.sequence)
}
