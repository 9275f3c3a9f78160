/**
 * A message part that no shipment has used for long enough expires: its content is deleted; its row stays and records
 * that.
 */

import type { Db } from '../../db/database.ts'

/** Takes the lock that excludes those who search what waits (`preventMentionExpiry`), until the transaction ends. */
export async function lockMentionExpiry(db: Db): Promise<void> {
  await db.query({
    name: 'mentions_expire_hold',
    text: `select pg_advisory_xact_lock(hashtext('mentions_expire'))`,
  })
}

export interface OldMention {
  readonly id: string
  readonly snapshotId: string
  readonly messageId: string
}

/**
 * Locks the oldest mentions of a channel that came before that time, that are neither stored permanently nor expired,
 * and that no task is about to pass to a listener. Rows that somebody else has locked are skipped until the next time.
 * Tasks and ingestions belong to accounts, so they are queried in statements of their own.
 */
export async function lockOldMentions(
  db: Db,
  of: { readonly channelId: string; readonly before: string; readonly limit: number },
): Promise<readonly OldMention[]> {
  const { rows } = await db.query<OldMention>({
    name: 'mentions_lock_old',
    text: `select m.id, m.snapshot_id as "snapshotId", m.message_id as "messageId"
             from mentions m
            where m.channel_id = $1 and m.received_at < $2 and m.expired_at is null and not m.is_kept
              and m.matched_at is not null
            order by m.received_at, m.id limit $3 for update of m skip locked`,
    values: [of.channelId, of.before, of.limit],
  })
  const { rows: tasks } = await db.query<{ mentionId: string }>({
    name: 'tasks_with_mentions',
    text: `select (t.payload ->> 'mention')::uuid as "mentionId" from tasks t
            where t.payload ? 'mention' and (t.payload ->> 'mention')::uuid = any($1::uuid[])`,
    values: [rows.map(({ id }) => id)],
  })
  const carried = new Set(tasks.map(({ mentionId }) => mentionId))
  return rows.filter(({ id }) => !carried.has(id))
}

/** Marks those of them that a shipment has used as stored permanently. Returns how many. */
export async function retainIngested(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ id: string }>({
    name: 'hearings_of_mentions',
    text: `select distinct mention_id as id from hearings where mention_id = any($1::uuid[])`,
    values: [ids],
  })
  const { rowCount } = await db.query({
    name: 'mentions_keep_heard',
    text: `update mentions set is_kept = true where id = any($1::uuid[])`,
    values: [rows.map(({ id }) => id)],
  })
  return rowCount ?? 0
}

/**
 * Expires those that are not stored permanently. `ids` are of mentions that are locked, so nobody ingests them now (an
 * ingestion refers to its mention), and no new task refers to them (`lockMentionExpiry`). When an expired mention is sent
 * once more under its key, it counts as a new delivery. Returns the ids that expired.
 */
export async function expireUnmatched(
  db: Db,
  of: { readonly ids: readonly string[]; readonly at: string },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'mentions_expire',
    text: `with gone as (
             update mentions m
                set expired_at = $2, snapshot_id = null, delivery_key = 'expired ' || m.id
              where m.id = any($1::uuid[]) and not m.is_kept
             returning m.id
           ), numbers as (
             delete from mention_numbers n using gone where n.mention_id = gone.id
           )
           select id from gone`,
    values: [of.ids, of.at],
  })
  return rows.map(({ id }) => id)
}

/**
 * Deletes those of these snapshots to which no mention refers any more. Snapshots of channels that are polled stay,
 * because they may be the answer to a poll. A snapshot that a delivery writes at this moment is skipped. The delete is
 * a second statement, so that it sees what was committed before the lock.
 */
export async function dropUnmentionedSnapshots(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ id: string }>({
    name: 'snapshots_lock_unmentioned',
    text: `select id from kept_snapshots where id = any($1::uuid[]) order by id for update skip locked`,
    values: [ids],
  })
  if (rows.length === 0) return 0
  const { rowCount } = await db.query({
    name: 'snapshots_drop_unmentioned',
    text: `delete from kept_snapshots s
            where s.id = any($1::uuid[])
              and not exists (select from mentions m where m.snapshot_id = s.id)
              and not exists (select from subjects b join channels c on c.id = b.credential_id
                               where b.id = s.subject_id and c.is_asked)`,
    values: [rows.map(({ id }) => id)],
  })
  return rowCount ?? 0
}

/** Deletes the body of a message when all of its parts have expired. */
export async function dropExpiredBodies(db: Db, messageIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'inbound_message_bodies_drop',
    text: `update inbound_messages i set body = null, sealed_body = null
            where i.id = any($1::uuid[]) and num_nonnulls(i.body, i.sealed_body) > 0 and i.parts_taken >= i.parts
              and not exists (select from mentions m where m.message_id = i.id and m.expired_at is null)`,
    values: [messageIds],
  })
}
