/**
 * Encrypts secrets for storage with AES-256-GCM, and compares keys by HMAC. Both use keys derived from one installation
 * secret.
 */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface Encryption {
  encrypt(text: string): Buffer
  /** Throws when the bytes were not encrypted with this installation's secret. */
  decrypt(encrypted: Buffer): string
  hmac(text: string): Buffer
  /**
   * Encrypts so that the same text always gives the same result: for values that are compared, and stored among other
   * texts.
   */
  encryptDeterministic(text: string): string
  /** A text that was never encrypted is returned as it is. */
  decryptDeterministic(encrypted: string): string
  /**
   * Encrypts for one place only: at another place the bytes cannot be decrypted, so it is impossible to move them there
   * to replace other bytes.
   */
  encryptBytes(bytes: Buffer, place: string): Buffer
  /** Throws when the bytes were not encrypted with this installation's secret for this place. */
  decryptBytes(encrypted: Buffer, place: string): Buffer
  /** The same bytes give the same digest. Without the secret, short bytes cannot be found by trial. */
  digest(bytes: Buffer): Buffer
  /** 32 bytes for the key that signs attestations and nothing else: it cannot be linked with other keys. */
  attestationSeed(): Buffer
}

const ivBytes = 12
const tagBytes = 16
const formatVersion = 1
const sameMark = 'sealed:'

/**
 * `secret`: the installation's own, at least 32 characters. Each use gets a key of its own, derived from it (HKDF, RFC
 * 5869).
 */
export function createEncryption(secret: string): Encryption {
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
    encryptBytes: (bytes, place) => encryptWithKey(keyOf(place), bytes),
    decryptBytes: (encrypted, place) => decryptWith(keyOf(place), encrypted),
    digest(bytes) {
      return createHmac('sha256', digestKey).update(bytes).digest()
    },
    attestationSeed: () => Buffer.from(hkdfSync('sha256', secret, '', 'landfall attestation', 32)),
    encryptDeterministic(text) {
      const iv = createHmac('sha256', nonceKey).update(text).digest().subarray(0, ivBytes)
      const cipher = createCipheriv('aes-256-gcm', sameKey, iv)
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return sameMark + Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')
    },
    decryptDeterministic(encrypted) {
      if (!encrypted.startsWith(sameMark)) return encrypted
      const bytes = Buffer.from(encrypted.slice(sameMark.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sameKey, bytes.subarray(0, ivBytes))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    encrypt: (text) => encryptWithKey(sealingKey, Buffer.from(text, 'utf8')),
    decrypt: (encrypted) => decryptWith(sealingKey, encrypted).toString('utf8'),
    hmac(text) {
      return createHmac('sha256', hmacKey).update(text).digest()
    },
  }
}

function encryptWithKey(key: Buffer, bytes: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([Buffer.of(formatVersion), iv, cipher.getAuthTag(), encrypted])
}

function decryptWith(key: Buffer, encrypted: Buffer): Buffer {
  const [afterIv, afterTag] = [1 + ivBytes, 1 + ivBytes + tagBytes]
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(1, afterIv))
  decipher.setAuthTag(encrypted.subarray(afterIv, afterTag))
  return Buffer.concat([decipher.update(encrypted.subarray(afterTag)), decipher.final()])
}

/** The secrets with which a carrier or facility is polled, by name; empty when there are none. */
export function decryptSecrets(encryption: Encryption, encrypted: Buffer | null): Readonly<Record<string, string>> {
  return encrypted === null ? {} : (JSON.parse(encryption.decrypt(encrypted)) as Record<string, string>)
}
