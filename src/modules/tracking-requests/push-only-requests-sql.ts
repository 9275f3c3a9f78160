/**
 * Requests whose line is not polled but only sends: the channel through which they get messages, and which of them a
 * later channel can poll.
 */

import type { Db } from '../../db/database.ts'
import type { PollTargetKind } from '../../pipeline/polling/poll-targets-sql.ts'
import { liveOnes } from '../../pipeline/projection/live-statuses-sql.ts'

/**
 * The channel by which a line itself sends to this account, its own before one of the installation; null where there is
 * none. A channel of the installation does not count for a container number, because its messages about a container
 * without a bill are used for no account.
 */
export async function findPushAccess(
  db: Db,
  of: {
    readonly accountId: string
    readonly isSandbox: boolean
    readonly scac: string
    readonly kind: PollTargetKind
  },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'channel_told_by_line',
    text: `select id from channels
            where is_told and is_enabled and speaker_kind = 'shipping_line' and scac = $2 and is_fiction = $3
              and (account_id = $1 or account_id is null and $4 <> 'container')
            order by account_id nulls last, created_at, id
            limit 1`,
    values: [of.accountId, of.scac, of.isSandbox, of.kind],
  })
  return rows[0]?.id ?? null
}

export interface PushingLine {
  readonly scac: string
  /** True when it also sends about containers alone, through a channel of the account's own. */
  readonly isOwn: boolean
  /** The languages in which it sends. */
  readonly languages: readonly string[]
}

/** The lines that send to this account. */
export async function findPushingLines(
  db: Db,
  of: { readonly accountId: string; readonly isSandbox: boolean },
): Promise<readonly PushingLine[]> {
  const { rows } = await db.query<PushingLine>({
    name: 'lines_told_of',
    text: `select scac, bool_or(account_id is not null) as "isOwn", array_agg(distinct source order by source) as languages
             from channels
            where is_told and is_enabled and speaker_kind = 'shipping_line' and is_fiction = $2
              and (account_id = $1 or account_id is null)
            group by scac`,
    values: [of.accountId, of.isSandbox],
  })
  return rows
}

/** Called in the transaction that makes the request. */
export async function insertPushOnlyRequest(
  db: Db,
  of: {
    readonly accountId: string
    readonly id: string
    readonly scac: string
    readonly isSandbox: boolean
  },
): Promise<void> {
  await db.query({
    name: 'told_request_note',
    text: `insert into told_requests (account_id, tracking_request_id, scac, is_fiction) values ($1, $2, $3, $4)`,
    values: [of.accountId, of.id, of.scac, of.isSandbox],
  })
}

export async function deletePushOnlyRequest(
  db: Db,
  of: { readonly accountId: string; readonly id: string },
): Promise<void> {
  await db.query({
    name: 'told_request_end',
    text: `delete from told_requests where account_id = $1 and tracking_request_id = $2`,
    values: [of.accountId, of.id],
  })
}

export interface PollableAccess {
  readonly id: string
  readonly accountId: string | null
  readonly scac: string
  readonly isSandbox: boolean
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
}

/** Channels that can poll a line for which some request only waits; an account's own first. */
export async function findPollableAccesses(db: Db): Promise<readonly PollableAccess[]> {
  const { rows } = await db.query<PollableAccess>({
    name: 'channels_late',
    text: `with told as materialized (
             select distinct t.scac, t.is_fiction, t.account_id from told_requests t
              where t.scac = any(array(select scac from channels where is_asked and is_enabled))
           )
           select c.id, c.account_id as "accountId", c.scac, c.is_fiction as "isSandbox", c.source, c.profile
             from channels c
            where c.is_asked and c.is_enabled
              and exists (select from told t
                           where t.scac = c.scac and t.is_fiction = c.is_fiction
                             and (c.account_id is null or t.account_id = c.account_id))
            order by c.account_id nulls last, c.id`,
  })
  return rows
}

export interface PushOnlyRequest {
  readonly accountId: string
  readonly id: string
}

/** Live requests for which this channel can be polled. */
export async function findRequestsToPoll(
  db: Db,
  of: PollableAccess & { readonly requestTypes: readonly string[]; readonly limit: number },
): Promise<readonly PushOnlyRequest[]> {
  const { rows } = await db.query<PushOnlyRequest>({
    name: 'told_requests_to_ask',
    text: `select r.account_id as "accountId", r.id
             from told_requests t
             join tracking_requests r on r.account_id = t.account_id and r.id = t.tracking_request_id
            where t.scac = $1 and t.is_fiction = $2 and ($3::uuid is null or t.account_id = $3)
              and r.request_type = any($4) and r.status in ${liveOnes}
            order by r.created_at, r.id
            limit $5`,
    values: [of.scac, of.isSandbox, of.accountId, of.requestTypes, of.limit],
  })
  return rows
}
