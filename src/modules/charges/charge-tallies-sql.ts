/**
 * The tally of each container, and which tallies must be made again: because of a new statement, because their time
 * came, or because of new terms.
 */

import type { Db } from '../../db/database.ts'
import { acquireFromFirstAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'
import type { ContainerTally } from '../../domain/charges/tally.ts'

export interface ChargeBook {
  readonly accountId: string
  readonly isSandbox: boolean
  readonly sweepAfter: string | null
  readonly isSweepDue: boolean
}

/**
 * Terms or calendars were recorded: every container is tallied again, and once more for those that others write
 * meanwhile.
 */
export async function sweepTallies(db: Db, of: { readonly accountId: string; readonly now: string }): Promise<void> {
  await db.query({
    name: 'charge_book_sweep',
    text: `insert into charge_books (account_id, worked_at, sweep_at, sweep_after, sweeps_left)
           values ($1, $2, $2, null, 2)
           on conflict (account_id) do update set sweep_at = $2, sweep_after = null, sweeps_left = 2`,
    values: [of.accountId, of.now],
  })
}

/** How many accounts are tried while other workers have their books. */
const triedMax = 8

/**
 * Locks the account with something to do that was worked on longest ago, so that one worker at a time tallies for it.
 * Null when there is none.
 */
export async function lockChargeBook(
  db: Db,
  at: { readonly now: string; readonly journeyNow: string; readonly sandboxNow: string },
): Promise<ChargeBook | null> {
  const due = await db.query<RowOfAccount>({
    name: 'charge_books_due',
    text: `select b.account_id as "accountId", b.account_id as id
             from charge_books b join accounts a on a.id = b.account_id
            where b.sweep_at <= $1
               or exists (select from charge_tallies t where t.account_id = b.account_id and t.is_asked)
               or exists (select from charge_tallies t where t.account_id = b.account_id
                             and t.rings_at <= case when a.is_fiction then $3::timestamptz else $2::timestamptz end)
            order by b.worked_at limit ${triedMax}`,
    values: [at.now, at.journeyNow, at.sandboxNow],
  })
  const [locked] = await acquireFromFirstAccount(due.rows, async (accountId) => {
    const { rows } = await db.query<ChargeBook>({
      name: 'charge_book_lock',
      text: `select b.account_id as "accountId", a.is_fiction as "isSandbox", b.sweep_after as "sweepAfter",
                    coalesce(b.sweep_at <= $2, false) as "isSweepDue"
               from charge_books b join accounts a on a.id = b.account_id
              where b.account_id = $1 for update of b skip locked`,
      values: [accountId, at.now],
    })
    return rows
  })
  return locked ?? null
}

/**
 * Marks the next containers of a sweep. Returns the last of them; null when there are no more. A container whose row is
 * locked is marked anyway.
 */
export async function markNextTallies(
  db: Db,
  of: { readonly accountId: string; readonly after: string | null; readonly limit: number },
): Promise<string | null> {
  const { rows } = await db.query<{ last: string | null }>({
    name: 'charge_tallies_ask',
    text: `with next as (
             select c.id, c.shipment_id from containers c
              where c.account_id = $1 and ($2::uuid is null or c.id > $2) order by c.id limit $3
           ), there as (
             select t.container_id from charge_tallies t
              where t.account_id = $1 and t.container_id = any(array(select id from next)) order by t.container_id for update of t skip locked
           ), asked as (
             update charge_tallies t set is_asked = true from there
              where t.account_id = $1 and t.container_id = there.container_id
           ), made as (
             insert into charge_tallies (account_id, container_id, shipment_id, is_asked)
             select $1, id, shipment_id, true from next
              where not exists (select from charge_tallies t where t.account_id = $1 and t.container_id = next.id)
              order by id
             on conflict (account_id, container_id) do nothing
           )
           select id as last from next order by id desc limit 1`,
    values: [of.accountId, of.after, of.limit],
  })
  return rows[0]?.last ?? null
}

/** `sweep`: null for no change; `after` null ends this sweep, and the next begins at `again`. */
export async function recordBookProgress(
  db: Db,
  of: {
    readonly accountId: string
    readonly now: string
    readonly sweep: { readonly after: string | null; readonly again: string } | null
  },
): Promise<void> {
  const { accountId, now, sweep } = of
  await db.query({
    name: 'charge_book_worked',
    text: `update charge_books
              set worked_at = $2,
                  sweep_after = case when $3 then $4::uuid else sweep_after end,
                  sweeps_left = case when $3 and $4::uuid is null then greatest(sweeps_left - 1, 0) else sweeps_left end,
                  sweep_at = case when not $3 then sweep_at
                                  when $4::uuid is not null then $2::timestamptz
                                  when sweeps_left > 1 then $5::timestamptz end
            where account_id = $1`,
    values: [accountId, now, sweep !== null, sweep?.after ?? null, sweep?.again ?? null],
  })
}

export interface DueTally {
  readonly containerId: string
  readonly shipmentId: string
  readonly tally: ContainerTally | null
}

/**
 * Locked with their containers, which get their free day, and with the shipments that follow those; before the containers
 * are read. One that is being written at this moment is skipped; a later writer waits, and marks it again afterwards.
 */
export async function lockDueTallies(
  db: Db,
  of: { readonly accountId: string; readonly journeyNow: string; readonly limit: number },
): Promise<readonly DueTally[]> {
  const { rows } = await db.query<DueTally>({
    name: 'charge_tallies_lock',
    text: `select t.container_id as "containerId", t.shipment_id as "shipmentId", t.tally
             from charge_tallies t
             join containers c on c.account_id = $1 and c.id = t.container_id
             join shipments s on s.account_id = $1 and s.id = c.shipment_id
            where t.account_id = $1 and (t.is_asked or t.rings_at <= $2)
            order by t.container_id limit $3
              for no key update of s, c skip locked for update of t skip locked`,
    values: [of.accountId, of.journeyNow, of.limit],
  })
  return rows
}

export interface NewTally {
  readonly containerId: string
  readonly tally: ContainerTally
  readonly ringsAt: string | null
  readonly costsFrom: string | null
  /** The last free day at the place of pick-up by the terms. */
  readonly freeOn: string | null
}

/** `over`: containers for which no terms count any more, or ever did. */
export async function putTallies(
  db: Db,
  of: { readonly accountId: string; readonly made: readonly NewTally[]; readonly over: readonly string[] },
): Promise<void> {
  const { accountId, made, over } = of
  const days = [...made, ...over.map((containerId) => ({ containerId, freeOn: null }))]
  await db.query({
    name: 'containers_free_by_terms',
    text: `update containers c set free_by_terms_on = d.day
             from unnest($2::uuid[], $3::date[]) as d (id, day)
            where c.account_id = $1 and c.id = d.id and c.free_by_terms_on is distinct from d.day`,
    values: [accountId, days.map(({ containerId }) => containerId), days.map(({ freeOn }) => freeOn)],
  })
  if (over.length > 0)
    await db.query({
      name: 'charge_tallies_drop',
      text: 'delete from charge_tallies where account_id = $1 and container_id = any($2::uuid[])',
      values: [accountId, over],
    })
  if (made.length === 0) return
  await db.query({
    name: 'charge_tallies_put',
    text: `update charge_tallies t
              set tally = m.tally, is_asked = false, rings_at = m."ringsAt", costs_from = m."costsFrom"
             from jsonb_to_recordset($2::jsonb)
                  as m ("containerId" uuid, tally jsonb, "ringsAt" timestamptz, "costsFrom" timestamptz)
            where t.account_id = $1 and t.container_id = m."containerId"`,
    values: [accountId, JSON.stringify(made)],
  })
}
