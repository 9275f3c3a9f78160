/** The shapes of the answers of each polled channel, and the answers that were not looked at yet. */

import type { Db } from '../../db/database.ts'
import type { AnswerShape, ShapeChange } from '../../domain/tracking-requests/answer-shape.ts'

export interface ShapeToLearn {
  readonly credentialId: string
  readonly scac: string
  readonly isSandbox: boolean
  /** Null before the first answer. */
  readonly shape: AnswerShape | null
  readonly readTo: string | null
  /** The newest answers since then, oldest first. */
  readonly snapshots: readonly { readonly id: string; readonly at: string }[]
}

/** `answersMax`: of each channel; of more answers only the newest are read. */
export async function findShapesToLearn(db: Db, answersMax: number): Promise<readonly ShapeToLearn[]> {
  const { rows } = await db.query<ShapeToLearn>({
    name: 'answer_shapes_due',
    text: `select c.id as "credentialId", c.scac, c.is_fiction as "isSandbox", to_jsonb(s.read_to) #>> '{}' as "readTo",
                  case when s.credential_id is not null then
                    jsonb_build_object('answers', s.answers, 'members', s.members, 'changes', s.changes) end as shape,
                  a.snapshots
             from channels c
             left join answer_shapes s on s.credential_id = c.id
            cross join lateral (
              select jsonb_agg(jsonb_build_object('id', snapshot_id, 'at', ended_at) order by ended_at) as snapshots
                from (select snapshot_id, ended_at from looks
                       where credential_id = c.id and events_told > events_aside and snapshot_id is not null
                         and ended_at > coalesce(s.read_to, '-infinity')
                       order by ended_at desc limit $1) newest) a
            where c.is_asked and c.source <> 'test' and a.snapshots is not null`,
    values: [answersMax],
  })
  return rows
}

/** Returns false when another process has read these answers meanwhile. */
export async function writeShape(
  db: Db,
  of: {
    readonly credentialId: string
    readonly shape: AnswerShape
    readonly before: string | null
    readonly readTo: string
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'answer_shape_write',
    text: `insert into answer_shapes as s (credential_id, answers, members, changes, read_to)
           values ($1, $2, $3, $4, $6)
           on conflict (credential_id) do update
              set answers = excluded.answers, members = excluded.members, changes = excluded.changes,
                  read_to = excluded.read_to
            where s.read_to is not distinct from $5::timestamptz`,
    values: [
      of.credentialId,
      of.shape.answers,
      JSON.stringify(of.shape.members),
      JSON.stringify(of.shape.changes),
      of.before,
      of.readTo,
    ],
  })
  return rowCount === 1
}

/** Null before the first answer. */
export async function findAnswerShape(db: Db, credentialId: string): Promise<AnswerShape | null> {
  const { rows } = await db.query<AnswerShape>({
    name: 'answer_shape_find',
    text: `select answers, members, changes from answer_shapes where credential_id = $1`,
    values: [credentialId],
  })
  return rows[0] ?? null
}

/** The newest answers with events, newest first. */
export async function findNewestAnswers(
  db: Db,
  of: { readonly credentialId: string; readonly answersMax: number },
): Promise<readonly { readonly snapshotId: string; readonly at: string }[]> {
  const { rows } = await db.query<{ snapshotId: string; at: string }>({
    name: 'answers_newest',
    text: `select snapshot_id as "snapshotId", ended_at as at from looks
            where credential_id = $1 and events_told > events_aside and snapshot_id is not null
            order by ended_at desc limit $2`,
    values: [of.credentialId, of.answersMax],
  })
  return rows
}

export interface CountedChange extends ShapeChange {
  /** Answers that were read, and those of them that have the member. */
  readonly answers: number
  readonly having: number
}

export interface ChannelChanges {
  readonly credentialId: string
  readonly scac: string
  readonly isSandbox: boolean
  readonly changes: readonly CountedChange[]
}

/** Of the channels of the account and of the installation; `accountId` null: of all. */
export async function listShapeChanges(
  db: Db,
  of: { readonly accountId: string | null; readonly since: string },
): Promise<readonly ChannelChanges[]> {
  const { rows } = await db.query<ChannelChanges>({
    name: 'answer_shape_changes',
    text: `select c.id as "credentialId", c.scac, c.is_fiction as "isSandbox",
                  jsonb_agg(h || jsonb_build_object('answers', s.answers,
                    'having', coalesce((s.members -> (h ->> 'member') ->> 'answers')::integer, 0))
                    order by h ->> 'since') as changes
             from answer_shapes s join channels c on c.id = s.credential_id
            cross join lateral jsonb_array_elements(s.changes) h
            where ($1::uuid is null or c.account_id = $1 or c.account_id is null)
              and (h ->> 'since')::timestamptz >= $2
            group by c.id, c.scac, c.is_fiction order by c.scac, c.id`,
    values: [of.accountId, of.since],
  })
  return rows
}
