/** Secrets at rest: sealed with AES-256-GCM, keys compared by HMAC. One installation secret stands behind both. */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface Vault {
  seal(text: string): Buffer
  /** Throws when the bytes were not sealed by this installation's secret. */
  open(sealed: Buffer): string
  hmac(text: string): Buffer
}

const ivBytes = 12
const tagBytes = 16
const formatVersion = 1

/** `secret` is the installation's own, at least 32 characters; the two uses get keys derived apart (HKDF, RFC 5869). */
export function openVault(secret: string): Vault {
  const sealingKey = Buffer.from(hkdfSync('sha256', secret, '', 'landfall seal', 32))
  const hmacKey = Buffer.from(hkdfSync('sha256', secret, '', 'landfall api key', 32))
  return {
    seal(text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(formatVersion), iv, cipher.getAuthTag(), sealed])
    },
    open(sealed) {
      const iv = sealed.subarray(1, 1 + ivBytes)
      const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, iv)
      decipher.setAuthTag(tag)
      return (
        decipher.update(sealed.subarray(1 + ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    hmac(text) {
      return createHmac('sha256', hmacKey).update(text).digest()
    },
  }
}
