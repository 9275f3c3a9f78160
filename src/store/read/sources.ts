/** The ways in through which an account hears of its boxes: whom Landfall asks, and who sends by himself. */

import type { SourceKind } from '../../core/observation.ts'
import type { NumberKind } from '../../sources/source.ts'
import { verifiedAt } from '../accounts.ts'
import type { Db } from '../database.ts'

export interface SourceRow {
  readonly id: string
  /** The account's own; else of the whole installation. */
  readonly isOwn: boolean
  /** Of a channel through which somebody sends; null for one that is only asked. */
  readonly name: string | null
  readonly speakerKind: SourceKind
  readonly speakerCode: string
  readonly language: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly isAsked: boolean
  readonly isTold: boolean
  /** By which it is asked besides, where it is told. */
  readonly asksBy: readonly NumberKind[]
  readonly isEnabled: boolean
  readonly verifiedAt: string | null
  readonly leftAloneUntil: string | null
  /** What was wrong when it was asked last; null when nothing was. */
  readonly trouble: string | null
  /** When it last told of something: in an answer, or in a message. */
  readonly heardAt: string | null
}

/** Two looks into an index for each. */
export async function listSources(
  db: Db,
  of: { readonly accountId: string; readonly isFiction: boolean },
): Promise<readonly SourceRow[]> {
  const { rows } = await db.query<SourceRow>({
    name: 'sources_of_account',
    text: `select c.id, c.account_id is not null as "isOwn", c.name, c.speaker_kind as "speakerKind", c.scac as "speakerCode",
                  c.source as language, c.profile, c.is_asked as "isAsked", c.is_told as "isTold", c.asks_by as "asksBy",
                  c.is_enabled as "isEnabled", ${verifiedAt} as "verifiedAt", c.left_alone_until as "leftAloneUntil",
                  c.asking_trouble as trouble, greatest(answer.at, message.at, c.answered_at) as "heardAt"
             from channels c
             left join lateral (
                    select ended_at as at from looks
                     where credential_id = c.id and events_told > events_aside
                     order by ended_at desc limit 1) answer on c.is_asked
             left join lateral (
                    select received_at as at from inbound_messages
                     where channel_id = c.id
                     order by received_at desc limit 1) message on c.is_told
            where c.is_fiction = $2 and (c.account_id = $1 or c.account_id is null) and c.source <> 'test'
            order by c.speaker_kind, c.scac, c.name nulls first, c.id`,
    values: [of.accountId, of.isFiction],
  })
  return rows
}
