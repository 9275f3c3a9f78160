/**
 * Signs a question: HMAC-SHA1 over the date, the digest of the body, a number used once and the request line, as the
 * line's own clients do it (github.com/cop-cos/COP). The line accepts a date that differs from its own clock by at most
 * two minutes.
 */

import { createHash, createHmac, randomUUID } from 'node:crypto'

export interface Signing {
  readonly apiKey: string
  readonly secretKey: string
  /** The real clock, ms since 1970. */
  readonly nowMs: number
  /** A value that is used only once; absent: a random UUID. */
  readonly nonce?: string
}

/** The headers of a GET, which has no body. */
export function signQuestion(url: URL, { apiKey, secretKey, nowMs, nonce = randomUUID() }: Signing) {
  const date = new Date(nowMs).toUTCString()
  const digest = `SHA-256=${createHash('sha256').digest('base64')}`
  const once = createHash('md5').update(nonce).digest('hex')
  const requestLine = `GET ${url.pathname}${url.search} HTTP/1.1`
  const signed = [
    `X-Coscon-Date: ${date}`,
    `X-Coscon-Digest: ${digest}`,
    `X-Coscon-Content-Md5: ${once}`,
    requestLine,
  ].join('\n')
  const signature = createHmac('sha1', secretKey).update(signed).digest('base64')
  return {
    'X-Coscon-Date': date,
    'X-Coscon-Digest': digest,
    'X-Coscon-Content-Md5': once,
    'X-Coscon-Hmac': once,
    'X-Coscon-Authorization': `hmac username="${apiKey}",algorithm="hmac-sha1",headers="X-Coscon-Date X-Coscon-Digest X-Coscon-Content-Md5 request-line",signature="${signature}"`,
  }
}
