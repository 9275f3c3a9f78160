/**
 * The form of an API key: `lf_live_`, 30 random characters of base62 (178 bits), and the CRC-32 of all that in six
 * more, so that a key that was cut or mistyped is refused without a database query. A publishable key, which a web page
 * may show, begins with `lf_pub_` instead.
 */

import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const keyKinds = ['secret', 'publishable'] as const
export type KeyKind = (typeof keyKinds)[number]

const prefixes: Readonly<Record<KeyKind, string>> = { secret: 'lf_live_', publishable: 'lf_pub_' }
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6

export function makeApiKey(kind: KeyKind = 'secret'): string {
  let body = prefixes[kind]
  for (let at = 0; at < randomLength; at += 1) body += alphabet.charAt(randomInt(alphabet.length))
  return body + checksumOf(body)
}

export function isApiKey(text: string, kind: KeyKind = 'secret'): boolean {
  const prefix = prefixes[kind]
  if (!text.startsWith(prefix) || !/^[0-9A-Za-z]{36}$/.test(text.slice(prefix.length))) return false
  return text.slice(-checksumLength) === checksumOf(text.slice(0, -checksumLength))
}

/** What may be shown of a key after its creation. */
export function maskKey(key: string): { readonly prefix: string; readonly lastFour: string } {
  return { prefix: key.slice(0, key.lastIndexOf('_') + 5), lastFour: key.slice(-4) }
}

function checksumOf(text: string): string {
  let remainder = crc32(text)
  let digits = ''
  for (let at = 0; at < checksumLength; at += 1) {
    digits = alphabet.charAt(remainder % alphabet.length) + digits
    remainder = Math.floor(remainder / alphabet.length)
  }
  return digits
}
