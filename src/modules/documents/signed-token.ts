/**
 * Tokens that open one file for one purpose, without a key: the holder may do just that, until the token ends. They are
 * signed with the installation's secret, so they need no table, and none can be guessed or altered.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Encryption } from '../../platform/encryption.ts'

/** `put`: upload the file. `get`: download it. `use`: make a document of the uploaded file. */
const purposes = ['put', 'get', 'use'] as const
export type TokenPurpose = (typeof purposes)[number]

export interface TokenContent {
  readonly accountId: string
  /** Of the upload or document. */
  readonly id: string
  /** Milliseconds; null when it ends with what it is about. */
  readonly endsAtMs: number | null
}

type TokenSigner = Pick<Encryption, 'hmac'>

const contentBytes = 16 + 16 + 6
const macBytes = 32

export function signToken(signer: TokenSigner, purpose: TokenPurpose, content: TokenContent): string {
  const body = Buffer.alloc(contentBytes)
  bytesOfId(content.accountId).copy(body, 0)
  bytesOfId(content.id).copy(body, 16)
  body.writeUIntBE(content.endsAtMs ?? 0, 32, 6)
  return Buffer.concat([body, macOf(signer, purpose, body)]).toString('base64url')
}

export type TokenReading =
  | { readonly kind: 'good'; readonly content: TokenContent }
  | { readonly kind: 'ended' }
  /** Not signed here for this purpose. */
  | { readonly kind: 'bad' }

export function readToken(
  signer: TokenSigner,
  of: { readonly purpose: TokenPurpose; readonly token: string; readonly nowMs: number },
): TokenReading {
  const bytes = Buffer.from(of.token, 'base64url')
  // Decoding passes over what does not belong, so the token must be what these bytes are written as.
  if (bytes.length !== contentBytes + macBytes || bytes.toString('base64url') !== of.token) return { kind: 'bad' }
  const body = bytes.subarray(0, contentBytes)
  if (!timingSafeEqual(bytes.subarray(contentBytes), macOf(signer, of.purpose, body))) return { kind: 'bad' }
  const endsAtMs = body.readUIntBE(32, 6)
  if (endsAtMs !== 0 && of.nowMs >= endsAtMs) return { kind: 'ended' }
  const [accountId, id] = [idOf(body.subarray(0, 16)), idOf(body.subarray(16, 32))]
  return { kind: 'good', content: { accountId, id, endsAtMs: endsAtMs === 0 ? null : endsAtMs } }
}

/** The prefix separates it from every other use of the same key: no API key has a blank. */
function macOf(signer: TokenSigner, purpose: TokenPurpose, body: Buffer): Buffer {
  return signer.hmac(`token of a file, to ${purpose}: ${body.toString('base64url')}`)
}

function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
