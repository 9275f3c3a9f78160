/**
 * The keys with which the authorization server signs (ES256), stored encrypted. They follow one another with overlap: a
 * new key is published before it signs, and an old one is published until nothing that it signed is valid any more.
 */

import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { inTransaction } from '../../db/database.ts'
import { realNow, type Service } from '../service.ts'
import {
  deleteSigningKeysBefore,
  insertSigningKey,
  listSigningKeys,
  type SigningKeyRow,
} from './oauth-signing-keys-sql.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Long enough for every process to have the new key, and for clients that cache the published set to read it again. */
export const publishedAheadMs = dayMs
/** How often a process checks whether the keys have changed. */
export const keysKnownMs = minuteMs

/**
 * How long a key stays published after it last signed. Access tokens are valid longest of all that it could sign; ID
 * tokens are valid for a minute.
 */
function keyRetentionMs({ config }: Service): number {
  return config.oauth.accessTokenMinutes * minuteMs + hourMs
}

type KeyTimes = Pick<SigningKeyRow, 'generation' | 'signsFrom'>

/**
 * `keys`: oldest first. Finds the key that signs and the oldest key that is still published; all newer ones are
 * published too.
 */
export function planKeys(
  keys: readonly KeyTimes[],
  { nowMs, retentionMs }: { readonly nowMs: number; readonly retentionMs: number },
): { readonly signing: number; readonly oldest: number } {
  const [first] = keys
  if (first === undefined) throw new Error('there is no key')
  const since = (ms: number): number =>
    keys.findLast(({ signsFrom }) => Date.parse(signsFrom) <= ms)?.generation ?? first.generation
  return { signing: since(nowMs), oldest: since(nowMs - retentionMs) }
}

export interface PublishedKeys {
  /** Changes when another key signs, or when other keys are published. */
  readonly stamp: string
  /** The one that signs comes first. */
  readonly keys: readonly JsonWebKey[]
}

/** The first call makes the first key. */
export async function getPublishedKeys(service: Service): Promise<PublishedKeys> {
  const all = await getKeys(service)
  const { signing, oldest } = planKeys(all, {
    nowMs: service.clock.now(),
    retentionMs: keyRetentionMs(service),
  })
  const others = all.filter(({ generation }) => generation >= oldest && generation !== signing)
  const published = [...all.filter(({ generation }) => generation === signing), ...others]
  return {
    stamp: published.map(({ generation, madeAt }) => `${generation} of ${madeAt}`).join(),
    keys: published.map((key) => openKey(service, key)),
  }
}

export interface SigningKeyView {
  readonly kid: string
  readonly state: 'signs' | 'comes next' | 'still published'
  readonly madeAt: string
  readonly signsFrom: string
}

/** What may be shown of the keys; the newest first. */
export async function listSigningKeyViews(service: Service): Promise<readonly SigningKeyView[]> {
  const all = await getKeys(service)
  const { signing } = planKeys(all, { nowMs: service.clock.now(), retentionMs: keyRetentionMs(service) })
  const views = all.map(async (key): Promise<SigningKeyView> => {
    const { generation, madeAt, signsFrom } = key
    const state = generation === signing ? 'signs' : generation > signing ? 'comes next' : 'still published'
    return { kid: await kidOf(openKey(service, key)), state, madeAt, signsFrom }
  })
  return (await Promise.all(views)).toReversed()
}

/** `by_hand_at_once`: for a key that somebody else has got. What it signed is not valid any more. */
export type RotationReason = 'schedule' | 'by_hand' | 'by_hand_at_once'

/** False when the next key is published already and only has to wait for its time, or another process was quicker. */
export async function rotateKeys(service: Service, because: RotationReason): Promise<boolean> {
  const newest = (await getKeys(service)).at(-1)
  if (newest === undefined) throw new Error('there is no key')
  const isAtOnce = because === 'by_hand_at_once'
  const nowMs = service.clock.now()
  if (!isAtOnce && Date.parse(newest.signsFrom) > nowMs) return false
  const generation = newest.generation + 1
  const signsFrom = new Date(nowMs + (isAtOnce ? 0 : publishedAheadMs)).toISOString()
  const key = makeKey(service, { generation, signsFrom })
  const isOurs = await inTransaction(service.pool, async (db) => {
    if (!(await insertSigningKey(db, key))) return false
    if (isAtOnce) await deleteSigningKeysBefore(db, { generation })
    return true
  })
  // Another process has just made a key of this generation. When the old keys must stop at once, the next generation is
  // made.
  if (!isOurs) return isAtOnce ? rotateKeys(service, because) : false
  const kid = await kidOf(openKey(service, key))
  service.metrics.oauthKeyRotated({ because, kid, signsFrom })
  return true
}

/**
 * Makes a new key when the schedule says so, and deletes keys that nobody needs any more. Returns how many were made
 * and deleted.
 */
export async function rotateSigningKeys(service: Service): Promise<number> {
  if (service.config.oauth.issuer !== null) return 0
  const all = await listSigningKeys(service.pool)
  const newest = all.at(-1)
  // The first key is made at the first request of an app.
  if (newest === undefined) return 0
  const nowMs = service.clock.now()
  const { oldest } = planKeys(all, { nowMs, retentionMs: keyRetentionMs(service) })
  const dropped = await deleteSigningKeysBefore(service.pool, { generation: oldest })
  if (dropped > 0) service.log.info('oauth.keys_dropped', { dropped })
  const dueMs = Date.parse(newest.signsFrom) + service.config.oauth.signingKeyDays * dayMs - publishedAheadMs
  if (nowMs < dueMs) return dropped
  return dropped + ((await rotateKeys(service, 'schedule')) ? 1 : 0)
}

async function getKeys(service: Service): Promise<readonly SigningKeyRow[]> {
  const known = await listSigningKeys(service.pool)
  if (known.length > 0) return known
  await insertSigningKey(service.pool, makeKey(service, { generation: 1, signsFrom: realNow(service) }))
  // The key made above, or one that another process made first.
  return listSigningKeys(service.pool)
}

function makeKey(
  service: Service,
  { generation, signsFrom }: Pick<SigningKeyRow, 'generation' | 'signsFrom'>,
): SigningKeyRow {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }
  const encryptedKey = service.encryption.encrypt(JSON.stringify(jwk))
  return { generation, encryptedKey, madeAt: realNow(service), signsFrom }
}

function openKey({ encryption }: Service, { encryptedKey }: SigningKeyRow): JsonWebKey {
  return JSON.parse(encryption.decrypt(encryptedKey)) as JsonWebKey
}

/** The name of a key by RFC 7638, as the library does it. */
async function kidOf({ kty = '', crv = '', x = '', y = '' }: JsonWebKey): Promise<string> {
  const { calculateJwkThumbprint } = await import('jose')
  return calculateJwkThumbprint({ kty, crv, x, y })
}
