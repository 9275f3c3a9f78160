/** Which exceptions people have set aside, and until when. */

import type { Db } from '../../db/database.ts'
import type { ItemKey } from '../../domain/view/attention-item.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'

interface SnoozeKey extends ItemKey {
  readonly accountId: string
}

export async function putSnooze(
  db: Db,
  snooze: SnoozeKey & { readonly until: string; readonly by: LastChangedBy },
): Promise<void> {
  await db.query({
    name: 'attention_snooze_put',
    text: `insert into attention_snoozes (account_id, reason, subject_id, until, snoozed_by) values ($1, $2, $3, $4, $5)
           on conflict (account_id, reason, subject_id)
           do update set until = excluded.until, snoozed_by = excluded.snoozed_by`,
    values: [snooze.accountId, snooze.reason, snooze.subjectId, snooze.until, JSON.stringify(snooze.by)],
  })
}

/** Until when it was set aside; null when it was not. */
export async function deleteSnooze(db: Db, { accountId, reason, subjectId }: SnoozeKey): Promise<string | null> {
  const { rows } = await db.query<{ until: string }>({
    name: 'attention_snooze_delete',
    text: `delete from attention_snoozes where account_id = $1 and reason = $2 and subject_id = $3 returning until`,
    values: [accountId, reason, subjectId],
  })
  return rows[0]?.until ?? null
}

export async function listSnoozes(
  db: Db,
  of: { readonly accountId: string; readonly subjectIds: readonly string[]; readonly now: string },
): Promise<readonly (ItemKey & { readonly until: string })[]> {
  const { rows } = await db.query<ItemKey & { readonly until: string }>({
    name: 'attention_snoozes_list',
    text: `select reason, subject_id as "subjectId", until from attention_snoozes
            where account_id = $1 and subject_id = any($2::uuid[]) and until > $3`,
    values: [of.accountId, of.subjectIds, of.now],
  })
  return rows
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

/** Forgets those whose time is over; returns how many. */
export async function forgetSnoozes(db: Db, of: { readonly now: string; readonly limit: number }): Promise<number> {
  const { rowCount } = await db.query({
    name: 'attention_snoozes_forget',
    text: `delete from attention_snoozes z using (
             select account_id, reason, subject_id from attention_snoozes where until <= $1 limit $2) o
            where z.account_id = o.account_id and z.reason = o.reason and z.subject_id = o.subject_id`,
    values: [of.now, of.limit],
  })
  return rowCount ?? 0
}
