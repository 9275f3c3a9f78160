/** Tables of a session's own that stand in front of the served ones: what the ledger yielded until a moment is put into them. */

import type { ActorType, LastChangedBy } from './audit.ts'
import type { Db } from './database.ts'
import { entryColumns, type LedgerEntry } from './ledger.ts'
import { rebuiltTables } from './rebuild.ts'

const fronted = [...rebuiltTables.map(({ name }) => name), 'subjects']

/**
 * Begins a transaction on one snapshot of the database in which the tables that the ledger yields are empty ones of this
 * session. The path says so, so that statements prepared before are planned anew. It is never to be committed.
 */
export async function enterStateAt(db: Db): Promise<void> {
  // Other indexes than the keys cost more to make than a few rows without them.
  const tables = rebuiltTables.map(({ name }) => `${likeServed(name)}, primary key (account_id, id));`)
  await db.query({
    text: `begin isolation level repeatable read;
           ${tables.join(' ')}
           ${likeServed('subjects')});
           set local search_path = pg_temp, public`,
  })
}

function likeServed(name: string): string {
  return `create temp table ${name} (like public.${name} including all excluding indexes excluding constraints`
}

/** Tells the planner how the session's tables have grown: plans for empty ones are of no use (see `analyzeScratch`). */
export async function analyzeStateAt(db: Db): Promise<void> {
  await db.query({ text: `analyze ${fronted.join(', ')}` })
}

export async function leaveStateAt(db: Db): Promise<void> {
  await db.query({ text: 'rollback' })
}

/** Which entries belong to a shipment: those of its requests, of all requests that share a subject with them, and its own. */
const tied = `
  with recursive tied as (
    select r.id, r.subject_id, r.shipment_id
      from public.tracking_requests r where r.account_id = $1 and r.shipment_id = $2
    union
    select r.id, r.subject_id, r.shipment_id
      from tied t
      join public.tracking_requests r
        on r.account_id = $1 and (r.subject_id = t.subject_id or r.shipment_id = t.shipment_id)
  )`

/** Oldest first, until the moment; one more than `limit` is never sent. */
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

/** The subjects of the entries, as they were looked at until the moment. */
export async function frontSubjects(
  db: Db,
  of: { readonly ids: readonly string[]; readonly until: string },
): Promise<void> {
  await db.query({
    name: 'state_at_subjects',
    text: `insert into subjects
             (id, credential_id, scac, kind, number, created_at, last_attempted_at, last_succeeded_at)
           select s.id, s.credential_id, s.scac, s.kind, s.number, s.created_at, l.attempted_at, l.succeeded_at
             from public.subjects s
             left join lateral (
               select max(coalesce(k.attempted_at, k.started_at)) as attempted_at,
                      max(coalesce(k.attempted_at, k.started_at))
                        filter (where k.outcome not in ('unreachable', 'unrecognized', 'internal_error')) as succeeded_at
                 from public.looks k
                where k.subject_id = s.id and coalesce(k.attempted_at, k.started_at) <= $2) l on true
            where s.id = any($1::uuid[])`,
    values: [of.ids, of.until],
  })
}

const isoOf = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** What stands beside the fold: our own estimate of that moment. */
export async function frontOwnEta(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly until: string },
): Promise<void> {
  await db.query({
    name: 'state_at_own_eta',
    text: `update shipments s set own_eta = (
             select jsonb_build_object('eta', ${isoOf('e.eta')}, 'earliest', ${isoOf('e.earliest')},
                                       'latest', ${isoOf('e.latest')}, 'fixAt', ${isoOf('e.fix_at')},
                                       'madeAt', ${isoOf('e.made_at')}, 'unlocode', e.unlocode,
                                       'vesselImo', e.vessel_imo, 'remainingNm', e.remaining_nm,
                                       'speedKnots', e.speed_knots, 'madeOf', e.made_of)
               from public.shipment_etas e
              where e.account_id = $1 and e.shipment_id = $2 and e.made_at <= $3
              order by e.made_at desc limit 1)
            where s.account_id = $1 and s.id = $2`,
    values: [of.accountId, of.shipmentId, of.until],
  })
}

/**
 * Who made one of the changes that users made of a shipment or container: the one after which `later` others came.
 * Counted from the newest, because there was a ledger before there was a log. Null when the log does not have it.
 */
export async function findChange(
  db: Db,
  of: { readonly accountId: string; readonly targetId: string; readonly later: number },
): Promise<LastChangedBy | null> {
  const { rows } = await db.query<{ type: ActorType; id: string | null; at: string }>({
    name: 'state_at_change',
    text: `select actor_type as type, actor_id as id, at
             from public.audit_events
            where account_id = $1 and target_id = $2
              and action in ('shipment.updated', 'shipment.tracking_stopped', 'shipment.tracking_resumed',
                             'container.updated')
            order by at desc, id desc
            offset $3 limit 1`,
    values: [of.accountId, of.targetId, of.later],
  })
  const row = rows[0]
  return row === undefined ? null : { actor: { type: row.type, id: row.id }, at: row.at }
}
