/**
 * Numbers that came through an account's own channel and that the account did not know, and the requests that are made
 * of them.
 */

import type { MentionedNumber } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'
import type { RowOfAccount } from '../../db/distributed/acquire-per-account.ts'

export const wantedStatuses = ['waiting', 'made', 'known', 'refused'] as const
export type WantedStatus = (typeof wantedStatuses)[number]

/** At most one row for each message part. */
export async function insertWantedRequest(
  db: Db,
  of: MentionedNumber & {
    readonly mentionId: string
    readonly channelId: string
    readonly accountId: string
    /** Real clock. */
    readonly at: string
  },
): Promise<void> {
  await db.query({
    name: 'wanted_request_note',
    text: `insert into wanted_requests (account_id, mention_id, channel_id, kind, number, not_before, noted_at)
           values ($1, $2, $3, $4, $5, $6, $6) on conflict do nothing`,
    values: [of.accountId, of.mentionId, of.channelId, of.kind, of.number, of.at],
  })
}

export interface WantedRequest extends MentionedNumber {
  readonly mentionId: string
  readonly messageId: string
  readonly about: readonly MentionedNumber[]
  readonly channelId: string
  readonly channel: string
  readonly speakerKind: string
  readonly speakerCode: string
  readonly createsRequests: boolean
  /** How many requests the channel may make in any 24 hours, and how many it has made in the last 24. */
  readonly createsPerDay: number
  readonly madeToday: number
  readonly accountId: string
  readonly companyName: string
  readonly isSandbox: boolean
  readonly token: string
}

/** The oldest numbers of the account that has waited longest, oldest first. Nobody else leases them until `until`. */
export async function leaseWantedRequests(
  db: Db,
  of: {
    readonly token: string
    readonly now: string
    readonly until: string
    readonly dayAgo: string
    readonly limit: number
  },
): Promise<readonly WantedRequest[]> {
  const leased = await db.query<RowOfAccount>({
    name: 'wanted_requests_lease',
    text: `with due as (
             select w.mention_id
               from wanted_requests w
              where w.status = 'waiting' and w.not_before <= $1
                and w.account_id = (select n.account_id from wanted_requests n
                                     where n.status = 'waiting' and n.not_before <= $1 order by n.not_before limit 1)
              order by w.noted_at, w.mention_id
              limit $3
              for update skip locked
           )
           update wanted_requests w set not_before = $2, lease_token = $4 from due
            where w.mention_id = due.mention_id returning w.account_id as "accountId", w.mention_id as id`,
    values: [of.now, of.until, of.limit, of.token],
  })
  const accountId = leased.rows[0]?.accountId
  if (accountId === undefined) return []
  const { rows } = await db.query<WantedRequest>({
    name: 'wanted_requests_leased',
    text: `select l.mention_id as "mentionId", l.kind, l.number, m.message_id as "messageId", m.about, l.channel_id as "channelId",
                  c.name as channel, c.speaker_kind as "speakerKind", c.scac as "speakerCode",
                  c.creates_requests as "createsRequests", c.creates_per_day as "createsPerDay",
                  (select count(*)::int from wanted_requests o
                    where o.channel_id = l.channel_id and o.status = 'made' and o.made_at > $3) as "madeToday",
                  l.account_id as "accountId", a.company_name as "companyName", a.is_fiction as "isSandbox", l.lease_token as token
             from wanted_requests l
             join mentions m on m.id = l.mention_id
             join channels c on c.id = l.channel_id
             join accounts a on a.id = l.account_id
            where l.account_id = $4 and l.mention_id = any($1::uuid[]) and l.lease_token = $2
            order by l.noted_at, l.mention_id`,
    values: [leased.rows.map(({ id }) => id), of.token, of.dayAgo, accountId],
  })
  return rows
}

export type WantedRequestResult =
  | { readonly status: 'waiting'; readonly reason: string; readonly notBefore: string }
  | { readonly status: 'made' | 'known'; readonly trackingRequestId: string | null; readonly at: string }
  | { readonly status: 'refused'; readonly reason: string }

/** Does nothing when another worker has it by now. */
export async function completeWantedRequest(
  db: Db,
  of: {
    readonly accountId: string
    readonly mentionId: string
    readonly token: string
    readonly end: WantedRequestResult
  },
): Promise<void> {
  const { end } = of
  await db.query({
    name: 'wanted_request_settle',
    text: `update wanted_requests
              set status = $3, reason = $4, not_before = coalesce($5, not_before), tracking_request_id = $6, made_at = $7,
                  lease_token = null
            where account_id = $1 and mention_id = $2 and status = 'waiting' and lease_token = $8`,
    values: [
      of.accountId,
      of.mentionId,
      end.status,
      'reason' in end ? end.reason : null,
      end.status === 'waiting' ? end.notBefore : null,
      'trackingRequestId' in end ? end.trackingRequestId : null,
      end.status === 'made' ? end.at : null,
      of.token,
    ],
  })
}

/** Whether the account has, or had, a shipment of that bill or booking, however long ago. */
export async function knowsDocument(db: Db, of: MentionedNumber & { readonly accountId: string }): Promise<boolean> {
  const { rows } = await db.query({
    name: 'document_known',
    text: `select from shipment_documents where account_id = $1 and number = $2 and kind = $3 limit 1`,
    values: [of.accountId, of.number, of.kind],
  })
  return rows.length > 0
}
