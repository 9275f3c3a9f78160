/**
 * The settings that a client may choose for a webhook. They are checked before anything is stored, and each refusal
 * names its field.
 */

import { isWebhookEventName } from '../../domain/changes/event-table.ts'
import type { Egress } from '../../platform/egress.ts'
import { parseSignatureHeaders } from '../../platform/header-names.ts'
import type { WebhookContentType } from '../../platform/webhook-settings.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'
import { checkHeaders } from './custom-headers.ts'
import { eventPatterns, toStoredSubscription } from './event-patterns.ts'
import { eventsOfFormat } from './events-of-format.ts'
import { encryptHeaders } from './webhook-headers.ts'
import type { EdiIds, Webhook, WebhookFormat, WebhookHeader } from './webhooks-sql.ts'

export interface WebhookInput {
  readonly url: string
  readonly isActive: boolean
  /** Names, and patterns of names. */
  readonly events: readonly string[]
  readonly headers: readonly WebhookHeader[] | null
  /** Null for the installation's content type. */
  readonly contentType: WebhookContentType | null
  /** Names of headers with commas between them; null for the installation's. */
  readonly signatureHeader: string | null
}

/** The forms that a webhook can be made with. DCSA 2.2 has its own subscriptions. */
export const creatableFormats = ['x12_315', 'iftsta', 'dcsa_3'] as const
export type CreatableFormat = (typeof creatableFormats)[number]

/** The part of a webhook that its owner decides. */
type WebhookSettings = Pick<Webhook, 'url' | 'isActive' | 'events' | 'headers' | 'contentType' | 'signatureHeaders'>

/**
 * Returns the given fields as they are stored: patterns together with the names that they mean. Fields that are left
 * out are not checked.
 */
export function checkWebhook(
  { signatureHeader, ...given }: Partial<WebhookInput>,
  service: Pick<Service, 'egress' | 'encryption'>,
): Partial<WebhookSettings> {
  const { url, events, headers } = given
  if (url !== undefined) checkUrl(url, { egress: service.egress, pointer: '/data/attributes/url' })
  if (events !== undefined) checkEvents(events)
  if (headers !== undefined && headers !== null) checkHeaders(headers)
  const { headers: _, ...rest } = given
  return {
    ...rest,
    ...(headers === undefined ? {} : { headers: encryptHeaders(service, headers) }),
    ...(events === undefined ? {} : { events: toStoredSubscription(events) }),
    ...(signatureHeader === undefined
      ? {}
      : {
          signatureHeaders: readSignatureHeader(signatureHeader, '/data/attributes/signature_header'),
        }),
  }
}

export function readSignatureHeader(text: string | null, pointer: string): readonly string[] | null {
  if (text === null) return null
  const parsed = parseSignatureHeaders(text)
  if (parsed.kind === 'fault') throw refusedAt(pointer, parsed.detail)
  return parsed.names
}

function checkEvents(events: readonly string[]): void {
  if (events.length === 0) throw refusedAt('/data/attributes/events', 'A webhook subscribes to at least one event.')
  const unknown = events.findIndex((event) => !isWebhookEventName(event) && !eventPatterns.includes(event))
  if (unknown !== -1)
    throw refusedAt(
      `/data/attributes/events/${unknown}`,
      'There is no event with this name, and no event matches this pattern.',
    )
}

/**
 * An EDI interchange without names in its envelope would be refused by its receiver. DCSA 3.0 has to be switched on by
 * the operator.
 */
export function checkFormat(
  { config }: Pick<Service, 'config'>,
  { format, ids }: { readonly format: CreatableFormat | null; readonly ids: EdiIds | null },
): void {
  if (format === 'dcsa_3' && config.edge.dcsa3 !== true)
    throw refusedAt(
      '/data/attributes/format',
      'DCSA 3.0 is switched off here. The operator switches it on with LANDFALL_DCSA_3=on.',
    )
  const isEdi = format === 'x12_315' || format === 'iftsta'
  if (isEdi === (ids !== null)) return
  throw refusedAt(
    '/data/attributes/edi_ids',
    !isEdi
      ? 'Only a webhook with the format x12_315 or iftsta has an EDI envelope.'
      : 'An EDI interchange needs the names of its sender and its receiver, as the two have agreed.',
  )
}

/** A form without a code for an event would never send it. */
export function checkExpressible(events: readonly string[], format: WebhookFormat): void {
  const sayable = eventsOfFormat(format)
  const silent = events.findIndex((event) => !sayable.includes(event))
  if (silent === -1) return
  throw refusedAt(
    `/data/attributes/events/${silent}`,
    `The format ${format} has no code for this event. It can send: ${sayable.join(', ')}.`,
  )
}

/**
 * Accepts https to any public address. Accepts http only to this machine, and only when the operator lets requests
 * reach it.
 */
export function checkUrl(
  text: string,
  { egress, pointer }: { readonly egress: Egress; readonly pointer: string },
): void {
  const refusal = egress.findRefusal(text)
  if (refusal !== null) throw refusedAt(pointer, refusal)
  const { protocol, hostname } = new URL(text)
  const isLocal = isThisMachine(hostname)
  if (isLocal && egress.findRefusal('http://127.0.0.1/') !== null) {
    throw refusedAt(pointer, 'The host of the URL is not at a public address.')
  }
  if (protocol === 'http:' && !isLocal) throw refusedAt(pointer, 'A webhook needs a URL with https.')
}

function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  return host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host) || /(^|\.)localhost$/.test(host)
}
