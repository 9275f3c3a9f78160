/** Checks and reads what a webhook of Landfall delivers. Uses nothing of the rest of the SDK but its types. */

import { type Joined, joinResources, type ResourceDocument } from './joined.ts'

/** Keep `id` where your work is kept: the same notification may come again, and always with this id. */
export type Notification = Joined<
  'webhook_notification',
  | 'reference_object.container'
  | 'reference_object.shipment'
  | 'reference_object.location'
  | 'reference_object.terminal'
  | 'reference_object.vessel'
> & {
  /** When this delivery was sent; another one of the same notification has another time. */
  readonly sentAt: Date
}

export interface Delivery {
  /** Of the request. Names are found in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The bytes as they came, or the text of them: not JSON that was parsed and written again. */
  readonly body: string | Uint8Array
}
export interface Trust {
  /** `whsec_…` of the webhook; several while it is being changed. */
  readonly secret: string | readonly string[]
  /** How old or how far ahead the time of a delivery may be, 300 seconds when left out. */
  readonly toleranceS?: number
  /** The present, for tests. */
  readonly now?: Date
}

export type Distrust = 'headers_missing' | 'too_old' | 'too_new' | 'signature_wrong' | 'not_a_notification'

/** Answer 400. Who sends such a request has not got your secret, or the secret of your receiver is an old one. */
export class Distrusted extends Error {
  override readonly name = 'Distrusted'
  readonly reason: Distrust
  constructor(reason: Distrust, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Verifies the signature (Standard Webhooks), then reads. Throws `Distrusted`. Resources that came with the notification
 * stand at the names of their relationships; what did not come is missing.
 */
export async function readNotification({ headers, body }: Delivery, trust: Trust): Promise<Notification> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (id === null || timestamp === null || signatures === null)
    throw new Distrusted('headers_missing', 'webhook-id, webhook-timestamp and webhook-signature are needed.')
  const sentAt = timeOf(timestamp, trust)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  if (!(await isSigned({ id, timestamp, bytes, signatures }, trust)))
    throw new Distrusted('signature_wrong', 'No signature fits the body and the secret.')
  return { ...read(bytes), sentAt }
}

function timeOf(timestamp: string, { toleranceS = 300, now = new Date() }: Trust): Date {
  const sentAt = new Date(Number(timestamp) * 1000)
  const ageS = (now.getTime() - sentAt.getTime()) / 1000
  if (!(ageS <= toleranceS)) throw new Distrusted('too_old', `The delivery was sent ${Math.round(ageS)} s ago.`)
  if (ageS < -toleranceS) throw new Distrusted('too_new', `The delivery is ${Math.round(-ageS)} s ahead of this clock.`)
  return sentAt
}

interface Signed {
  readonly id: string
  readonly timestamp: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly signatures: string
}

async function isSigned({ id, timestamp, bytes, signatures }: Signed, { secret }: Trust): Promise<boolean> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const message = new Uint8Array(head.length + bytes.length)
  message.set(head)
  message.set(bytes, head.length)
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? (bytesOf(each.slice(3)) ?? []) : []))
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const raw = bytesOf(each.replace(/^whsec_/, ''))
    if (raw === null || raw.length === 0) throw new TypeError('The secret is whsec_ and base64.')
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    // `verify` compares in constant time.
    for (const one of given) if (await crypto.subtle.verify('HMAC', key, one, message)) return true
  }
  return false
}

function read(bytes: Uint8Array<ArrayBuffer>): Omit<Notification, 'sentAt'> {
  let document: ResourceDocument
  try {
    document = JSON.parse(new TextDecoder().decode(bytes)) as ResourceDocument
  } catch {
    throw new Distrusted('not_a_notification', 'The body is no JSON.')
  }
  const [notification] = joinResources(document, null) as readonly Notification[]
  if (notification?.type !== 'webhook_notification')
    throw new Distrusted('not_a_notification', 'The body is no webhook_notification.')
  return notification
}

function headerOf(headers: Delivery['headers'], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : (value?.[0] ?? null)
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
  } catch {
    return null
  }
}
