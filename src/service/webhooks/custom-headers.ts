/** Which headers of their own receivers may ask for: anything but what frames the request or signs it. */

import type { WebhookHeader } from '../../store/webhooks.ts'
import { refusedAt } from '../errors.ts'

const headersMax = 20
const nameLengthMax = 128
const valueLengthMax = 2_048

/** Hop-by-hop (RFC 9110, 7.6.1), framing and addressing, and the Standard Webhooks trio. */
const reserved = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
])

export function isReservedHeader(name: string, hexHeader: string): boolean {
  const lower = name.toLowerCase()
  const hex = hexHeader.toLowerCase()
  return reserved.has(lower) || lower.startsWith('proxy-') || lower === hex || lower === `${hex}-next`
}

/** Throws with a pointer to the header that cannot be sent. */
export function checkHeaders(headers: readonly WebhookHeader[], hexHeader: string): void {
  const at = '/data/attributes/headers'
  if (headers.length > headersMax)
    throw refusedAt(at, `A webhook can have ${headersMax} headers of its own at most.`)
  const seen = new Set<string>()
  headers.forEach(({ name, value }, index) => {
    // RFC 9110, 5.1: a name is a token; 5.5: a value is visible ASCII with spaces and tabs inside.
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || name.length > nameLengthMax) {
      throw refusedAt(`${at}/${index}/name`, 'This is not the name of a header.')
    }
    if (isReservedHeader(name, hexHeader))
      throw refusedAt(`${at}/${index}/name`, `The header ${name} is set by this service.`)
    if (!/^[\t\x20-\x7e]*$/.test(value) || value.length > valueLengthMax) {
      throw refusedAt(
        `${at}/${index}/value`,
        'A header value is one line of at most 2048 printable ASCII characters.',
      )
    }
    if (seen.has(name.toLowerCase()))
      throw refusedAt(`${at}/${index}/name`, `The header ${name} is there twice.`)
    seen.add(name.toLowerCase())
  })
}
