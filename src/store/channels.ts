/** Channels that are told: one way in each, with the keys by which it is known. What is asked is in `accounts.ts`. */

import type { SourceKind } from '../core/observation.ts'
import type { Db } from './database.ts'

export const acknowledgings = ['off', '997', '999', 'contrl'] as const
export type Acknowledging = (typeof acknowledgings)[number]

export interface ToldChannel {
  readonly id: string
  /** Null: it speaks to the whole installation. */
  readonly accountId: string | null
  /** In its address; of the whole installation. */
  readonly name: string
  readonly speakerKind: SourceKind
  /** SCAC of a line or railway, FIRMS or SMDG code of a terminal. */
  readonly speakerCode: string
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly isFirstHand: boolean
  /** What is written in answer to an interchange. */
  readonly acknowledges: Acknowledging
  readonly isFiction: boolean
  readonly isEnabled: boolean
}

const columns = `c.id, c.account_id as "accountId", c.name, c.speaker_kind as "speakerKind", c.scac as "speakerCode", c.source,
  c.profile, c.is_first_hand as "isFirstHand", c.acknowledges, c.is_fiction as "isFiction", c.is_enabled as "isEnabled"`

/** False when the name is taken. */
export async function insertToldChannel(
  db: Db,
  channel: ToldChannel & { readonly createdAt: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'channel_insert_told',
    text: `insert into channels (id, account_id, name, speaker_kind, scac, source, profile, is_first_hand, is_fiction,
                                 is_enabled, is_asked, is_told, created_at, acknowledges)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false, true, $11, $12)
           on conflict (name) do nothing`,
    values: [
      channel.id,
      channel.accountId,
      channel.name,
      channel.speakerKind,
      channel.speakerCode,
      channel.source,
      JSON.stringify(channel.profile),
      channel.isFirstHand,
      channel.isFiction,
      channel.isEnabled,
      channel.createdAt,
      channel.acknowledges,
    ],
  })
  return rowCount === 1
}

export async function findToldChannel(db: Db, name: string): Promise<ToldChannel | null> {
  const { rows } = await db.query<ToldChannel>({
    name: 'channel_find_told',
    text: `select ${columns} from channels c where c.name = $1 and c.is_told`,
    values: [name],
  })
  return rows[0] ?? null
}

export async function listToldChannels(db: Db): Promise<readonly ToldChannel[]> {
  const { rows } = await db.query<ToldChannel>({
    name: 'channels_told',
    text: `select ${columns} from channels c where c.is_told order by c.name`,
  })
  return rows
}

/** What it is read with, and whether it is open. */
export async function changeToldChannel(
  db: Db,
  change: Pick<ToldChannel, 'id' | 'profile' | 'isEnabled'>,
): Promise<void> {
  await db.query({
    name: 'channel_change_told',
    text: `update channels set profile = $2, is_enabled = $3 where id = $1 and is_told`,
    values: [change.id, JSON.stringify(change.profile), change.isEnabled],
  })
}

/** The number before the first of so many interchanges of ours. */
export async function takeControlNumbers(
  db: Db,
  of: { readonly channelId: string; readonly count: number },
): Promise<number> {
  const { rows } = await db.query<{ last: number }>({
    name: 'channel_control_numbers',
    text: `update channels set acknowledgements = (acknowledgements + $2) % 999999000 where id = $1
           returning acknowledgements as last`,
    values: [of.channelId, of.count],
  })
  return (rows[0]?.last ?? of.count) - of.count
}

export interface ChannelKey {
  readonly id: string
  readonly kind: 'bearer' | 'hmac'
  readonly tokenHmac: Buffer | null
  readonly secretSealed: Buffer | null
}

export async function insertChannelKey(
  db: Db,
  key: ChannelKey & { readonly channelId: string; readonly createdAt: string },
): Promise<void> {
  await db.query({
    name: 'channel_key_insert',
    text: `insert into channel_keys (channel_id, id, kind, token_hmac, secret_sealed, created_at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [key.channelId, key.id, key.kind, key.tokenHmac, key.secretSealed, key.createdAt],
  })
}

/** Those that count at that moment. */
export async function liveChannelKeys(
  db: Db,
  of: { readonly channelId: string; readonly now: string },
): Promise<readonly ChannelKey[]> {
  const { rows } = await db.query<ChannelKey>({
    name: 'channel_keys_live',
    text: `select id, kind, token_hmac as "tokenHmac", secret_sealed as "secretSealed" from channel_keys
            where channel_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)
            order by created_at desc`,
    values: [of.channelId, of.now],
  })
  return rows
}

/** From then on the keys that are there now count no more; one that ends earlier ends then. */
export async function endChannelKeys(
  db: Db,
  of: { readonly channelId: string; readonly at: string; readonly except: string },
): Promise<void> {
  await db.query({
    name: 'channel_keys_end',
    text: `update channel_keys set expires_at = least(expires_at, $2)
            where channel_id = $1 and id <> $3 and revoked_at is null`,
    values: [of.channelId, of.at, of.except],
  })
}

/** False when this signature was seen before. */
export async function noteSignature(
  db: Db,
  of: {
    readonly channelId: string
    readonly signature: Buffer
    readonly at: string
    readonly forget: string
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'channel_signature_note',
    text: `with old as (
             delete from channel_signatures where channel_id = $1 and seen_at < $4
           )
           insert into channel_signatures (channel_id, signature, seen_at) values ($1, $2, $3) on conflict do nothing`,
    values: [of.channelId, of.signature, of.at, of.forget],
  })
  return rowCount === 1
}
