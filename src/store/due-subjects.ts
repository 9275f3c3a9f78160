/** Subjects that are due, taken under a lease: in turn, so that many workers share the schedule and no account waits for another. */

import { dueTurns, type TurnKey } from './channel-queue.ts'
import type { Db } from './database.ts'
import type { SubjectKind } from './subjects.ts'

/** A subject taken for a look, with the access that its credential gives. */
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
  /** How often in a row its line has asked to be left alone. */
  readonly refusals: number
}

/** As it is found: how it is asked is its channel's. */
export type SubjectInTurn = Omit<
  DueSubject,
  'credentialId' | 'source' | 'profile' | 'secretSealed' | 'isFiction' | 'refusals'
>

/** What is due of an account's turn, the longest due first; empty when it has nothing after all. */
export interface SubjectTurn extends TurnKey {
  readonly subjects: readonly SubjectInTurn[]
}

/**
 * What is due at these channels, as many of each turn as its channel has room for; none that is under way. Locked until the
 * transaction ends. The caller holds the channels.
 */
export async function findDueTurns(
  db: Db,
  of: {
    readonly now: string
    readonly channels: readonly { readonly id: string; readonly room: number }[]
  },
): Promise<readonly SubjectTurn[]> {
  const { rows } = await db.query<SubjectInTurn & TurnKey & { readonly id: string | null }>({
    name: 'subjects_due_in_turn',
    text: `select w.channel_id as "channelId", t.urgency, t.account_id as "accountId",
                  s.id, s.scac, s.kind, s.number, s.created_at as "createdAt",
                  s.last_snapshot_id as "lastSnapshotId", s.is_unconfirmed as "isUnconfirmed", s.failures, s.requests, s.etag
             from unnest($2::uuid[], $3::integer[]) with ordinality as w (channel_id, room, place)
            cross join lateral ${dueTurns} t
             left join lateral (
               select b.* from subjects b
                where b.credential_id = w.channel_id and b.urgency = t.urgency and b.dealt_to = t.account_id
                  and b.next_look_at <= $1 and (b.leased_until is null or b.leased_until < $1)
                order by b.next_look_at, b.id limit w.room for no key update skip locked) s on true
            order by w.place, t.urgency, t.ready_at, t.account_id, s.next_look_at, s.id`,
    values: [of.now, of.channels.map(({ id }) => id), of.channels.map(({ room }) => room)],
  })
  const turnOf = (row: TurnKey): string => `${row.channelId} ${row.urgency} ${row.accountId}`
  return [...Map.groupBy(rows, turnOf).values()].flatMap((of): readonly SubjectTurn[] => {
    const [first] = of
    if (first === undefined) return []
    const { channelId, urgency, accountId } = first
    return [{ channelId, urgency, accountId, subjects: of.filter(({ id }) => id !== null) }]
  })
}

export async function leaseSubjects(
  db: Db,
  lease: { readonly ids: readonly string[]; readonly token: string; readonly until: string },
): Promise<void> {
  if (lease.ids.length === 0) return
  await db.query({
    name: 'subjects_lease',
    text: `update subjects set lease_token = $2, leased_until = $3 where id = any($1::uuid[])`,
    values: [lease.ids, lease.token, lease.until],
  })
}
