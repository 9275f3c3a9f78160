/**
 * Channels through which sources send messages (pushed channels), and the keys that prove who sends. Channels that we
 * poll are in `accounts/accounts-sql.ts`.
 */

import type { Db } from '../../db/database.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'

export const acknowledgings = ['off', '997', '999', 'contrl'] as const
export type AcknowledgementType = (typeof acknowledgings)[number]

export interface InboundChannel {
  readonly id: string
  /** Null for a channel of the whole installation. */
  readonly accountId: string | null
  /** Part of its address; unique in the whole installation. */
  readonly name: string
  readonly speakerKind: SourceKind
  /** SCAC of a line or railway, FIRMS or SMDG code of a terminal. */
  readonly speakerCode: string
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly isFirstHand: boolean
  /** What kind of acknowledgement is written in answer to an interchange. */
  readonly acknowledges: AcknowledgementType
  readonly isSandbox: boolean
  readonly isEnabled: boolean
  /**
   * True when a number that its account does not know becomes a tracking request, at most `createsPerDay` in any 24
   * hours.
   */
  readonly createsRequests: boolean
  readonly createsPerDay: number
  /** A folder below the operator's base folder. Files that are put there come through this channel. */
  readonly folder: string | null
}

export const inboundChannelColumns = `c.id, c.account_id as "accountId", c.name, c.speaker_kind as "speakerKind", c.scac as "speakerCode", c.source,
  c.profile, c.is_first_hand as "isFirstHand", c.acknowledges, c.is_fiction as "isSandbox", c.is_enabled as "isEnabled",
  c.creates_requests as "createsRequests", c.creates_per_day as "createsPerDay", c.folder`

/** Returns false when the name or the folder is in use. */
export async function insertInboundChannel(
  db: Db,
  channel: InboundChannel & { readonly createdAt: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'channel_insert_told',
    text: `insert into channels (id, account_id, name, speaker_kind, scac, source, profile, is_first_hand, is_fiction,
                                 is_enabled, is_asked, is_told, created_at, acknowledges, creates_requests, creates_per_day, folder)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false, true, $11, $12, $13, $14, $15)
           on conflict do nothing`,
    values: [
      channel.id,
      channel.accountId,
      channel.name,
      channel.speakerKind,
      channel.speakerCode,
      channel.source,
      JSON.stringify(channel.profile),
      channel.isFirstHand,
      channel.isSandbox,
      channel.isEnabled,
      channel.createdAt,
      channel.acknowledges,
      channel.createsRequests,
      channel.createsPerDay,
      channel.folder,
    ],
  })
  return rowCount === 1
}

export async function findInboundChannel(db: Db, name: string): Promise<InboundChannel | null> {
  const { rows } = await db.query<InboundChannel>({
    name: 'channel_find_told',
    text: `select ${inboundChannelColumns} from channels c where c.name = $1 and c.is_told`,
    values: [name],
  })
  return rows[0] ?? null
}

/** The channels of the account; those of the whole installation where `accountId` is null. */
export async function listChannelsOfAccount(db: Db, accountId: string | null): Promise<readonly InboundChannel[]> {
  const { rows } = await db.query<InboundChannel>({
    name: 'channels_told_of',
    text: `select ${inboundChannelColumns} from channels c
            where c.account_id is not distinct from $1 and c.is_told order by c.name`,
    values: [accountId],
  })
  return rows
}

