/**
 * Poll targets that are due, selected by account in rotation, so that many workers share the schedule and no account
 * waits for another (docs/decisions/0027).
 */

import type { Db } from '../../db/database.ts'
import { noUsage } from '../../domain/polling/request-budget.ts'
import {
  dueSubqueuesSql,
  lanes,
  type ReadyChannel,
  readyChannelsSql,
  readyColumns,
  type SubqueueKey,
} from './channel-queue-sql.ts'
import type { PollTargetKind } from './poll-targets-sql.ts'

/** A poll target that was leased for a poll, with the access that its credential gives. */
export interface DuePollTarget {
  readonly id: string
  readonly credentialId: string
  readonly scac: string
  readonly kind: PollTargetKind
  readonly number: string
  readonly createdAt: string
  readonly lastSnapshotId: string | null
  readonly isUnconfirmed: boolean
  readonly failures: number
  /** How many requests its last poll needed. */
  readonly requests: number
  readonly etag: string | null
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly encryptedSecret: Buffer | null
  readonly isSandbox: boolean
  /** How many times in a row its line requested a cooldown, or a cooldown was necessary. */
  readonly refusals: number
}

/** A poll target as it is found in a subqueue. How it is polled is known from its channel. */
export type QueuedPollTarget = Omit<
  DuePollTarget,
  'credentialId' | 'source' | 'profile' | 'encryptedSecret' | 'isSandbox' | 'refusals'
>

/** What is due in an account's subqueue, longest due first; empty when nothing is due after all. */
export interface PollTargetSubqueue extends SubqueueKey {
  readonly pollTargets: readonly QueuedPollTarget[]
}

/** A channel and the subqueues that are due there; no subqueues where the channel is closed. */
export interface ReadyPolls extends ReadyChannel {
  readonly subqueues: readonly PollTargetSubqueue[]
}

const readyPolls = `
  select ${readyColumns(lanes.looks)},
         t.urgency, t.account_id as "accountId", s.id as "subjectId", s.scac, s.kind, s.number, s.created_at as "createdAt",
         s.last_snapshot_id as "lastSnapshotId", s.is_unconfirmed as "isUnconfirmed", s.failures, s.requests as "subjectRequests",
         s.etag
    from ${readyChannelsSql('looks')}
    left join lateral ${dueSubqueuesSql('$2')} t on k.closed_until is null
    left join lateral (
      select d.* from subjects d
       where d.credential_id = q.channel_id and d.urgency = t.urgency and d.dealt_to = t.account_id
         and d.next_look_at <= $1 and (d.leased_until is null or d.leased_until < $1)
       order by d.next_look_at, d.id limit $2 for no key update skip locked) s on true
   order by q.ready_at, q.channel_id, t.urgency, t.ready_at, t.account_id, s.next_look_at, s.id`

type ReadyRow = ReadyChannel &
  Omit<QueuedPollTarget, 'id' | 'requests'> & {
    readonly urgency: number | null
    readonly accountId: string
    readonly subjectId: string | null
    readonly subjectRequests: number
  }

/**
 * Locks up to `limit` channels that are ready, longest first, and the poll targets that are due there: up to `limit` of
 * each subqueue, without those that are under way. Both stay locked until the transaction ends.
 */
export async function lockReadyPolls(
  db: Db,
  of: { readonly now: string; readonly limit: number },
): Promise<readonly ReadyPolls[]> {
  const values = [of.now, of.limit]
  const { rows } = await db.query<ReadyRow>({ name: 'channels_ready_looks', text: readyPolls, values })
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((ofChannel): readonly ReadyPolls[] => {
    const [channel] = ofChannel
    if (channel === undefined) return []
    const subqueues = Map.groupBy(ofChannel, ({ urgency, accountId }) => `${urgency} ${accountId}`)
    return [
      {
        ...channel,
        spending: { ...noUsage, ...channel.spending },
        subqueues: [...subqueues.values()].flatMap(toSubqueues),
      },
    ]
  })
}

function toSubqueues(rows: readonly ReadyRow[]): readonly PollTargetSubqueue[] {
  const [first] = rows
  if (first === undefined || first.urgency === null) return []
  const { id: channelId, urgency, accountId } = first
  const pollTargets = rows.flatMap((row): readonly QueuedPollTarget[] =>
    row.subjectId === null ? [] : [{ ...row, id: row.subjectId, requests: row.subjectRequests }],
  )
  return [{ channelId, urgency, accountId, pollTargets }]
}
