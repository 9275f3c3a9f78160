/** How DCSA's receivers check a notification: `Notification-Signature`, keyed with the secret that the subscriber gave. */

import { createHmac } from 'node:crypto'
import { refusedAt } from '../errors.ts'

const secretBytes = { min: 16, max: 512 }

/** Refuses a secret that is no Base64, or is too short to be one. */
export function checkStandardSecret(secret: string, pointer: string): void {
  const bytes = Buffer.from(secret, 'base64')
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(secret) && bytes.length > 0
  if (!isBase64 || bytes.length < secretBytes.min || bytes.length > secretBytes.max)
    throw refusedAt(
      pointer,
      `The secret must be Base64 of ${secretBytes.min} to ${secretBytes.max} bytes; 32 random bytes are good.`,
    )
}

/** `secrets`: the oldest first. The newest signs, because the standard has no time in which two are valid. */
export function standardHeaders(of: {
  readonly subscriptionId: string
  readonly body: Buffer
  readonly secrets: readonly string[]
}): readonly (readonly [name: string, value: string])[] {
  const key = Buffer.from(of.secrets.at(-1) ?? '', 'base64')
  const signature = createHmac('sha256', key).update(of.body).digest('hex')
  return [
    ['Subscription-ID', of.subscriptionId],
    ['Notification-Signature', `sha256=${signature}`],
  ]
}
