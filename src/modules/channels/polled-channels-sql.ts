/** Channels that send messages (pushed channels) and that we also poll: how each is polled, and the results. */

import type { NumberKind } from '../../connectors/source.ts'
import type { Db } from '../../db/database.ts'
import { type InboundChannel, inboundChannelColumns } from './inbound-channels-sql.ts'

/** How a channel is polled: address, access and limits, and by which kinds of number. */
export interface ChannelPollConfig {
  readonly profile: Readonly<Record<string, unknown>>
  readonly pollNumberKinds: readonly NumberKind[]
  readonly encryptedSecret: Buffer | null
}

/** With null, the channel only gets messages from now on. Its earlier faults and its pause are deleted. */
export async function putPollConfig(db: Db, channelId: string, pollConfig: ChannelPollConfig | null): Promise<void> {
  await db.query({
    name: 'channel_asking_put',
    text: `update channels
              set asking = $2, asks_by = $3, secret_sealed = $4, asking_trouble = null, next_slot_at = '-infinity',
                  left_alone_until = null, refusals = 0
            where id = $1 and is_told`,
    values: [
      channelId,
      pollConfig === null ? null : JSON.stringify(pollConfig.profile),
      pollConfig?.pollNumberKinds ?? [],
      pollConfig?.encryptedSecret ?? null,
    ],
  })
}

export async function findPollConfig(db: Db, channelId: string): Promise<ChannelPollConfig | null> {
  const { rows } = await db.query<ChannelPollConfig>({
    name: 'channel_asking',
    text: `select asking as profile, asks_by as "pollNumberKinds", secret_sealed as "encryptedSecret" from channels
            where id = $1 and asking is not null`,
    values: [channelId],
  })
  return rows[0] ?? null
}

export interface PolledChannel extends InboundChannel {
  readonly asking: Readonly<Record<string, unknown>>
  readonly encryptedSecret: Buffer | null
  /** How many times in a row a pause was necessary. */
  readonly refusals: number
}

/** The channels by their id. */
export async function getPolledChannels(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, PolledChannel>> {
  const { rows } = await db.query<PolledChannel>({
    name: 'channels_asked',
    text: `select ${inboundChannelColumns}, c.asking, c.secret_sealed as "encryptedSecret", c.refusals
             from channels c where c.id = any($1::uuid[]) and c.asking is not null`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Notes the result of a poll. `answeredAt`: when the channel answered, or null. `trouble`: the fault, as text for the
 * operator, or null.
 */
export async function recordPollResult(
  db: Db,
  of: { readonly channelId: string; readonly answeredAt: string | null; readonly trouble: string | null },
): Promise<void> {
  await db.query({
    name: 'channel_asked',
    text: `update channels set answered_at = coalesce($2, answered_at), asking_trouble = $3 where id = $1`,
    values: [of.channelId, of.answeredAt, of.trouble],
  })
}

export interface PollState {
  readonly pollNumberKinds: readonly NumberKind[]
  /** When the channel last answered a question. A 404 does not count as an answer. */
  readonly answeredAt: string | null
  /** The fault of the last poll, as text; null when there was none. */
  readonly trouble: string | null
  readonly cooldownUntil: string | null
  /** About how many numbers it is polled, and for how many of them the last poll failed. */
  readonly numbers: number
  readonly failing: number
}

/** By channel id. */
export async function getPollStates(db: Db, now: string): Promise<ReadonlyMap<string, PollState>> {
  const { rows } = await db.query<PollState & { readonly id: string }>({
    name: 'channels_asking_states',
    text: `select c.id, c.asks_by as "pollNumberKinds", c.answered_at as "answeredAt", c.asking_trouble as trouble,
                  case when c.left_alone_until > $1 then c.left_alone_until end as "cooldownUntil", coalesce(n.numbers, 0) as numbers, coalesce(n.failing, 0) as failing
             from channels c
             left join (select channel_id, count(*)::integer as numbers,
                               count(*) filter (where failures > 0)::integer as failing
                          from asked_numbers group by channel_id) n on n.channel_id = c.id
            where c.asking is not null`,
    values: [now],
  })
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
