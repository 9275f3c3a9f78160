/** Sends an example to a URL at once, so that a receiver can be tried before anything is subscribed to. */

import type { DocumentType } from '../../connectors/papers/document.ts'
import { eventTable, feedNameOf, isWebhookEventName, type WebhookEventName } from '../../domain/changes/event-table.ts'
import type { EgressResult } from '../../platform/egress.ts'
import type { WebhookContentType } from '../../platform/webhook-settings.ts'
import { type Context, requirePermission } from '../access/context.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'
import { checkUrl, readSignatureHeader } from './check-webhook.ts'
import { deliveryFormatOf } from './delivery-format.ts'
import { decodeStoredExcerpt } from './delivery-outcome.ts'
import { signedHeaders, trialHeaders } from './signatures.ts'

export interface TriggerInput {
  readonly url: string
  readonly event: string
  /** Kind of the document in an example of an event about one; null or missing for the usual kind. */
  readonly documentType?: DocumentType | null
  /** What to sign with; null for no signature. */
  readonly secret: string | null
  /** Null or missing for the installation's content type. */
  readonly contentType?: WebhookContentType | null
  /** Names of headers with commas between them; null or missing for the installation's. */
  readonly signatureHeader?: string | null
}

/** What went out and what came back. */
export interface WebhookTrial {
  readonly url: string
  readonly succeeded: boolean
  readonly error: string | null
  readonly statusCode: number | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: string | null
}

const answerBytesMax = 1_024
const headersMax = 50
const headerLengthMax = 1_024

/** `renderExample` writes the document: documents belong to the APIs. Nothing is stored. */
export async function triggerWebhook(
  service: Service,
  context: Context,
  input: TriggerInput,
  renderExample: (
    event: WebhookEventName,
    documentType: DocumentType | null,
  ) => Promise<{ readonly id: string; readonly body: Buffer }>,
): Promise<WebhookTrial> {
  requirePermission(context, 'webhooks')
  checkUrl(input.url, { egress: service.egress, pointer: '/url' })
  if (!isWebhookEventName(input.event)) throw refusedAt('/event', 'There is no event of this name.')
  const documentType = input.documentType ?? null
  if (documentType !== null && eventTable[feedNameOf(input.event)].referenceType !== 'document')
    throw refusedAt('/sample', 'Only an event about a document can have a sample.')
  const wanted = {
    format: null,
    contentType: input.contentType ?? null,
    signatureHeaders: readSignatureHeader(input.signatureHeader ?? null, '/signature_header'),
  }
  const { id, body } = await renderExample(input.event, documentType)
  const { contentType, signatureHeaders } = deliveryFormatOf(service, wanted)
  const request = { id, body, atMs: service.clock.now(), hexHeaders: signatureHeaders }
  const { secret } = input
  const headers = Object.fromEntries([
    ['content-type', contentType],
    ['user-agent', 'Landfall'],
    ...(secret?.startsWith('whsec_') === true
      ? signedHeaders({ ...request, secrets: [secret] })
      : trialHeaders({ ...request, secret })),
  ]) as Readonly<Record<string, string>>
  // No tenant is named, so that the connection is used by this request only.
  const result = await service.egress.request({
    url: input.url,
    method: 'POST',
    headers,
    body,
    timeoutMs: service.config.network.deliveryTimeoutMs,
    maxBytes: answerBytesMax,
    isBodyExtra: true,
  })
  return { url: input.url, requestHeaders: headers, requestBody: body.toString(), ...toTrialOutcome(result) }
}

type TrialOutcome = Pick<WebhookTrial, 'succeeded' | 'error' | 'statusCode' | 'responseHeaders' | 'responseBody'>

function toTrialOutcome(result: EgressResult): TrialOutcome {
  if (result.kind !== 'answer') {
    const error = result.kind === 'refused' ? result.reason : `${result.reason}: ${result.message}`
    return { succeeded: false, error, statusCode: null, responseHeaders: null, responseBody: null }
  }
  const { status } = result
  const succeeded = status >= 200 && status < 300
  const isRedirect = status >= 300 && status < 400
  return {
    succeeded,
    error: succeeded ? null : isRedirect ? 'Redirects are not followed.' : `The receiver answered ${status}.`,
    statusCode: status,
    responseHeaders: visibleHeaders(result.headers),
    responseBody: result.bodyFault === undefined ? decodeStoredExcerpt(result.body) : null,
  }
}

/** Hop-by-hop headers are about the connection, cookies and challenges are the receiver's own business. */
const hidden =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|set-cookie2?|cookie|authorization|www-authenticate|authentication-info)$/

function visibleHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !hidden.test(name))
      .slice(0, headersMax)
      .map(([name, value]) => [name, value.slice(0, headerLengthMax)]),
  )
}
