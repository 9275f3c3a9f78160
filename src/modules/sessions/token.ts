/**
 * Tokens that people get: 256 random bits for them, and an HMAC in our database. `use` prevents that a token of one
 * kind is accepted as another.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Service } from '../service.ts'

export const tokenUses = [
  'session',
  'challenge',
  'reset',
  'invitation',
  'first_person',
  'form',
  'visit',
  'device',
  'share',
  'alert_address',
  'elsewhere_nonce',
  'elsewhere_verifier',
] as const
export type TokenUse = (typeof tokenUses)[number]

export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The HMAC by which a token is found in the database. */
export function tokenHmac({ encryption }: Service, use: TokenUse, token: string): Buffer {
  return encryption.hmac(`${use} ${token}`)
}

/**
 * A token that follows from another text and does not reveal it: for forms, and for browsers in which the person has
 * signed in before.
 */
export function deriveToken(service: Service, use: TokenUse, from: string): string {
  return tokenHmac(service, use, from).toString('base64url')
}

export function isSameToken(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
