/** Which headers of their own receivers may request: anything but what frames the request or signs it. */

import { isConnectionHeader, isHeaderName, toSignatureHeaderPair } from '../../platform/header-names.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'
import { deliveryFormatOf } from './delivery-format.ts'
import type { Webhook, WebhookHeader } from './webhooks-sql.ts'

const headersMax = 20
const nameLengthMax = 128
const valueLengthMax = 2_048
const at = '/data/attributes/headers'

const standardSignature = new Set(['webhook-id', 'webhook-timestamp', 'webhook-signature'])

/** `signatureHeaders`: the headers that carry the plain signature. */
export function isReservedHeader(name: string, signatureHeaders: readonly string[]): boolean {
  const lower = name.toLowerCase()
  return (
    isConnectionHeader(lower) ||
    standardSignature.has(lower) ||
    signatureHeaders.some((each) => toSignatureHeaderPair(each).includes(lower))
  )
}

/** Throws with a pointer to the first header that must not be sent to any receiver. */
export function checkHeaders(headers: readonly WebhookHeader[]): void {
  if (headers.length > headersMax) throw refusedAt(at, `A webhook can have ${headersMax} headers of its own at most.`)
  const seen = new Set<string>()
  headers.forEach(({ name, value }, index) => {
    if (!isHeaderName(name) || name.length > nameLengthMax) {
      throw refusedAt(`${at}/${index}/name`, 'This is not the name of a header.')
    }
    if (isReservedHeader(name, [])) throw refusedAt(`${at}/${index}/name`, reservedHeaderMessage(name))
    // RFC 9110, 5.5: a value is visible ASCII with spaces and tabs inside.
    if (!/^[\t\x20-\x7e]*$/.test(value) || value.length > valueLengthMax) {
      throw refusedAt(`${at}/${index}/value`, 'A header value is one line of at most 2048 printable ASCII characters.')
    }
    if (seen.has(name.toLowerCase())) throw refusedAt(`${at}/${index}/name`, `The header ${name} is there twice.`)
    seen.add(name.toLowerCase())
  })
}

/**
 * Throws when one of the webhook's own headers has the name of its signature header. The pointer names the one of the
 * two that was given.
 */
export function checkSignatureHeader(
  webhook: Pick<Webhook, 'format' | 'headers' | 'contentType' | 'signatureHeaders'>,
  { service, areHeadersGiven }: { readonly service: Service; readonly areHeadersGiven: boolean },
): void {
  const { headers } = webhook
  const { signatureHeaders } = deliveryFormatOf(service, webhook)
  const index = (headers ?? []).findIndex(({ name }) => isReservedHeader(name, signatureHeaders))
  const name = headers?.[index]?.name
  if (name === undefined) return
  throw areHeadersGiven
    ? refusedAt(`${at}/${index}/name`, reservedHeaderMessage(name))
    : refusedAt('/data/attributes/signature_header', `The webhook already has ${name} as a custom header.`)
}

function reservedHeaderMessage(name: string): string {
  return `The header ${name} is set by this service.`
}
