/** Tokens that people hold: 256 random bits for them, an HMAC for us. `use` keeps one kind from passing for another. */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Service } from '../../service.ts'

export const tokenUses = [
  'session',
  'challenge',
  'reset',
  'invitation',
  'first_person',
  'form',
  'visit',
  'device',
] as const
export type TokenUse = (typeof tokenUses)[number]

export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is looked for in the database. */
export function tokenHmac({ vault }: Service, use: TokenUse, token: string): Buffer {
  return vault.hmac(`${use} ${token}`)
}

/** A token that follows from another and tells nothing of it: for forms, and for devices that were here before. */
export function deriveToken(service: Service, use: TokenUse, from: string): string {
  return tokenHmac(service, use, from).toString('base64url')
}

export function isSameToken(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
