/**
 * Encrypts secrets for storage with AES-256-GCM, and compares keys by HMAC. Both use keys derived from one installation
 * secret.
 */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface Vault {
  seal(text: string): Buffer
  /** Throws when the bytes were not sealed by this installation's secret. */
  open(sealed: Buffer): string
  hmac(text: string): Buffer
  /**
   * Encrypts so that the same text always gives the same result: for values that are compared, and stored among other
   * texts.
   */
  sealSame(text: string): string
  /** A text that was never sealed is given back as it is. */
  openSame(sealed: string): string
  /**
   * Encrypts for one place only: at another place the bytes cannot be decrypted, so nobody can move them there to
   * replace something else.
   */
  sealBytes(bytes: Buffer, place: string): Buffer
  /** Throws when the bytes were not sealed by this installation's secret for this place. */
  openBytes(sealed: Buffer, place: string): Buffer
  /** The same bytes give the same digest. Without the secret nobody can find out short bytes by trying. */
  digest(bytes: Buffer): Buffer
}

const ivBytes = 12
const tagBytes = 16
const formatVersion = 1
const sameMark = 'sealed:'

/**
 * `secret`: the installation's own, at least 32 characters. Each use gets a key of its own, derived from it (HKDF, RFC
 * 5869).
 */
export function openVault(secret: string): Vault {
  const sealingKey = Buffer.from(hkdfSync('sha256', secret, '', 'landfall seal', 32))
  const hmacKey = Buffer.from(hkdfSync('sha256', secret, '', 'landfall api key', 32))
  // The nonce follows from the text, so only the same text has the same nonce. It has keys of its own, apart from the
  // uses with random nonces.
  const sameKey = Buffer.from(hkdfSync('sha256', secret, '', 'landfall seal same', 32))
  const nonceKey = Buffer.from(hkdfSync('sha256', secret, '', 'landfall seal same nonce', 32))
  const bytesKey = Buffer.from(hkdfSync('sha256', secret, '', 'landfall seal bytes', 32))
  const digestKey = Buffer.from(hkdfSync('sha256', secret, '', 'landfall digest', 32))
  // One key for each place, so that the limit on random nonces under one key does not apply to all places together.
  const keyOf = (place: string): Buffer => createHmac('sha256', bytesKey).update(place).digest()
  return {
    sealBytes: (bytes, place) => sealWith(keyOf(place), bytes),
    openBytes: (sealed, place) => openWith(keyOf(place), sealed),
    digest(bytes) {
      return createHmac('sha256', digestKey).update(bytes).digest()
    },
    sealSame(text) {
      const iv = createHmac('sha256', nonceKey).update(text).digest().subarray(0, ivBytes)
      const cipher = createCipheriv('aes-256-gcm', sameKey, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return sameMark + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    openSame(sealed) {
      if (!sealed.startsWith(sameMark)) return sealed
      const bytes = Buffer.from(sealed.slice(sameMark.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sameKey, bytes.subarray(0, ivBytes))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    seal: (text) => sealWith(sealingKey, Buffer.from(text, 'utf8')),
    open: (sealed) => openWith(sealingKey, sealed).toString('utf8'),
    hmac(text) {
      return createHmac('sha256', hmacKey).update(text).digest()
    },
  }
}

function sealWith(key: Buffer, bytes: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([Buffer.of(formatVersion), iv, cipher.getAuthTag(), sealed])
}

function openWith(key: Buffer, sealed: Buffer): Buffer {
  const [afterIv, afterTag] = [1 + ivBytes, 1 + ivBytes + tagBytes]
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, afterIv))
  decipher.setAuthTag(sealed.subarray(afterIv, afterTag))
  return Buffer.concat([decipher.update(sealed.subarray(afterTag)), decipher.final()])
}

/** The secrets with which a line or facility is asked, by name; empty when there are none. */
export function openSecrets(vault: Vault, sealed: Buffer | null): Readonly<Record<string, string>> {
  return sealed === null ? {} : (JSON.parse(vault.open(sealed)) as Record<string, string>)
}
