/** Tables of one session that hide the served ones. They contain what the ledger yielded until a moment. */

import type { Db } from '../../db/database.ts'
import { isDistributed } from '../../db/distributed/is-distributed.ts'
import { entryColumns, type LedgerEntry } from './ledger-sql.ts'
import { rebuiltTables } from './rebuild-sql.ts'

const fronted = [...rebuiltTables.map(({ name }) => name), 'subjects']

/**
 * Begins a transaction on one snapshot of the database, with empty tables of this session in place of those that the
 * ledger yields. The search path is set, so that statements that were prepared before are planned again. This
 * transaction must never be committed.
 */
export async function openPastTables(db: Db): Promise<void> {
  // Only primary keys: for a few rows, other indexes cost more to make than they are worth.
  const tables = rebuiltTables.map(({ name }) => `${createTempTableSql(name)}, primary key (account_id, id));`)
  await db.query({
    text: `begin isolation level repeatable read;
           ${tables.join(' ')}
           ${createTempTableSql('subjects')});
           ${createTempTableSql('charge_tallies')});
           set local search_path = pg_temp, public`,
  })
}

function createTempTableSql(name: string): string {
  return `create temp table ${name} (like public.${name} including all excluding indexes excluding constraints`
}

/**
 * On many nodes the session's tables are at the coordinator, and cannot be joined with what an account has at its node
 * (docs/decisions/0046). The joined tables are copied to them.
 */
export async function copyJoinedTables(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string },
): Promise<void> {
  if (!(await isDistributed(db))) return
  for (const [table, condition] of Object.entries(joined))
    await db.query({
      text: `create temp table ${table} as select * from public.${table} where account_id = $1 and ${condition}`,
      values: [of.accountId, of.shipmentId],
    })
}

const joined = {
  // Only for the version under which an answer is cached, which is not done with the past.
  ledger: '$2::uuid is null',
  parties: 'id in (select customer_id from public.shipments where account_id = $1 and id = $2)',
  audit_events: `target_id in (select $2 union all
    select id from public.tracking_requests where account_id = $1 and shipment_id = $2 union all
    select id from public.containers where account_id = $1 and shipment_id = $2)`,
} as const

/** Tells the planner how the session's tables have grown: plans for empty tables are bad (see `analyzeScratch`). */
export async function analyzeStateAt(db: Db): Promise<void> {
  await db.query({ text: `analyze ${fronted.join(', ')}` })
}

/** Deletes from the session's own table. The served table never loses a row. */
export async function deletePastContainers(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<void> {
  await db.query({
    text: `delete from pg_temp.containers where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
}

export async function closePastTables(db: Db): Promise<void> {
  await db.query({ text: 'rollback' })
}

/**
 * SQL: the requests whose entries belong to a shipment: its own, and all that share a poll target, a shipment or a
 * number at a line with them. It uses the served rows, which is less to read than the ledger's own ties
 * (`ledger-groups-sql.ts`).
 */
const tied = `
  with recursive tied as (
    select r.id, r.subject_id, r.shipment_id, r.scac, r.number
      from public.tracking_requests r where r.account_id = $1 and r.shipment_id = $2
    union
    select r.id, r.subject_id, r.shipment_id, r.scac, r.number
      from tied t
      join public.tracking_requests r
        on r.account_id = $1
       and (r.subject_id = t.subject_id or r.shipment_id = t.shipment_id
            or (r.number = t.number and r.scac = t.scac))
  )`

/** The entries that belong to the shipment until that moment, oldest first, at most `limit`. */
export async function entriesOfShipment(
  db: Db,
  of: {
    readonly accountId: string
    readonly shipmentId: string
    readonly until: string
    readonly limit: number
  },
): Promise<readonly LedgerEntry[]> {
  const { rows } = await db.query<LedgerEntry>({
    name: 'entries_of_shipment',
    text: `${tied}, positions as (
             select l.position from public.ledger l
              where l.account_id = $1 and l.tracking_request_id in (select id from tied)
             union
             select l.position from public.ledger l
              where l.account_id = $1 and l.shipment_id in (select shipment_id from tied)
           )
           select ${entryColumns}, l.payload
             from positions p join public.ledger l on l.account_id = $1 and l.position = p.position
            where l.recorded_at <= $3
            order by l.position
            limit $4`,
    values: [of.accountId, of.shipmentId, of.until, of.limit],
  })
  return rows
}