/** Locks the channel until the transaction ends, so that nobody else changes its profile meanwhile. */
export async function lockInboundChannel(db: Db, id: string): Promise<InboundChannel | null> {
  const { rows } = await db.query<InboundChannel>({
    name: 'channel_lock_told',
    text: `select ${inboundChannelColumns} from channels c where c.id = $1 and c.is_told for no key update`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function listInboundChannels(db: Db): Promise<readonly InboundChannel[]> {
  const { rows } = await db.query<InboundChannel>({
    name: 'channels_told',
    text: `select ${inboundChannelColumns} from channels c where c.is_told order by c.name`,
  })
  return rows
}

/**
 * Channels that have content from before these times (journey clocks) that is neither stored permanently nor expired
 * yet.
 */
export async function listExpiringChannels(
  db: Db,
  before: { readonly real: string; readonly sandbox: string },
): Promise<readonly InboundChannel[]> {
  const { rows } = await db.query<InboundChannel>({
    name: 'channels_expiring',
    text: `select ${inboundChannelColumns} from channels c
            where c.is_told
              and exists (select from mentions m
                           where m.channel_id = c.id and m.expired_at is null and not m.is_kept
                             and m.received_at < case when c.is_fiction then $2::timestamptz else $1 end)
            order by c.name`,
    values: [before.real, before.sandbox],
  })
  return rows
}

/**
 * Changes what its messages are read with, whether it is open, whether it makes requests, and its folder. Returns false
 * when another channel has that folder.
 */
export async function updateInboundChannel(
  db: Db,
  change: Pick<InboundChannel, 'id' | 'profile' | 'isEnabled' | 'createsRequests' | 'createsPerDay' | 'folder'>,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'channel_change_told',
    text: `update channels set profile = $2, is_enabled = $3, creates_requests = $4, creates_per_day = $5, folder = $6
            where id = $1 and is_told
              and not exists (select from channels other where other.folder = $6 and other.id <> $1)`,
    values: [
      change.id,
      JSON.stringify(change.profile),
      change.isEnabled,
      change.createsRequests,
      change.createsPerDay,
      change.folder,
    ],
  })
  return rowCount === 1
}

/**
 * Returns the number of our last interchange to this partner and locks the row. Others wait until the transaction ends,
 * so that no number is used twice.
 */
export async function lockControlNumber(db: Db, channelId: string): Promise<number> {
  const { rows } = await db.query<{ last: number }>({
    name: 'channel_control_number_hold',
    text: `select acknowledgements as last from channels where id = $1 for no key update`,
    values: [channelId],
  })
  return rows[0]?.last ?? 0
}

export async function noteControlNumber(
  db: Db,
  of: { readonly channelId: string; readonly last: number },
): Promise<void> {
  await db.query({
    name: 'channel_control_number_note',
    text: `update channels set acknowledgements = $2 where id = $1`,
    values: [of.channelId, of.last],
  })
}

export interface ChannelKey {
  readonly id: string
  readonly kind: 'bearer' | 'hmac'
  readonly tokenHmac: Buffer | null
  readonly encryptedSecret: Buffer | null
}

export async function insertChannelKey(
  db: Db,
  key: ChannelKey & { readonly channelId: string; readonly createdAt: string },
): Promise<void> {
  await db.query({
    name: 'channel_key_insert',
    text: `insert into channel_keys (channel_id, id, kind, token_hmac, secret_sealed, created_at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [key.channelId, key.id, key.kind, key.tokenHmac, key.encryptedSecret, key.createdAt],
  })
}

export interface ChannelWithKeys {
  readonly channel: InboundChannel
  /** Keys that are valid at that moment, newest first. */
  readonly keys: readonly ChannelKey[]
}

/** Always one statement, whether the channel exists or not. */
export async function findInboundChannelWithKeys(
  db: Db,
  of: { readonly name: string; readonly now: string },
): Promise<ChannelWithKeys | null> {
  const { rows } = await db.query<
    InboundChannel & {
      readonly keyId: string | null
      readonly keyKind: ChannelKey['kind']
      readonly tokenHmac: Buffer | null
      readonly encryptedSecret: Buffer | null
    }
  >({
    name: 'channel_find_with_keys',
    text: `select ${inboundChannelColumns}, k.id as "keyId", k.kind as "keyKind", k.token_hmac as "tokenHmac", k.secret_sealed as "encryptedSecret"
             from channels c
             left join channel_keys k on k.channel_id = c.id and k.revoked_at is null
                                     and (k.expires_at is null or k.expires_at > $2)
            where c.name = $1 and c.is_told order by k.created_at desc`,
    values: [of.name, of.now],
  })
  const [first] = rows
  if (first === undefined) return null
  const keys = rows.flatMap(({ keyId: id, keyKind: kind, tokenHmac, encryptedSecret }) =>
    id === null ? [] : [{ id, kind, tokenHmac, encryptedSecret }],
  )
  const { keyId: _id, keyKind: _kind, tokenHmac: _hmac, encryptedSecret: _encrypted, ...channel } = first
  return { channel, keys }
}

/**
 * Ends the keys that the channel has now, except `except`, at the given time. A key that ends earlier keeps its end.
 */
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

/** Returns false when this signature was seen before. */
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
