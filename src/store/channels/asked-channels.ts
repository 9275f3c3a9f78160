/** Channels that send messages (told channels) and that we also ask: how each is asked, and the results. */

import type { NumberKind } from '../../sources/source.ts'
import type { Db } from '../database.ts'
import { type ToldChannel, toldColumns } from './channels.ts'

/** How a channel is asked: address, access and limits, and by which kinds of number. */
export interface ChannelAsking {
  readonly profile: Readonly<Record<string, unknown>>
  readonly asksBy: readonly NumberKind[]
  readonly secretSealed: Buffer | null
}

/** With null, the channel only gets messages from now on. Its earlier faults and its pause are deleted. */
export async function putAsking(db: Db, channelId: string, asking: ChannelAsking | null): Promise<void> {
  await db.query({
    name: 'channel_asking_put',
    text: `update channels
              set asking = $2, asks_by = $3, secret_sealed = $4, asking_trouble = null, next_slot_at = '-infinity',
                  left_alone_until = null, refusals = 0
            where id = $1 and is_told`,
    values: [
      channelId,
      asking === null ? null : JSON.stringify(asking.profile),
      asking?.asksBy ?? [],
      asking?.secretSealed ?? null,
    ],
  })
}

export async function findAsking(db: Db, channelId: string): Promise<ChannelAsking | null> {
  const { rows } = await db.query<ChannelAsking>({
    name: 'channel_asking',
    text: `select asking as profile, asks_by as "asksBy", secret_sealed as "secretSealed" from channels
            where id = $1 and asking is not null`,
    values: [channelId],
  })
  return rows[0] ?? null
}

export interface AskedChannel extends ToldChannel {
  readonly asking: Readonly<Record<string, unknown>>
  readonly secretSealed: Buffer | null
  /** How many times in a row a pause was necessary. */
  readonly refusals: number
}

/** The channels by their id. */
export async function getAskedChannels(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AskedChannel>> {
  const { rows } = await db.query<AskedChannel>({
    name: 'channels_asked',
    text: `select ${toldColumns}, c.asking, c.secret_sealed as "secretSealed", c.refusals
             from channels c where c.id = any($1::uuid[]) and c.asking is not null`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Notes how a question went. `answeredAt`: when the channel answered, or null. `trouble`: what was wrong, in words for
 * the operator, or null.
 */
export async function noteAsked(
  db: Db,
  of: { readonly channelId: string; readonly answeredAt: string | null; readonly trouble: string | null },
): Promise<void> {
  await db.query({
    name: 'channel_asked',
    text: `update channels set answered_at = coalesce($2, answered_at), asking_trouble = $3 where id = $1`,
    values: [of.channelId, of.answeredAt, of.trouble],
  })
}

export interface AskingState {
  readonly asksBy: readonly NumberKind[]
  /** When the channel last answered a question. A 404 does not count as an answer. */
  readonly answeredAt: string | null
  /** What was wrong the last time, in words; null when nothing was. */
  readonly trouble: string | null
  readonly leftAloneUntil: string | null
  /** How many numbers it is asked about, and for how many of them the last question failed. */
  readonly numbers: number
  readonly failing: number
}

/** By channel id. */
export async function askingStates(db: Db, now: string): Promise<ReadonlyMap<string, AskingState>> {
  const { rows } = await db.query<AskingState & { readonly id: string }>({
    name: 'channels_asking_states',
    text: `select c.id, c.asks_by as "asksBy", c.answered_at as "answeredAt", c.asking_trouble as trouble,
                  case when c.left_alone_until > $1 then c.left_alone_until end as "leftAloneUntil", coalesce(n.numbers, 0) as numbers, coalesce(n.failing, 0) as failing
             from channels c
             left join (select channel_id, count(*)::integer as numbers,
                               count(*) filter (where failures > 0)::integer as failing
                          from asked_numbers group by channel_id) n on n.channel_id = c.id
            where c.asking is not null`,
    values: [now],
  })
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
