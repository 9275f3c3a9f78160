/** Messages to chats on their way: each is tried until the receiver accepted it, or until it is given up. */

import type { Db } from '../../db/database.ts'
import { acquirePerAccount, type RowOfAccount } from '../../db/distributed/acquire-per-account.ts'
import type { UrlFormat } from '../../modules/alerts/alert-rules-sql.ts'

export async function insertAlertMessage(
  db: Db,
  message: {
    readonly accountId: string
    readonly id: string
    readonly ruleId: string
    readonly body: unknown
    readonly now: string
  },
): Promise<void> {
  await db.query({
    name: 'alert_message_insert',
    text: `insert into alert_messages (account_id, id, rule_id, body, made_at, status, next_attempt_at)
           values ($1, $2, $3, $4, $5, 'pending', $5)`,
    values: [message.accountId, message.id, message.ruleId, JSON.stringify(message.body), message.now],
  })
}

export interface LeasedMessage {
  readonly accountId: string
  readonly id: string
  readonly ruleId: string
  readonly body: unknown
  /** This attempt included. */
  readonly attempts: number
  readonly encryptedUrl: Buffer | null
  readonly urlFormat: UrlFormat | null
}

/** One message of each rule, those that have waited longest first. Any number of processes may do it at once. */
export async function leaseAlertMessages(
  db: Db,
  lease: { readonly token: string; readonly now: string; readonly until: string; readonly limit: number },
): Promise<readonly LeasedMessage[]> {
  const found = await db.query<RowOfAccount>({
    name: 'alert_messages_due',
    text: `select m.account_id as "accountId", m.id
             from alert_messages m
            where m.status = 'pending' and m.next_attempt_at <= $1 and (m.leased_until is null or m.leased_until <= $1)
              and not exists (select from alert_messages o
                               where o.account_id = m.account_id and o.rule_id = m.rule_id and o.status = 'pending'
                                 and (o.made_at, o.id) < (m.made_at, m.id))
            order by m.next_attempt_at limit $2`,
    values: [lease.now, lease.limit],
  })
  return acquirePerAccount(found.rows, async (accountId, ids) => {
    const { rows } = await db.query<LeasedMessage>({
      name: 'alert_messages_lease',
      text: `with free as (
               select id from alert_messages
                where account_id = $1 and id = any($2::uuid[]) and status = 'pending'
                  and (leased_until is null or leased_until <= $4)
                order by id for update skip locked
             )
             update alert_messages m set lease_token = $3, leased_until = $5, attempts = m.attempts + 1
               from free f, alert_rules r
              where m.account_id = $1 and m.id = f.id and r.account_id = $1 and r.id = m.rule_id
             returning m.account_id as "accountId", m.id, m.rule_id as "ruleId", m.body, m.attempts,
                       r.url_sealed as "encryptedUrl", r.url_format as "urlFormat"`,
      values: [accountId, ids, lease.token, lease.now, lease.until],
    })
    return rows
  })
}

/** False when the lease was lost. `nextAttemptAt`: null when it is sent, or given up. */
export async function endAlertAttempt(
  db: Db,
  ended: {
    readonly accountId: string
    readonly id: string
    readonly token: string
    readonly error: string | null
    readonly nextAttemptAt: string | null
    readonly now: string
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'alert_message_end_attempt',
    text: `update alert_messages
              set status = case when $4::text is null then 'sent' when $5::timestamptz is null then 'failed' else 'pending' end,
                  last_error = $4, next_attempt_at = coalesce($5, next_attempt_at),
                  ended_at = case when $4::text is null or $5::timestamptz is null then $6::timestamptz end,
                  lease_token = null, leased_until = null
            where account_id = $1 and id = $2 and lease_token = $3`,
    values: [ended.accountId, ended.id, ended.token, ended.error, ended.nextAttemptAt, ended.now],
  })
  return rowCount === 1
}

export interface MessageCounts {
  readonly ruleId: string
  readonly pending: number
  readonly failed: number
}

/** Of the messages that are stored. */
export async function countAlertMessages(db: Db, accountId: string): Promise<readonly MessageCounts[]> {
  const { rows } = await db.query<MessageCounts>({
    name: 'alert_messages_count',
    text: `select rule_id as "ruleId", count(*) filter (where status = 'pending')::int as pending,
                  count(*) filter (where status = 'failed')::int as failed
             from alert_messages where account_id = $1 group by rule_id`,
    values: [accountId],
  })
  return rows
}

/** Forgets messages that ended before; returns how many. */
export async function forgetAlertMessages(
  db: Db,
  of: { readonly before: string; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'alert_messages_forget',
    text: `delete from alert_messages m using (
             select account_id, id from alert_messages where status <> 'pending' and ended_at < $1 limit $2) o
            where m.account_id = o.account_id and m.id = o.id`,
    values: [of.before, of.limit],
  })
  return rowCount ?? 0
}
