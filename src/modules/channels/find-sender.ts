/**
 * Proves who sends before anything is stored: by the channel's key, or by an HMAC over time and body (Standard Webhooks
 * 1.0; DCSA's `Notification-Signature` over the body). An unknown channel, a closed channel and a wrong proof get the
 * same answer and cost the same work: also for a channel that does not exist the body is read and hashed.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { addMs } from '../../domain/values/time.ts'
import { realNow, type Service } from '../service.ts'
import {
  type ChannelWithKeys,
  findInboundChannelWithKeys,
  type InboundChannel,
  noteSignature,
} from './inbound-channels-sql.ts'

/** The headers of the request that may prove its sender, as they came. */
export interface Proof {
  readonly authorization: string | null
  readonly webhookId: string | null
  readonly webhookTimestamp: string | null
  readonly webhookSignature: string | null
  readonly notificationSignature: string | null
}

/** `proved`: the key has proved the sender, before the body is read. `signing`: the body has to prove the sender. */
export type Sender =
  | { readonly kind: 'proved'; readonly channel: InboundChannel }
  | { readonly kind: 'signing'; readonly signing: SignatureCheck }

export interface SignatureCheck {
  /** Receives each piece of the raw body as it comes. */
  readonly hash: (piece: Buffer) => void
  /** To be called after the last piece. Null when nobody that may send has signed the body. */
  readonly end: () => VerifiedSender | null
}

export interface VerifiedSender {
  readonly channel: InboundChannel
  /** Notes that this signature was used; false when it was used before. A signature without a time may come again. */
  readonly use: () => Promise<boolean>
}

const signedMsMax = 5 * 60_000

/** Null when the sender may not send, whatever the body is. */
export async function findSender(service: Service, name: string, proof: Proof): Promise<Sender | null> {
  const token = /^(?:bearer|token) +(\S+)$/i.exec(proof.authorization ?? '')?.[1]
  const given = token === undefined ? readSignature(service, proof) : null
  if (token === undefined && given === null) return null
  const found = await findInboundChannelWithKeys(service.pool, { name, now: realNow(service) })
  const open = found?.channel.isEnabled === true ? found : null
  if (given !== null) return { kind: 'signing', signing: beginSignatureCheck(service, open, given) }
  const hmac = service.encryption.hmac(token ?? '')
  const keys = open?.keys ?? []
  const isKnown = keys.some(({ tokenHmac }) => tokenHmac !== null && timingSafeEqual(tokenHmac, hmac))
  return open !== null && isKnown ? { kind: 'proved', channel: open.channel } : null
}

interface GivenSignature {
  /** Hashed before the body. */
  readonly head: string
  readonly signatures: readonly Buffer[]
  /** The signature names its time and is valid once. */
  readonly isOnce: boolean
}

/** Null when there is no signature, when no body can match it, and when its time is not about now. */
function readSignature({ clock }: Service, proof: Proof): GivenSignature | null {
  const { webhookId, webhookTimestamp, webhookSignature, notificationSignature } = proof
  if (webhookSignature === null) {
    const given = /^sha256=([0-9a-f]{64})$/i.exec(notificationSignature ?? '')?.[1]
    return given === undefined ? null : { head: '', signatures: [Buffer.from(given, 'hex')], isOnce: false }
  }
  const isRecent = Math.abs(clock.now() - Number(webhookTimestamp) * 1_000) <= signedMsMax
  if (webhookId === null || webhookTimestamp === null || !isRecent) return null
  const signatures = [...webhookSignature.matchAll(/\bv1,([A-Za-z0-9+/=]+)/g)].map(([, text = '']) =>
    Buffer.from(text, 'base64'),
  )
  return { head: `${webhookId}.${webhookTimestamp}.`, signatures, isOnce: true }
}

/**
 * For a channel that does not exist, as many hashes are made as for one whose secret is being changed, so that the work
 * is the same.
 */
const secretsMin = 2

function beginSignatureCheck(
  service: Service,
  found: ChannelWithKeys | null,
  { head, signatures, isOnce }: GivenSignature,
): SignatureCheck {
  const secrets = (found?.keys ?? []).flatMap(({ encryptedSecret }) =>
    encryptedSecret === null ? [] : service.encryption.decrypt(encryptedSecret),
  )
  const nobodys = Array.from({ length: Math.max(0, secretsMin - secrets.length) }, () => randomBytes(32))
  const hmacs = [...secrets.map(keyOf), ...nobodys].map((key) => createHmac('sha256', key).update(head))
  return {
    hash: (piece) => {
      for (const hmac of hmacs) hmac.update(piece)
    },
    end: () => {
      const ownDigests = hmacs.map((hmac) => hmac.digest())
      const signature = ownDigests
        .slice(0, secrets.length)
        .find((each) => signatures.some((given) => isSame(each, given)))
      if (found === null || signature === undefined) return null
      const { channel } = found
      return { channel, use: async () => !isOnce || recordSignature(service, channel, signature) }
    },
  }
}

function recordSignature(service: Service, { id }: InboundChannel, signature: Buffer): Promise<boolean> {
  const at = realNow(service)
  const forget = addMs(at, -2 * signedMsMax)
  return noteSignature(service.pool, { channelId: id, signature, at, forget })
}

function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
