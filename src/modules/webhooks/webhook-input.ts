/** Bodies of webhooks: a new one, changes, a trial, a recovery. */

import type { Static } from 'typebox'
import { pointerFault } from '../../api/errors/problem.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { readObject } from '../../api/request-body/body.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import { type DocumentType, documentTypes } from '../../connectors/papers/document.ts'
import { webhookEventNames } from '../../domain/changes/event-table.ts'
import { lastMomentOf } from '../../domain/values/time.ts'
import { Type } from '../../platform/json-schema.ts'
import { type WebhookContentType, webhookContentTypes } from '../../platform/webhook-settings.ts'
import { type CreatableFormat, creatableFormats } from './check-webhook.ts'
import { eventPatterns } from './event-patterns.ts'
import { type RecoveryMode, recoveryModes } from './recover-notifications.ts'
import type { TriggerInput } from './trigger-webhook.ts'
import { webhook } from './webhook-resource.ts'
import type { EdiIds } from './webhooks-sql.ts'

const header = Type.Object({ name: Type.String(), value: Type.String() }, closed)
const event = Type.Unsafe<string>({ type: 'string', enum: webhookEventNames })
const url = Type.String({ maxLength: 2_048 })
const subscribed = Type.Unsafe<string>({ type: 'string', enum: [...webhookEventNames, ...eventPatterns] })
const events = Type.Array(subscribed, {
  minItems: 1,
  maxItems: 100,
  description:
    'Names, and patterns: `*` and `….*` mean events of the contract, `landfall.*` those beyond it. `document.extracted` and `document.extraction_failed` are earlier names, which `*` does not mean.',
})
const headers = Type.Unsafe<readonly Static<typeof header>[] | null>({
  type: ['array', 'null'],
  items: header,
  maxItems: 20,
})
const contentType = Type.Unsafe<WebhookContentType | null>({
  enum: [...webhookContentTypes, null],
  description: 'Content-Type of deliveries. Null: the setting of the installation.',
})
const format = Type.Unsafe<CreatableFormat | null>({
  enum: [...creatableFormats, null],
  description:
    'Sends each move of a container as a message of this standard instead of a document: ANSI X12 315, EDIFACT IFTSTA, or DCSA Track & Trace 3.0 where the operator has switched it on. It cannot be changed later. For DCSA 2.2 there are its own subscriptions.',
})
const ediName = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{1,14}$' })
const ediQualifier = Type.Optional(Type.String({ pattern: '^[A-Z0-9]{1,4}$' }))
const ediIds = Type.Object(
  {
    sender: ediName,
    receiver: ediName,
    sender_qualifier: ediQualifier,
    receiver_qualifier: ediQualifier,
    is_test: Type.Optional(Type.Boolean({ default: false })),
  },
  {
    ...closed,
    description:
      'Needed with an EDI format: the names in the envelope of each interchange (ISA and GS, or UNB), as the two partners have agreed. Without a qualifier X12 has ZZ, and EDIFACT none.',
  },
)
const signatureHeader = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 400,
  description:
    'Names of the headers, separated by commas, that have the HMAC-SHA256 of the body in hex. Null: the setting of the installation.',
})
const attributes = Type.Object(
  {
    url,
    active: Type.Optional(Type.Boolean({ default: true })),
    events: Type.Optional(events),
    headers: Type.Optional(headers),
    format: Type.Optional(format),
    edi_ids: Type.Optional(ediIds),
    content_type: Type.Optional(contentType),
    signature_header: Type.Optional(signatureHeader),
  },
  closed,
)

export const newWebhook = defineCreateBody(webhook, attributes, (given) => ({
  url: given.url,
  isActive: given.active ?? true,
  ...(given.events === undefined ? {} : { events: given.events }),
  headers: given.headers ?? null,
  format: given.format ?? null,
  ediIds: given.edi_ids === undefined ? null : readEdiIds(given.edi_ids),
  contentType: given.content_type ?? null,
  signatureHeader: given.signature_header ?? null,
}))

function readEdiIds(given: Static<typeof ediIds>): EdiIds {
  return {
    sender: given.sender,
    receiver: given.receiver,
    senderQualifier: given.sender_qualifier ?? null,
    receiverQualifier: given.receiver_qualifier ?? null,
    isTest: given.is_test ?? false,
  }
}

const changes = Type.Object(
  {
    url: Type.Optional(url),
    active: Type.Optional(Type.Boolean()),
    events: Type.Optional(events),
    headers: Type.Optional(headers),
    content_type: Type.Optional(contentType),
    signature_header: Type.Optional(signatureHeader),
  },
  closed,
)
export const webhookChanges = defineChangeBody(webhook, changes, ({ active, ...given }) => ({
  ...camelNames(given),
  ...(active === undefined ? {} : { isActive: active }),
}))

const sample = Type.Object(
  {
    document_type: Type.Unsafe<DocumentType>({
      type: 'string',
      enum: documentTypes,
      description: 'Kind of the document in the example.',
    }),
  },
  { ...closed, description: 'For an event about a document. Without it, the document is an arrival notice.' },
)

export const triggerBody = Type.Object(
  {
    url: Type.String({ maxLength: 2_048, description: 'The URL that gets the example; nothing is stored.' }),
    event,
    sample: Type.Optional(sample),
    secret: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: 200,
        pattern: '^[!-~]+$',
        description: 'Signs the request. The Standard Webhooks signature needs one that begins with `whsec_`.',
      }),
    ),
    content_type: Type.Optional(contentType),
    signature_header: Type.Optional(signatureHeader),
  },
  closed,
)

export function readTrigger(body: unknown): TriggerInput {
  const given = readObject(body, triggerBody)
  return {
    url: given.url,
    event: given.event,
    documentType: given.sample?.document_type ?? null,
    secret: given.secret ?? null,
    contentType: given.content_type ?? null,
    signatureHeader: given.signature_header ?? null,
  }
}

const moment = {
  type: 'string',
  maxLength: 40,
  description: 'ISO 8601 date-time with zone, or a date (UTC).',
}
export const recoverBody = Type.Object(
  {
    since: Type.Unsafe<string>(moment),
    until: Type.Optional(Type.Unsafe<string | null>({ ...moment, type: ['string', 'null'] })),
    mode: Type.Optional(Type.Unsafe<RecoveryMode>({ type: 'string', enum: recoveryModes, default: 'failed_only' })),
  },
  closed,
)

export function readRecovery(body: unknown): {
  readonly since: string
  readonly until: string | null
  readonly mode: RecoveryMode
} {
  const { since, until = null, mode = 'failed_only' } = readObject(body, recoverBody)
  return {
    since: readMoment(since, { pointer: '/since', restOfDay: 'T00:00:00.000Z' }),
    until:
      until === null
        ? null
        : lastMomentOf({
            at: readMoment(until, { pointer: '/until', restOfDay: 'T23:59:59.999Z' }),
            written: until,
          }),
    mode,
  }
}

/** A date as `since` or `until` includes the whole day, a time without a fraction as `until` its whole second. */
function readMoment(
  text: string,
  { pointer, restOfDay }: { readonly pointer: string; readonly restOfDay: string },
): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const at = new Date(isDay ? text + restOfDay : text)
  const isReal = (isDay || isMoment) && !Number.isNaN(at.getTime())
  if (!isReal || (isDay && !at.toISOString().startsWith(text)))
    throw pointerFault('invalid', pointer, 'This must be an ISO 8601 date-time with its zone, or a date.')
  return at.toISOString()
}
