/**
 * Who sends is proved before anything is kept: by the channel's key, or by an HMAC over moment and body (Standard Webhooks
 * 1.0; DCSA's `Notification-Signature` over the body). An unknown channel, one that is closed and a wrong proof are one
 * answer and the same work: the body of a channel that is not there is read and hashed like any other.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { addMs } from '../../../core/time.ts'
import {
  type ChannelWithKeys,
  findToldChannelWithKeys,
  noteSignature,
  type ToldChannel,
} from '../../../store/channels.ts'
import { realNow, type Service } from '../../service.ts'

/** As the request has them, in small letters. */
export interface Proof {
  readonly authorization: string | null
  readonly webhookId: string | null
  readonly webhookTimestamp: string | null
  readonly webhookSignature: string | null
  readonly notificationSignature: string | null
}

/** `proved`: by its key, before the body is read. `signing`: the body has to prove it. */
export type Sender =
  | { readonly kind: 'proved'; readonly channel: ToldChannel }
  | { readonly kind: 'signing'; readonly signing: Signing }

export interface Signing {
  /** Each piece of the raw body as it comes. */
  readonly hash: (piece: Buffer) => void
  /** After the last piece; null where it is signed by nobody that may send. */
  readonly end: () => Signed | null
}

export interface Signed {
  readonly channel: ToldChannel
  /** Notes that this signature was used; false when it was before. One without a moment may come again. */
  readonly use: () => Promise<boolean>
}

const signedMsMax = 5 * 60_000

/** Null: nobody that may send, whatever the body is. */
export async function findSender(service: Service, name: string, proof: Proof): Promise<Sender | null> {
  const token = /^(?:bearer|token) +(\S+)$/i.exec(proof.authorization ?? '')?.[1]
  const given = token === undefined ? readSignature(service, proof) : null
  if (token === undefined && given === null) return null
  const found = await findToldChannelWithKeys(service.pool, { name, now: realNow(service) })
  const open = found?.channel.isEnabled === true ? found : null
  if (given !== null) return { kind: 'signing', signing: beginSigning(service, open, given) }
  const hmac = service.vault.hmac(token ?? '')
  const keys = open?.keys ?? []
  const isKnown = keys.some(({ tokenHmac }) => tokenHmac !== null && timingSafeEqual(tokenHmac, hmac))
  return open !== null && isKnown ? { kind: 'proved', channel: open.channel } : null
}

interface GivenSignature {
  /** Hashed before the body. */
  readonly head: string
  readonly signatures: readonly Buffer[]
  /** It names its moment, and counts once. */
  readonly isOnce: boolean
}

/** Null for none, for one that no body can prove, and for one whose moment is not now. */
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

/** As many hashes are made for a channel that is not there as for one whose secret is just being changed. */
const secretsMin = 2

function beginSigning(
  service: Service,
  found: ChannelWithKeys | null,
  { head, signatures, isOnce }: GivenSignature,
): Signing {
  const secrets = (found?.keys ?? []).flatMap(({ secretSealed }) =>
    secretSealed === null ? [] : service.vault.open(secretSealed),
  )
  const nobodys = Array.from({ length: Math.max(0, secretsMin - secrets.length) }, () => randomBytes(32))
  const hmacs = [...secrets.map(keyOf), ...nobodys].map((key) => createHmac('sha256', key).update(head))
  return {
    hash: (piece) => {
      for (const hmac of hmacs) hmac.update(piece)
    },
    end: () => {
      const own = hmacs.map((hmac) => hmac.digest())
      const signature = own
        .slice(0, secrets.length)
        .find((each) => signatures.some((given) => isSame(each, given)))
      if (found === null || signature === undefined) return null
      const { channel } = found
      return { channel, use: async () => !isOnce || note(service, channel, signature) }
    },
  }
}

function note(service: Service, { id }: ToldChannel, signature: Buffer): Promise<boolean> {
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
