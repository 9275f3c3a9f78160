/**
 * How a receiver can verify that a request comes from Landfall: two signatures over the very bytes that are sent, and
 * their secrets.
 */

import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

/** `whsec_` and base64 of random bytes (Standard Webhooks 1.0 requires 24 to 64). */
export function makeSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/**
 * The headers that sign a request: Standard Webhooks 1.0 (`webhook-signature` lists one signature for each secret,
 * keyed with the decoded bytes), and the hex HMAC-SHA256 of the body keyed with the complete secret text. While secrets
 * overlap, each hex header is signed with the oldest live one and `<name>-next` with the newest.
 */
export function signedHeaders(signing: {
  readonly id: string
  readonly body: Buffer
  readonly atMs: number
  /** Live secrets, the oldest first; at least one. */
  readonly secrets: readonly string[]
  readonly hexHeaders: readonly string[]
}): readonly (readonly [name: string, value: string])[] {
  const timestamp = String(Math.floor(signing.atMs / 1_000))
  const signatures = signing.secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    const signed = createHmac('sha256', key).update(`${signing.id}.${timestamp}.`).update(signing.body)
    return `v1,${signed.digest('base64')}`
  })
  const oldest = signing.secrets[0]
  const newest = signing.secrets.at(-1)
  if (oldest === undefined || newest === undefined)
    throw new Error('The webhook has no valid secret, so nothing can be signed for it.')
  return [
    ['webhook-id', signing.id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signatures.join(' ')],
    ...hexSignatures(signing, (name) => name, oldest),
    ...(oldest === newest ? [] : hexSignatures(signing, (name) => `${name}-next`, newest)),
  ]
}

/**
 * For a trial without a secret, or with a secret that we did not make. Such a secret can be the key of the plain
 * signature only.
 */
export function trialHeaders(signing: {
  readonly id: string
  readonly body: Buffer
  readonly atMs: number
  readonly secret: string | null
  readonly hexHeaders: readonly string[]
}): readonly (readonly [name: string, value: string])[] {
  return [
    ['webhook-id', signing.id],
    ['webhook-timestamp', String(Math.floor(signing.atMs / 1_000))],
    ...(signing.secret === null ? [] : hexSignatures(signing, (name) => name, signing.secret)),
  ]
}

function hexSignatures(
  { body, hexHeaders }: { readonly body: Buffer; readonly hexHeaders: readonly string[] },
  nameOf: (name: string) => string,
  secret: string,
): readonly (readonly [name: string, value: string])[] {
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  return hexHeaders.map((name) => [nameOf(name), hex])
}
