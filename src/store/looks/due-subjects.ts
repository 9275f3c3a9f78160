/**
 * Subjects that are due, taken in turn, so that many workers share the schedule and no account waits for another
 * (docs/decisions/0027).
 */

import { nothingSpent } from '../../core/looking/request-budget.ts'
import {
  dueTurns,
  lanes,
  type ReadyChannel,
  readyColumns,
  readyIn,
  type TurnKey,
} from '../channels/channel-queue.ts'
import type { Db } from '../database.ts'
import type { SubjectKind } from './subjects.ts'

/** A subject that was taken for a look, with the access that its credential gives. */
export interface DueSubject {
  readonly id: string
  readonly credentialId: string
  readonly scac: string
  readonly kind: SubjectKind
  readonly number: string
  readonly createdAt: string
  readonly lastSnapshotId: string | null
  readonly isUnconfirmed: boolean
  readonly failures: number
  /** How many requests its last look took. */
  readonly requests: number
  readonly etag: string | null
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly secretSealed: Buffer | null
  readonly isFiction: boolean
  /** How many times in a row its line asked for a pause, or a pause was necessary. */
  readonly refusals: number
}

/** A subject as it is found in a turn. How it is asked is known from its channel. */
export type SubjectInTurn = Omit<
  DueSubject,
  'credentialId' | 'source' | 'profile' | 'secretSealed' | 'isFiction' | 'refusals'
>

/** What is due in an account's turn, longest due first; empty when there is nothing after all. */
export interface SubjectTurn extends TurnKey {
  readonly subjects: readonly SubjectInTurn[]
}

/** A channel and the turns that are due there; no turns where the channel is closed. */
export interface ReadyLooks extends ReadyChannel {
  readonly turns: readonly SubjectTurn[]
}

const readyLooks = `
  select ${readyColumns(lanes.looks)},
         t.urgency, t.account_id as "accountId", s.id as "subjectId", s.scac, s.kind, s.number, s.created_at as "createdAt",
         s.last_snapshot_id as "lastSnapshotId", s.is_unconfirmed as "isUnconfirmed", s.failures, s.requests as "subjectRequests",
         s.etag
    from ${readyIn('looks')}
    left join lateral ${dueTurns('$2')} t on k.closed_until is null
    left join lateral (
      select d.* from subjects d
       where d.credential_id = q.channel_id and d.urgency = t.urgency and d.dealt_to = t.account_id
         and d.next_look_at <= $1 and (d.leased_until is null or d.leased_until < $1)
       order by d.next_look_at, d.id limit $2 for no key update skip locked) s on true
   order by q.ready_at, q.channel_id, t.urgency, t.ready_at, t.account_id, s.next_look_at, s.id`

type ReadyRow = ReadyChannel &
  Omit<SubjectInTurn, 'id' | 'requests'> & {
    readonly urgency: number | null
    readonly accountId: string
    readonly subjectId: string | null
    readonly subjectRequests: number
  }

/**
 * Locks up to `limit` channels that are ready, longest first, and the subjects that are due there: up to `limit` of
 * each turn, without those that are under way. Both stay locked until the transaction ends.
 */
export async function lockReadyLooks(
  db: Db,
  of: { readonly now: string; readonly limit: number },
): Promise<readonly ReadyLooks[]> {
  const values = [of.now, of.limit]
  const { rows } = await db.query<ReadyRow>({ name: 'channels_ready_looks', text: readyLooks, values })
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((ofChannel): readonly ReadyLooks[] => {
    const [channel] = ofChannel
    if (channel === undefined) return []
    const turns = Map.groupBy(ofChannel, ({ urgency, accountId }) => `${urgency} ${accountId}`)
    return [
      {
        ...channel,
        spending: { ...nothingSpent, ...channel.spending },
        turns: [...turns.values()].flatMap(turnOf),
      },
    ]
  })
}

function turnOf(rows: readonly ReadyRow[]): readonly SubjectTurn[] {
  const [first] = rows
  if (first === undefined || first.urgency === null) return []
  const { id: channelId, urgency, accountId } = first
  const subjects = rows.flatMap((row): readonly SubjectInTurn[] =>
    row.subjectId === null ? [] : [{ ...row, id: row.subjectId, requests: row.subjectRequests }],
  )
  return [{ channelId, urgency, accountId, subjects }]
}
