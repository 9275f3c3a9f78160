/**
 * Who sends is proved before anything is kept: by the channel's key, or by an HMAC over moment and body (Standard Webhooks
 * 1.0; DCSA's `Notification-Signature` over the body). An unknown channel and a wrong proof are one answer.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { addMs } from '../../core/time.ts'
import {
  type ChannelKey,
  findToldChannel,
  liveChannelKeys,
  noteSignature,
  type ToldChannel,
} from '../../store/channels.ts'
import { realNow, type Service } from '../service.ts'

/** As the request has them, in small letters. */
export interface Proof {
  readonly authorization: string | null
  readonly webhookId: string | null
  readonly webhookTimestamp: string | null
  readonly webhookSignature: string | null
  readonly notificationSignature: string | null
}

export interface Sender {
  readonly channel: ToldChannel
  readonly keys: readonly ChannelKey[]
  /** By its key, before the body is read; else the body has to prove it. */
  readonly isProved: boolean
}

const signedMsMax = 5 * 60_000

/** Null: nobody that may send. */
export async function findSender(service: Service, name: string, proof: Proof): Promise<Sender | null> {
  const channel = await findToldChannel(service.pool, name)
  if (channel === null || !channel.isEnabled) return null
  const keys = await liveChannelKeys(service.pool, { channelId: channel.id, now: realNow(service) })
  const token = /^(?:bearer|token) +(\S+)$/i.exec(proof.authorization ?? '')?.[1]
  // The body of a channel that nobody signs for is not read at all.
  const isSignable = hasSignature(proof) && keys.some(({ kind }) => kind === 'hmac')
  if (token === undefined) return isSignable ? { channel, keys, isProved: false } : null
  const hmac = service.vault.hmac(token)
  const isKnown = keys.some((key) => key.tokenHmac !== null && timingSafeEqual(key.tokenHmac, hmac))
  return isKnown ? { channel, keys, isProved: true } : null
}

function hasSignature(proof: Proof): boolean {
  return proof.webhookSignature !== null || proof.notificationSignature !== null
}

/** By the raw body. A signature with a moment counts for five minutes, and once. */
export async function isSigned(
  service: Service,
  { channel, keys }: Sender,
  proof: Proof,
  body: Buffer,
): Promise<boolean> {
  const secrets = keys.flatMap(({ secretSealed }) =>
    secretSealed === null ? [] : service.vault.open(secretSealed),
  )
  const { webhookId, webhookTimestamp, webhookSignature, notificationSignature } = proof
  if (webhookSignature === null) {
    const given = /^sha256=([0-9a-f]{64})$/i.exec(notificationSignature ?? '')?.[1]
    if (given === undefined) return false
    return secrets.some((secret) => isSame(signed(secret, body), Buffer.from(given, 'hex')))
  }
  const now = service.clock.now()
  const isRecent = Math.abs(now - Number(webhookTimestamp) * 1_000) <= signedMsMax
  if (webhookId === null || webhookTimestamp === null || !isRecent) return false
  const content = Buffer.concat([Buffer.from(`${webhookId}.${webhookTimestamp}.`), body])
  const given = [...webhookSignature.matchAll(/\bv1,([A-Za-z0-9+/=]+)/g)].map(([, text = '']) =>
    Buffer.from(text, 'base64'),
  )
  const found = secrets
    .map((secret) => signed(secret, content))
    .find((own) => given.some((other) => isSame(own, other)))
  if (found === undefined) return false
  const at = realNow(service)
  const forget = addMs(at, -2 * signedMsMax)
  return noteSignature(service.pool, { channelId: channel.id, signature: found, at, forget })
}

function signed(secret: string, content: Buffer): Buffer {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  return createHmac('sha256', key).update(content).digest()
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
