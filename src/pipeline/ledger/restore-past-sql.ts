/**
 * Restores into the tables of a past state what the ledger does not yield, as it was at that moment, from where it is
 * stored.
 */

import type { Db } from '../../db/database.ts'
import {
  type ActorType,
  type LastChangedBy,
  setContainerChangedBy,
  setShipmentChangedBy,
} from '../../modules/audit/audit-events-sql.ts'
import type { LedgerEntry } from './ledger-sql.ts'

export interface PastMoment {
  readonly accountId: string
  readonly shipmentId: string
  /** ISO instant on the journey clock. */
  readonly until: string
  /** Entries of the shipment until then. */
  readonly entries: readonly LedgerEntry[]
  /** Entries of the shipment that came later. */
  readonly later: readonly LedgerEntry[]
}

/**
 * The poll targets of the entries, with the times when they were last polled before that moment. Polls of days that
 * were dropped are in `look_days` (docs/decisions/0028).
 */
export async function restorePollTargets(db: Db, { until, entries }: PastMoment): Promise<void> {
  const ids = [...new Set(entries.flatMap(({ subjectId }) => subjectId ?? []))]
  await db.query({
    name: 'state_at_subjects',
    text: `insert into subjects
             (id, credential_id, scac, kind, number, created_at, last_attempted_at, last_succeeded_at)
           select s.id, s.credential_id, s.scac, s.kind, s.number, s.created_at, l.attempted_at, l.succeeded_at
             from public.subjects s
             left join lateral (
               select max(at) as attempted_at, max(at) filter (where succeeded) as succeeded_at
                 from (select coalesce(k.attempted_at, k.started_at) as at, public.look_succeeded(k.outcome) as succeeded
                         from public.looks k where k.subject_id = s.id
                       union all
                       select a.at, a.succeeded
                         from public.look_days d
                        cross join lateral (select unnest(d.succeeded_at) as at, true as succeeded
                                            union all
                                            select unnest(d.failed_at), false) a
                        where d.subject_id = s.id) asked
                where at <= $2) l on true
            where s.id = any($1::uuid[])`,
    values: [ids, until],
  })
}

const isoOf = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Our own estimate as it was at that moment. */
export async function restoreOwnEta(db: Db, of: PastMoment): Promise<void> {
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
 * Marks who last changed the shipment and its containers before that moment. The ledger shows how many changes came
 * since then.
 */
export async function restoreLastChanges(db: Db, { accountId, shipmentId, entries, later }: PastMoment): Promise<void> {
  const changed = (of: readonly LedgerEntry[]) => Map.groupBy(of.filter(isChange), getChangedId)
  const since = changed(later)
  for (const id of changed(entries).keys()) {
    const by = await findChange(db, { accountId, targetId: id, later: since.get(id)?.length ?? 0 })
    if (by === null) continue
    const mark = id === shipmentId ? setShipmentChangedBy : setContainerChangedBy
    await mark(db, { accountId, id, by })
  }
}

/** What a user does and states at the same time is one change. */
function isChange(entry: LedgerEntry): boolean {
  if (entry.kind === 'heard') return entry.payload.via === 'human' && entry.payload.isSameChange !== true
  return entry.kind === 'user_action' && entry.payload.action !== 'update_request'
}

function getChangedId({ shipmentId, payload }: LedgerEntry): string {
  return 'containerId' in payload ? payload.containerId : (shipmentId ?? '')
}

/**
 * Finds who made one of the changes that users made to a shipment or container: the change after which `later` others
 * came. It counts from the newest, because the ledger is older than the audit log. Null when the log does not have the
 * change.
 */
async function findChange(
  db: Db,
  of: { readonly accountId: string; readonly targetId: string; readonly later: number },
): Promise<LastChangedBy | null> {
  const { rows } = await db.query<{ type: ActorType; id: string | null; at: string }>({
    name: 'state_at_change',
    text: `select actor_type as type, actor_id as id, at
             from public.audit_events
            where account_id = $1 and target_id = $2
              and action in ('shipment.updated', 'shipment.tracking_stopped', 'shipment.tracking_resumed',
                             'container.updated', 'container.stated')
            order by at desc, id desc
            offset $3 limit 1`,
    values: [of.accountId, of.targetId, of.later],
  })
  const row = rows[0]
  return row === undefined ? null : { actor: { type: row.type, id: row.id }, at: row.at }
}
