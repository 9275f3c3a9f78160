/**
 * What people have done with exceptions: which are set aside, and until when; which are done, and on what basis; and to
 * whom a container, shipment or request is assigned.
 */

import type { Db } from '../../db/database.ts'
import type { ItemKey } from '../../domain/view/attention-item.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'

interface SnoozeKey extends ItemKey {
  readonly accountId: string
}

interface SubjectKey {
  readonly accountId: string
  readonly subjectId: string
}

/** Replaces the mark that the item is done. */
export async function putSnooze(
  db: Db,
  snooze: SnoozeKey & { readonly until: string; readonly by: LastChangedBy },
): Promise<void> {
  await db.query({
    name: 'attention_snooze_put',
    text: `insert into attention_snoozes (account_id, reason, subject_id, until, snoozed_by) values ($1, $2, $3, $4, $5)
           on conflict (account_id, reason, subject_id)
           do update set until = excluded.until, snoozed_by = excluded.snoozed_by, done_basis = null, changed_at = null`,
    values: [snooze.accountId, snooze.reason, snooze.subjectId, snooze.until, JSON.stringify(snooze.by)],
  })
}

/** Replaces the time until which the items are set aside. */
export async function putDone(
  db: Db,
  { accountId, subjectId, items, by }: SubjectKey & { readonly items: readonly DoneItem[]; readonly by: LastChangedBy },
): Promise<void> {
  await db.query({
    name: 'attention_done_put',
    text: `insert into attention_snoozes (account_id, reason, subject_id, done_basis, changed_at, snoozed_by)
           select $1, d.reason, $2, d.basis, $3, $4 from unnest($5::text[], $6::text[]) d (reason, basis)
           on conflict (account_id, reason, subject_id)
           do update set until = null, done_basis = excluded.done_basis, changed_at = excluded.changed_at,
                         snoozed_by = excluded.snoozed_by`,
    values: [
      accountId,
      subjectId,
      by.at,
      JSON.stringify(by),
      items.map(({ reason }) => reason),
      items.map(({ basis }) => basis),
    ],
  })
}

interface DoneItem {
  readonly reason: string
  readonly basis: string
}

/** Until when it was set aside; null when it was not. */
export async function deleteSnooze(db: Db, { accountId, reason, subjectId }: SnoozeKey): Promise<string | null> {
  const { rows } = await db.query<{ until: string }>({
    name: 'attention_snooze_delete',
    text: `delete from attention_snoozes where account_id = $1 and reason = $2 and subject_id = $3 and until is not null
           returning until`,
    values: [accountId, reason, subjectId],
  })
  return rows[0]?.until ?? null
}

/** Of all its reasons: they are neither done nor set aside. */
export async function deleteItemMarks(db: Db, { accountId, subjectId }: SubjectKey): Promise<void> {
  await db.query({
    name: 'attention_marks_delete',
    text: `delete from attention_snoozes where account_id = $1 and subject_id = $2 and reason <> 'any'`,
    values: [accountId, subjectId],
  })
}

/** Null: to nobody. */
export async function putAssignee(
  db: Db,
  { accountId, subjectId, userId, by }: SubjectKey & { readonly userId: string | null; readonly by: LastChangedBy },
): Promise<void> {
  await db.query({
    name: 'attention_assignee_put',
    text: `insert into attention_snoozes (account_id, reason, subject_id, assigned_to, changed_at, snoozed_by)
           values ($1, 'any', $2, $3, $4, $5)
           on conflict (account_id, reason, subject_id)
           do update set assigned_to = excluded.assigned_to, changed_at = excluded.changed_at, snoozed_by = excluded.snoozed_by`,
    values: [accountId, subjectId, userId, by.at, JSON.stringify(by)],
  })
}

export interface AttentionMark {
  /** `any`: the mark is of the subject as a whole. */
  readonly reason: string
  readonly subjectId: string
  /** Null when it is not set aside, or the time is over. */
  readonly until: string | null
  readonly doneBasis: string | null
  /** Null when the person is no longer a member. */
  readonly assignedTo: string | null
}

export async function listMarks(
  db: Db,
  of: { readonly accountId: string; readonly subjectIds: readonly string[]; readonly now: string },
): Promise<readonly AttentionMark[]> {
  const { rows } = await db.query<AttentionMark>({
    name: 'attention_marks_list',
    text: `select z.reason, z.subject_id as "subjectId", case when z.until > $3 then z.until end as until,
                  z.done_basis as "doneBasis", m.user_id as "assignedTo"
             from attention_snoozes z
             left join memberships m on m.account_id = $1 and m.user_id = z.assigned_to
            where z.account_id = $1 and z.subject_id = any($2::uuid[])`,
    values: [of.accountId, of.subjectIds, of.now],
  })
  return rows
}

/** How many items may be hidden, at most `max`. */
export async function countMarks(
  db: Db,
  { accountId, max }: { readonly accountId: string; readonly max: number },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'attention_marks_count',
    text: `select count(*)::int as count
             from (select from attention_snoozes where account_id = $1 and reason <> 'any' limit $2) few`,
    values: [accountId, max],
  })
  return rows[0]?.count ?? 0
}

/** How many containers, shipments and requests were done since then. */
export async function countDone(
  db: Db,
  { accountId, since }: { readonly accountId: string; readonly since: string },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'attention_done_count',
    text: `select count(distinct subject_id)::int as count from attention_snoozes
            where account_id = $1 and done_basis is not null and changed_at >= $2`,
    values: [accountId, since],
  })
  return rows[0]?.count ?? 0
}

/** Two people who change the same entry wait for each other. */
export async function lockSubject(db: Db, { accountId, subjectId }: SubjectKey): Promise<void> {
  await db.query({
    name: 'attention_subject_lock',
    text: `select pg_advisory_xact_lock(hashtextextended('attention' || $1::text || $2::text, 0))`,
    values: [accountId, subjectId],
  })
}

export async function isMember(db: Db, of: { readonly accountId: string; readonly id: string }): Promise<boolean> {
  const { rows } = await db.query({
    name: 'attention_member_find',
    text: 'select from memberships where account_id = $1 and user_id = $2',
    values: [of.accountId, of.id],
  })
  return rows.length > 0
}

/** Whether the account has a container, shipment or request with this id. */
export async function hasSubject(db: Db, of: { readonly accountId: string; readonly id: string }): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>({
    name: 'attention_subject_find',
    text: `select exists (select from containers where account_id = $1 and id = $2)
               or exists (select from shipments where account_id = $1 and id = $2)
               or exists (select from tracking_requests where account_id = $1 and id = $2) as found`,
    values: [of.accountId, of.id],
  })
  return rows[0]?.found === true
}

/** Forgets those whose time is over, and what was done or assigned before `before`; returns how many. */
export async function forgetSnoozes(
  db: Db,
  of: { readonly now: string; readonly before: string; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'attention_snoozes_forget',
    text: `delete from attention_snoozes z using (
             (select account_id, reason, subject_id from attention_snoozes where until <= $1 limit $3)
             union all
             (select account_id, reason, subject_id from attention_snoozes
               where until is null and changed_at <= $2 limit $3)) o
            where z.account_id = o.account_id and z.reason = o.reason and z.subject_id = o.subject_id`,
    values: [of.now, of.before, of.limit],
  })
  return rowCount ?? 0
}
